// Lists a team's messages, the last accepted first (contract.md §List of messages): messages in the
// ledger, and messages in the chunks of the history. Reads the ledger first. A message that leaves
// the ledger after that is in the chunks by then, so it is still found.
import type { EventRecord, MessageRecord } from "../../../rpc/event-records.ts";
import type { MessageFilters } from "../../../rpc/history-query.ts";
import { LEDGER_MESSAGES, type LedgerMessage } from "../../../rpc/message-list-calls.ts";
import type { Bookmarks } from "../../../rpc/shard-types.ts";
import { laterBookmarks } from "../../../db/shard-session.ts";
import type { Team } from "../../../endpoint.ts";
import type { Env } from "../../../env.ts";
import { timeOfEmailId } from "../../../lib/ids.ts";
import { DAY_MS } from "../../../limits.ts";
import { reachLedger } from "../../../resources/team-settings/reach-ledger.ts";
import { matchesMessage } from "../../../resources/events/event-filters.ts";
import { MessageScan } from "../../../resources/events/message-scan.ts";
import { readStoredMessage } from "../../message-start.ts";
import { toMessageRecord } from "../../record/record.ts";
import type { MessageListPosition } from "./list-position.ts";
import { type MessageEventsRead, readMessageEvents } from "../message-events.ts";

export interface ListedMessage {
  readonly message: MessageRecord;
  /** Unix milliseconds. */
  readonly createdAt: number;
  /**
   * The time at which the message was canceled, in Unix milliseconds. Null means that it was not
   * canceled.
   */
  readonly canceledAt: number | null;
  /** False if the message waits for its scheduled time, or was canceled. */
  readonly isReleased: boolean;
  /** Newest first. */
  readonly events: readonly EventRecord[];
  /** False if the message has older events that were not read. */
  readonly isComplete: boolean;
}

export interface MessageList {
  readonly messages: readonly ListedMessage[];
  /** The position at which the next page starts. Null means that no message is left. */
  readonly next: MessageListPosition | null;
}

type FoundMessage = Pick<ListedMessage, "message" | "canceledAt" | "isReleased">;

/**
 * The messages that were found. `horizon` is an id: all messages with this id or a higher id were
 * found. Null means that all messages were found.
 */
interface Found {
  readonly messages: readonly FoundMessage[];
  readonly horizon: string | null;
}

/**
 * Lists up to `limit` messages that match the filters, from the given position on. A page ends
 * early after many messages that do not match. It then has fewer messages or none, and `next`
 * continues the list.
 */
export async function listMessages(
  env: Env,
  team: Team,
  filters: MessageFilters,
  { before, seen }: MessageListPosition,
  limit: number,
  now: number,
): Promise<MessageList> {
  const start = now - team.eventRetentionDays * DAY_MS;
  const { found: held, bookmarks } = await findHeld(env, team, filters, before, limit, start);
  const scan = new MessageScan(
    env,
    team,
    filters,
    { before, start, now },
    laterBookmarks(seen, bookmarks),
  );
  let all = merge(held, scan);
  while (
    all.messages.length <= limit &&
    scan.horizon !== null &&
    scan.horizon > (held.horizon ?? "") &&
    (scan.mayGoOn || (all.horizon ?? "") >= before)
  ) {
    await scan.goOn(limit + 1 - all.messages.length);
    all = merge(held, scan);
  }
  const listed = all.messages.slice(0, limit);
  const rest = all.messages.length > limit ? listed.at(-1)!.message.emailId : all.horizon;
  return {
    messages: await withEvents(env, team, listed, now),
    next: rest === null ? null : { before: rest, seen: scan.bookmarks() },
  };
}

async function findHeld(
  env: Env,
  team: Team,
  filters: MessageFilters,
  before: string,
  limit: number,
  start: number,
): Promise<{ readonly found: Found; readonly bookmarks: Bookmarks }> {
  const isFiltered = Object.values(filters).some((filter) => filter !== undefined);
  const { messages, isMore, bookmarks } = await reachLedger(env, team, (ledger) =>
    ledger.listHeld({ before, limit: isFiltered ? LEDGER_MESSAGES : limit + 1 }),
  );
  const matching = messages
    .map(toFound)
    .filter(
      ({ message, canceledAt }) => matches(message, filters) && (canceledAt ?? start) >= start,
    );
  const horizon = isMore ? (messages.at(-1)?.emailId ?? null) : null;
  return { found: { messages: matching, horizon }, bookmarks };
}

function toFound(held: LedgerMessage): FoundMessage {
  if (held.kind === "logged") return { message: held.message, canceledAt: null, isReleased: true };
  const { kind, meta, startsAt, canceledAt } = held;
  const message = toMessageRecord(readStoredMessage(meta, startsAt));
  return { message, canceledAt, isReleased: kind === "open" };
}

function matches(message: MessageRecord, filters: MessageFilters): boolean {
  const { recipient } = filters;
  return (
    matchesMessage(message, filters) &&
    (recipient === undefined ||
      message.recipients.some((address) => address.toLowerCase() === recipient))
  );
}

/**
 * Merges the messages, the last accepted first. Leaves out a message if an unread message may come
 * before it.
 */
function merge(held: Found, scan: MessageScan): Found {
  const horizons = [held.horizon, scan.horizon].filter((place) => place !== null);
  const horizon = horizons.length === 0 ? null : horizons.toSorted().at(-1)!;
  const chunked = Array.from(scan.found, (message): FoundMessage => {
    return { message, canceledAt: null, isReleased: true };
  });
  const all = new Map([...chunked, ...held.messages].map((one) => [one.message.emailId, one]));
  const final = [...all.values()].filter(
    ({ message }) => horizon === null || message.emailId >= horizon,
  );
  return {
    messages: final.toSorted((left, right) =>
      left.message.emailId < right.message.emailId ? 1 : -1,
    ),
    horizon,
  };
}

async function withEvents(
  env: Env,
  team: Team,
  found: readonly FoundMessage[],
  now: number,
): Promise<ListedMessage[]> {
  const released = found.filter(({ isReleased }) => isReleased);
  const read: MessageEventsRead = await readMessageEvents(
    env,
    team,
    released.map(({ message }) => message.emailId),
    now,
  );
  return found.map((one) => {
    const { emailId } = one.message;
    const createdAt = timeOfEmailId(emailId);
    const events = read.events.get(emailId) ?? [];
    return { ...one, createdAt, events, isComplete: createdAt >= read.since };
  });
}
