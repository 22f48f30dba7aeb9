// Gathers the counts of GET /v1/stats (contract.md §Statistics): first the events that are in no
// page yet, from the team's ledger, then the counts that were written with the pages. The other
// order would miss an event whose page is written in between. An event that both have, because its
// page was written meanwhile or before a kill, is recognised by its row's number and counts once.
import { shardDatabase } from "../../db/client.ts";
import { shardOn } from "../../db/shards.ts";
import type { Team } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import { DAY_MS, HOUR_MS } from "../../limits.ts";
import { HourCounts } from "./hour-counts.ts";
import { WindowCounts } from "./entries.ts";
import { readCounts } from "./store.ts";
import type { Day } from "../../contracts/shard-types.ts";
import { TAIL_EVENTS } from "../../contracts/tail-contract.ts";
import { dayOf } from "../../db/days.ts";
import type { CountWindow } from "./count-window.ts";
import type { Tail } from "../../contracts/tail-contract.ts";
import { reachLedger } from "../../reach-ledger.ts";

/** The most events that a ledger returns at once. */
const EVENTS_PER_CALL = TAIL_EVENTS;

/** The counts of a row of the log, by the beginning of each hour; all hours are of one day. */
type LogRow = Map<number, HourCounts>;

export async function pullCounts(env: Env, team: Team, window: CountWindow): Promise<WindowCounts> {
  const counts = new WindowCounts(window);
  if (window.start >= window.end) return counts;
  const tail = await readTail(env, team.id, window);
  const shards = Map.groupBy(daysOf(window), (day) => shardOn(team.shards, day));
  const paged = await Promise.all(
    Array.from(shards, ([shard, days]) => readCounts(shardDatabase(env, shard), team, days)),
  );
  for (const { hours } of paged) for (const [at, hour] of hours) counts.add(at, hour);
  const reached = new Map(paged.flatMap((one) => one.reached));
  for (const [seq, row] of tail)
    for (const [at, hour] of row) if (seq > (reached.get(dayOf(at)) ?? 0)) counts.add(at, hour);
  return counts;
}

/** Reads the tail, by the numbers of its rows. */
async function readTail(
  env: Env,
  teamId: string,
  { start, end }: CountWindow,
): Promise<ReadonlyMap<number, LogRow>> {
  const rows = new Map<number, LogRow>();
  let before: { at: number; id: string } | null = { at: end, id: "" };
  while (before) {
    const below: { at: number; id: string } = before;
    const { events, seqs, isMore }: Tail = await reachLedger(env, teamId, (ledger) =>
      ledger.readTail({ start, before: below, filters: {}, limit: EVENTS_PER_CALL }),
    );
    for (const [index, event] of events.entries()) {
      const at = Math.floor(event.occurredAt / HOUR_MS) * HOUR_MS;
      entryOf(
        entryOf(rows, seqs[index] ?? 0, () => new Map<number, HourCounts>()),
        at,
        () => new HourCounts(),
      ).count(event);
    }
    const last = events.at(-1);
    before = isMore && last ? { at: last.occurredAt, id: last.id } : null;
  }
  return rows;
}

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key) ?? make();
  map.set(key, known);
  return known;
}

function daysOf({ start, end }: CountWindow): Day[] {
  const days: Day[] = [];
  for (let at = Math.floor(start / DAY_MS) * DAY_MS; at < end; at += DAY_MS) days.push(dayOf(at));
  return days;
}
