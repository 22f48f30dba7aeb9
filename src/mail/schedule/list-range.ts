// Reads which scheduled messages a list asks for, and from where on (contract.md §Scheduled sends).
// A list of each order has cursors of its own. Pure.
import type * as z from "zod";
import type { SchedulePlace, ScheduledRange } from "../../contracts/schedule-contract.ts";
import { refuse } from "../../refusal.ts";
import type { ListEmailsQuery } from "./wire.ts";

const PLACE = /^(\d+) (\d+)$/;

/** `after`: the position in the list's cursor; null: its beginning. Throws `invalid`. */
export function rangeOf(
  { order, campaign }: z.output<typeof ListEmailsQuery>,
  after: string | null,
): ScheduledRange {
  const place = after === null ? null : placeOf(after);
  const isSoonest = order === "soonest" || campaign !== undefined;
  if (after !== null && (place !== null) !== isSoonest)
    throw refuse("invalid", { errors: { after: ["is a cursor of a list in another order"] } });
  return isSoonest
    ? { order: "soonest", campaign: campaign ?? null, after: place }
    : { order: "newest", before: after };
}

/** Writes a place as a position of a cursor. */
export function placeText({ scheduledAt, number }: SchedulePlace): string {
  return `${scheduledAt} ${number}`;
}

function placeOf(position: string): SchedulePlace | null {
  const [, scheduledAt, number] = PLACE.exec(position) ?? [];
  return scheduledAt === undefined
    ? null
    : { scheduledAt: Number(scheduledAt), number: Number(number) };
}
