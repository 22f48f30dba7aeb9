// Reads the query of a list of messages: its filters, its order and its position (contract.md
// §Scheduled sends, §List of messages). Each status and each order has its own cursors. Pure.
import type * as z from "zod";
import type { SchedulePosition, ScheduledRange } from "../../rpc/schedule-calls.ts";
import { refuse, type RefusalError } from "../../refusal.ts";
import {
  FIRST_POSITION,
  type MessageListPosition,
  readListPosition,
} from "../lookup/messages/list-position.ts";
import type { ListEmailsQuery } from "./wire.ts";

type ListQuery = z.output<typeof ListEmailsQuery>;

const PLACE = /^(\d+) (\d+)$/;
const ID = /^email_[0-9a-f-]{36}$/;
const FILTERS_OF_ALL = ["recipient", "topic", "template_id", "tags"] as const;

/** Throws `invalid` for a parameter that a list of this status does not take. */
export function refuseForeignFilters(query: ListQuery): void {
  const { status = "scheduled" } = query;
  const [wrong, other] =
    status === "all" ? [["order"] as const, "scheduled"] : [FILTERS_OF_ALL, "all"];
  const given = wrong.filter((name) => query[name] !== undefined);
  if (given.length === 0) return;
  const problem = `is only for status=${other}`;
  throw refuse("invalid", { errors: Object.fromEntries(given.map((name) => [name, [problem]])) });
}

/** Reads where the list of all messages continues. Refuses the cursor of another list. */
export function readAllPosition(after: string | null): MessageListPosition {
  const place = after === null ? FIRST_POSITION : readListPosition(after);
  if (!place) throw refuseCursor();
  return place;
}

/**
 * Returns the range of the list. `after` is the position in the list's cursor. Null means that the
 * list starts at its beginning. Throws `invalid` if the cursor is of another list.
 */
export function rangeOf({ order, campaign }: ListQuery, after: string | null): ScheduledRange {
  const place = after === null ? null : placeOf(after);
  const isSoonest = order === "soonest" || campaign !== undefined;
  if (after !== null && (isSoonest ? place === null : !ID.test(after))) throw refuseCursor();
  return isSoonest
    ? { order: "soonest", campaign: campaign ?? null, after: place }
    : { order: "newest", before: after };
}

function refuseCursor(): RefusalError {
  return refuse("invalid", {
    errors: { after: ["is a cursor of a list of another status or order"] },
  });
}

/** Writes a position as the text of a cursor. */
export function schedulePositionText({ scheduledAt, number }: SchedulePosition): string {
  return `${scheduledAt} ${number}`;
}

function placeOf(position: string): SchedulePosition | null {
  const [, scheduledAt, number] = PLACE.exec(position) ?? [];
  return scheduledAt === undefined
    ? null
    : { scheduledAt: Number(scheduledAt), number: Number(number) };
}
