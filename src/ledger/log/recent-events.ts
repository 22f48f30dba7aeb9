// Reads the events that are not in a chunk yet (docs/storage.md §The log), newest first. Reads only
// as many rows as a result needs. Pure, except for this reading.
import { type LoggedMessage } from "../../rpc/ledger-calls.ts";
import {
  RECENT_EVENTS,
  type RecentEventsRequest,
  type RecentEvents,
  type EventOrigin,
} from "../../rpc/recent-events-calls.ts";
import {
  correlationOf,
  type EventRecord,
  type MessageRecord,
  recordStart,
} from "../../rpc/event-records.ts";
import { isBeginning } from "../../resources/events/messages-begun-in-chunk.ts";
import { matches } from "../../resources/events/event-filters.ts";
import { attemptHosts } from "../../resources/providers/attempt-hosts.ts";
import { toOwnEvent } from "./log-rows.ts";

const RECENT_CHARACTERS = 8 * 1_024 * 1_024;
/**
 * Maximum number of rows that the search for messages reads. The log has more rows only while D1 is
 * down.
 */
const ROWS_LISTED = 500;

interface Spanning {
  readonly seq: number;
  /** The times of the oldest and newest event in the row, in Unix milliseconds. */
  readonly oldest: number;
  readonly newest: number;
}

interface Found {
  readonly record: EventRecord;
  readonly seq: number;
  readonly origin: EventOrigin;
}

/** The rows of the log that are not in a chunk yet. */
export interface RecentRows {
  /** The rows, in the order of their numbers. */
  readonly rows: readonly Spanning[];
  readonly read: (seq: number) => readonly LoggedMessage[];
  readonly bookmarks: RecentEvents["bookmarks"];
}

/**
 * Finds the messages that begin in the newest rows outside chunks and have an id below `before`.
 */
export function messagesBegunRecently(
  { rows, read }: RecentRows,
  before: string,
): Map<string, MessageRecord> {
  const begun = rows.slice(-ROWS_LISTED).flatMap(({ seq }) =>
    read(seq).flatMap(({ message, events }) => {
      const isBegun = message.emailId < before && events.some(isBeginning);
      return isBegun ? [[message.emailId, message] as const] : [];
    }),
  );
  return new Map(begun);
}

/** Reads the events that a request asks for. */
export function readRecentEvents(
  { rows, read, bookmarks }: RecentRows,
  request: RecentEventsRequest,
): RecentEvents {
  const { start, before, filters } = request;
  const limit = Math.min(request.limit, RECENT_EVENTS);
  const candidates = rows
    .filter(({ oldest, newest }) => newest >= start && oldest <= before.at)
    .toSorted((left, right) => right.newest - left.newest);
  const found: Found[] = [];
  for (const { seq, newest } of candidates) {
    // All events of this row and of the following rows are older than the events that already fill
    // the result.
    if (countNewerThan(found, newest) > limit) break;
    for (const { message, events } of read(seq)) {
      const [startedAt, hostOf] = [recordStart(message), attemptHosts(events)];
      for (const event of events) {
        const record: EventRecord = { ...correlationOf(message), ...toOwnEvent(event) };
        const mxHost = hostOf(event);
        if (
          event.occurredAt >= start &&
          isBefore(event, before) &&
          matches({ ...record, mxHost }, filters)
        )
          found.push({ record, seq, origin: { startedAt, mxHost } });
      }
    }
  }
  found.sort(
    ({ record: left }, { record: right }) =>
      right.occurredAt - left.occurredAt || (left.id < right.id ? 1 : -1),
  );
  const answered = found.slice(0, Math.min(limit, countThatFit(found)));
  return {
    events: answered.map(({ record }) => record),
    seqs: answered.map((one) => one.seq),
    origins: answered.map(({ origin }) => origin),
    isMore: found.length > answered.length,
    bookmarks,
  };
}

/** Counts the events that fit into one result. The count is at least one. */
function countThatFit(found: readonly Found[]): number {
  let characters = 0;
  const end = found.findIndex(
    ({ record: { headers } }) => (characters += JSON.stringify(headers).length) > RECENT_CHARACTERS,
  );
  return end === -1 ? found.length : Math.max(1, end);
}

function countNewerThan(found: readonly Found[], at: number): number {
  return found.filter(({ record }) => record.occurredAt > at).length;
}

function isBefore(
  { occurredAt, id }: { readonly occurredAt: number; readonly id: string },
  before: RecentEventsRequest["before"],
): boolean {
  return occurredAt < before.at || (occurredAt === before.at && id < before.id);
}
