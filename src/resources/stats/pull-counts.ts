// Collects the counts of a team's hours (contract.md §Statistics). Reads first the recent events
// from the team's ledger, then the counts that were written with the chunks. In the reverse order,
// it would miss an event whose chunk is written between the two reads. Both sources may have the
// same event, if its chunk was written between the reads, or if the ledger was killed right after
// the write. The number of the event's log row shows this, so that the event is counted once.
import { shardDatabase } from "../../db/client.ts";
import { shardOn } from "../../db/shards.ts";
import type { Team } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import { HOUR_MS } from "../../limits.ts";
import { entryOf, HourCounts } from "./hour-counts.ts";
import { countedEvent } from "./counted-events.ts";
import { readCounts } from "./store.ts";
import type { Day } from "../../rpc/shard-types.ts";
import { dayOf, daysBack } from "../../db/days.ts";
import type { CountWindow } from "./count-window.ts";
import {
  RECENT_EVENTS,
  type RecentEvents,
  type RecentEventsRequest,
} from "../../rpc/recent-events-calls.ts";
import { simulatorDomain } from "../providers/provider-of.ts";
import { reachLedger } from "../team-settings/reach-ledger.ts";
import { settingsOf } from "../../settings.ts";

/**
 * Number of days whose counts are in memory at the same time. This limits memory, because the
 * counts of an hour may take 120 KB (docs/storage.md §Counts).
 */
const DAYS_AT_ONCE = 8;

/** The counts of one row of the log, by the beginning of each hour. All hours are in one day. */
type LogRow = Map<number, HourCounts>;

/** Reads the recent events, which are not in a chunk yet. */
export type ReadRecentEvents = (
  request: RecentEventsRequest,
) => RecentEvents | Promise<RecentEvents>;

interface Asked {
  /** True: the simulator's mail is not counted. */
  readonly isReal: boolean;
  /** Reads the recent events. Absent: pullHours() calls the team's ledger. */
  readonly readRecentEvents?: ReadRecentEvents;
}

/**
 * Calls `take` for each hour in the window, unsorted. It may call `take` several times for an hour,
 * each time with a part of the counts.
 */
export async function pullHours(
  env: Env,
  team: Team,
  window: Pick<CountWindow, "start" | "end">,
  { isReal, readRecentEvents = (request) => callLedger(env, team, request) }: Asked,
  take: (at: number, hour: HourCounts) => void,
): Promise<void> {
  if (window.start >= window.end) return;
  const simulated = simulatorDomain(settingsOf(env).serviceDomain);
  const add = (at: number, hour: HourCounts): void => {
    if (at < window.start || at >= window.end) return;
    if (isReal) hour.dropSimulator(simulated);
    take(at, hour);
  };
  const recent = await readRows(readRecentEvents, window, simulated);
  const days = daysBack(dayOf(window.end - 1), dayOf(window.start)).toReversed();
  const reached = new Map<Day, number>();
  for (let first = 0; first < days.length; first += DAYS_AT_ONCE)
    for (const chunked of await readDays(env, team, days.slice(first, first + DAYS_AT_ONCE))) {
      for (const [at, hour] of chunked.hours) add(at, hour);
      for (const [day, seq] of chunked.reached) reached.set(day, seq);
    }
  for (const [seq, row] of recent)
    for (const [at, hour] of row) if (seq > (reached.get(dayOf(at)) ?? 0)) add(at, hour);
}

async function readDays(
  env: Env,
  team: Team,
  days: readonly Day[],
): Promise<Awaited<ReturnType<typeof readCounts>>[]> {
  const shards = Map.groupBy(days, (day) => shardOn(team.shards, day));
  return Promise.all(
    Array.from(shards, ([shard, own]) => readCounts(shardDatabase(env, shard), team, own)),
  );
}

function callLedger(env: Env, team: Team, request: RecentEventsRequest): Promise<RecentEvents> {
  return reachLedger(env, team, (ledger) => ledger.readTail(request));
}

/** Reads the recent events, and counts them separately for each row of the log. */
async function readRows(
  readRecentEvents: ReadRecentEvents,
  { start, end }: Pick<CountWindow, "start" | "end">,
  simulated: string,
): Promise<ReadonlyMap<number, LogRow>> {
  const rows = new Map<number, LogRow>();
  let before: { at: number; id: string } | null = { at: end, id: "" };
  while (before) {
    const below: { at: number; id: string } = before;
    const { events, seqs, origins, isMore }: RecentEvents = await readRecentEvents({
      start,
      before: below,
      filters: {},
      limit: RECENT_EVENTS,
    });
    for (const [index, event] of events.entries()) {
      const at = Math.floor(event.occurredAt / HOUR_MS) * HOUR_MS;
      const row = entryOf(rows, seqs[index] ?? 0, () => new Map<number, HourCounts>());
      entryOf(row, at, () => new HourCounts()).count(
        countedEvent(event, event.fromDomain, origins[index]!, simulated),
      );
    }
    const last = events.at(-1);
    before = isMore && last ? { at: last.occurredAt, id: last.id } : null;
  }
  return rows;
}
