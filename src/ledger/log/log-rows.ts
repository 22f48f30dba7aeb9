// Divides events into rows of the log (docs/storage.md §The log). A row has events of one UTC day.
// One dispatch must be able to take all events of a row, and SQLite must be able to store the row's
// text. Each row repeats the messages of its events. Pure.
import type { Day } from "../../rpc/shard-types.ts";
import { dayOf } from "../../db/days.ts";
import { HOUR_MS } from "../../limits.ts";
import type { OwnEvent } from "../../rpc/event-records.ts";
import type { LoggedEvent, LoggedMessage } from "../../rpc/ledger-calls.ts";

export const LOG_ROW_EVENTS = 64;
/**
 * Maximum length of a row's text in UTF-16 units, each of at most three bytes. The platform limits
 * a row to 2 MB. A single event is stored even if its message is longer.
 */
export const LOG_ROW_CHARACTERS = 512 * 1_024;

export interface NewLogRow {
  readonly day: Day;
  readonly count: number;
  /** The times of the oldest and newest event in the row, in Unix milliseconds. */
  readonly oldest: number;
  readonly newest: number;
  /** JSON of LoggedMessage[]. */
  readonly text: string;
}

interface OpenRow {
  readonly day: Day;
  readonly messages: { readonly messageJson: string; readonly events: string[] }[];
  count: number;
  characters: number;
  oldest: number;
  newest: number;
}

/** Maximum time by which an event's clock may be ahead of the worker's clock. */
const AHEAD_MS = HOUR_MS / 2;

/**
 * Divides events into rows, in the order of their days, and within a day in the given order. `now`
 * is in Unix milliseconds. An event with a time too far in the future gets the time `now`, because
 * a chunk can't begin long before its day.
 */
export function toLogRows(messages: readonly LoggedMessage[], now: number): NewLogRow[] {
  const rows: OpenRow[] = [];
  const open = new Map<Day, OpenRow>();
  for (const { message, events } of messages) {
    const messageJson = JSON.stringify(message);
    // The row of each day to which this message was already added.
    const rowsOfMessage = new Map<Day, OpenRow>();
    for (const given of events) {
      const event = given.occurredAt > now + AHEAD_MS ? { ...given, occurredAt: now } : given;
      const text = JSON.stringify(event);
      const day = dayOf(event.occurredAt);
      let row = open.get(day);
      const characters =
        text.length +
        (row !== undefined && rowsOfMessage.get(day) === row ? 0 : messageJson.length);
      if (
        !row ||
        row.count === LOG_ROW_EVENTS ||
        row.characters + characters > LOG_ROW_CHARACTERS
      ) {
        row = {
          day,
          messages: [],
          count: 0,
          characters: 0,
          oldest: Number.POSITIVE_INFINITY,
          newest: Number.NEGATIVE_INFINITY,
        };
        open.set(day, row);
        rows.push(row);
      }
      if (rowsOfMessage.get(day) !== row) {
        row.messages.push({ messageJson, events: [] });
        row.characters += messageJson.length;
        rowsOfMessage.set(day, row);
      }
      add(row, event, text);
    }
  }
  return rows.map(close);
}

/** Returns the event as it is shown and stored, without the suppression that it causes. */
export function toOwnEvent(logged: LoggedEvent): OwnEvent {
  const { suppress: _suppress, ...event } = logged;
  return event;
}

function add(row: OpenRow, { occurredAt }: LoggedEvent, text: string): void {
  row.messages.at(-1)!.events.push(text);
  row.count += 1;
  row.characters += text.length;
  row.oldest = Math.min(row.oldest, occurredAt);
  row.newest = Math.max(row.newest, occurredAt);
}

function close({ day, messages, count, oldest, newest }: OpenRow): NewLogRow {
  const text = messages
    .map(({ messageJson, events }) => `{"message":${messageJson},"events":[${events.join(",")}]}`)
    .join(",");
  return { day, count, oldest, newest, text: `[${text}]` };
}

/**
 * Removes the suppressions of an address (in lower case) from the messages. Returns the messages,
 * or null if no message had such a suppression.
 */
export function withoutSuppressions(
  messages: readonly LoggedMessage[],
  address: string,
): LoggedMessage[] | null {
  let hasDropped = false;
  const left = messages.map(({ message, events }) => ({
    message,
    events: events.map((event): LoggedEvent => {
      if (event.suppress === undefined || event.recipient.toLowerCase() !== address) return event;
      hasDropped = true;
      const { suppress: _, ...rest } = event;
      return rest;
    }),
  }));
  return hasDropped ? left : null;
}
