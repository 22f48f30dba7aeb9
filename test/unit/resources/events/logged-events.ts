// Makes a ledger's log as readers of the history see it: rows appended one after the other, chunks
// of a day's rows, and recent events that are in no chunk yet.
import { shardDatabase } from "../../../../src/db/client.ts";
import { shardOn } from "../../../../src/db/shards.ts";
import type { Env } from "../../../../src/env.ts";
import type { MessageInLedger } from "../../../../src/rpc/message-list-calls.ts";
import type { RecentEvents, RecentEventsRequest } from "../../../../src/rpc/recent-events-calls.ts";
import {
  type EventRecord,
  type MessageRecord,
  recordStart,
} from "../../../../src/rpc/event-records.ts";
import { writeChunks } from "../../../../src/resources/events/write-chunk.ts";
import { matches } from "../../../../src/resources/events/event-filters.ts";
import type { Day } from "../../../../src/rpc/shard-types.ts";
import { dayOf } from "../../../../src/db/days.ts";
import { byMessage, env, type SampleTeam } from "./sample-events.ts";

/** Events of one UTC day that the ledger appended together, as one row. */
export interface TestLogRow {
  readonly seq: number;
  /**
   * The time at which the row was appended, in Unix milliseconds. Each row is later than the row
   * before it.
   */
  readonly at: number;
  readonly events: readonly EventRecord[];
}

const EARLIEST_MS = 600_000;
const LATEST_MS = 1_000;

export function dayOfRow({ events }: TestLogRow): Day {
  return dayOf(events[0]!.occurredAt);
}

/** Writes rows of one day as a chunk. */
export async function writeRows(
  team: SampleTeam,
  rows: readonly TestLogRow[],
  messages: readonly MessageRecord[],
): Promise<number> {
  const [first, last] = [rows[0]!, rows.at(-1)!];
  const isStray = rows.some(({ at, events }) =>
    events.some(({ occurredAt }) => occurredAt < at - EARLIEST_MS || occurredAt > at + LATEST_MS),
  );
  const page = { team, day: dayOfRow(first), at: first.at, lastSeq: last.seq, isStray };
  const events = rows.flatMap((row) => row.events);
  const db = shardDatabase(env, shardOn(team.shards, page.day));
  return (await writeChunks(db, [{ ...page, messages: byMessage(events, messages) }], [])).lastSeq;
}

/**
 * Makes an environment in which ledgers have these recent events, and return at most `most` of them
 * in a call.
 */
export function withRecentEvents(
  events: readonly EventRecord[],
  most = 1_000,
  bookmarks: RecentEvents["bookmarks"] = {},
  real: Env = env,
): Env {
  const readTail = ({
    start,
    before,
    filters,
    limit,
  }: RecentEventsRequest): Promise<RecentEvents> => {
    const isBefore = ({ occurredAt, id }: EventRecord) =>
      occurredAt < before.at || (occurredAt === before.at && id < before.id);
    const found = newestFirst(events).filter(
      (event) =>
        event.occurredAt >= start &&
        isBefore(event) &&
        matches({ ...event, mxHost: event.exchange?.mxHost ?? null }, filters),
    );
    const given = found.slice(0, Math.min(limit, most));
    return Promise.resolve({
      events: given,
      seqs: given.map(() => 0),
      origins: given.map((event) => ({
        startedAt: recordStart(event),
        mxHost: event.exchange?.mxHost ?? null,
      })),
      isMore: found.length > given.length,
      bookmarks,
    });
  };
  const find = (): Promise<MessageInLedger> => Promise.resolve({ open: null, logged: null });
  return {
    ...real,
    TEAM_LEDGER: { getByName: () => ({ readTail, find }) } as unknown as Env["TEAM_LEDGER"],
  };
}

export function newestFirst(events: readonly EventRecord[]): EventRecord[] {
  return events.toSorted(
    (left, right) => right.occurredAt - left.occurredAt || (left.id < right.id ? 1 : -1),
  );
}
