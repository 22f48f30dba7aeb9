// Stores a team's counts by UTC hour in the day tables of D1 (docs/storage.md §Counts). The batch
// that writes chunks also writes their counts. It does so only if the chunks are new, so that a
// chunk that is written twice counts once. A chunk changes only one row, even if its events are of
// several hours.
import { countsTable, chunksTable } from "../../db/day-tables.ts";
import { type Day, type Reads } from "../../rpc/shard-types.ts";
import { existingDays, forgetDays, isMissingPartition } from "../../db/partitions.ts";
import { startOf } from "../../db/days.ts";
import { HOUR_MS } from "../../limits.ts";
import type { Team } from "../../endpoint.ts";
import { type NewChunk, selectLastChunk } from "../events/store.ts";
import { countedEvents } from "./counted-events.ts";
import { entryOf, HourCounts, type StoredHour } from "./hour-counts.ts";

/**
 * Number of keys per team. A row's key is the team's number times this number, plus the first hour
 * of the chunks that the row counts. So the rows of a team and day have adjacent keys.
 */
const KEYS_PER_TEAM = 32;

interface Row {
  /** JSON that maps each hour to its StoredHour. */
  readonly counts: string;
}

/** The counts of a day, by the hour of that day (0 to 23). */
type Hours = Map<number, HourCounts>;

/**
 * Returns the statements that add the events of chunks to the counts, one for each row that
 * changes. The caller runs them in the batch that writes the chunks, before the statements for the
 * chunks' rows. This function reads the current counts, so a team's batches must be written in
 * sequence. All chunks are of one team and day. `firstKey` is the key of the first chunk's row.
 * `simulated` is the domain of the simulator's addresses.
 */
export async function countStatements(
  db: Reads,
  chunks: readonly [NewChunk, ...NewChunk[]],
  firstKey: number,
  simulated: string,
): Promise<D1PreparedStatement[]> {
  const [{ day, team }] = chunks;
  const hourOf = ({ occurredAt }: { readonly occurredAt: number }) =>
    Math.floor((occurredAt - startOf(day)) / HOUR_MS);
  const byKey = Map.groupBy(
    chunks.map(({ messages }) => messages.flatMap((message) => countedEvents(message, simulated))),
    (events) =>
      team.number * KEYS_PER_TEAM +
      events.reduce((first, event) => Math.min(first, hourOf(event)), KEYS_PER_TEAM - 1),
  );
  const upsert = db.prepare(`INSERT INTO ${countsTable(day)} (key, counts)
    SELECT ?1, ?2 WHERE NOT EXISTS (SELECT 1 FROM ${chunksTable(day)} WHERE key = ?3)
    ON CONFLICT (key) DO UPDATE SET counts = excluded.counts`);
  return Promise.all(
    Array.from(byKey, async ([key, parts]) => {
      const hours = await readRow(db, day, key);
      for (const event of parts.flat()) hourIn(hours, hourOf(event)).count(event);
      return upsert.bind(key, textOf(hours), firstKey);
    }),
  );
}

/** The counts of a team's days on one shard. */
export interface ChunkCounts {
  /** Counts by the hour's beginning, Unix milliseconds. */
  readonly hours: readonly (readonly [at: number, hour: HourCounts])[];
  /**
   * The number of each day's last log row in a chunk. The counts include the day's rows up to this
   * number.
   */
  readonly reached: readonly (readonly [day: Day, lastSeq: number])[];
}

/**
 * Reads the counts of those days that the database has. The counts of each day are consistent.
 * Takes one round trip if this isolate has cached the days.
 */
export async function readCounts(
  db: D1Database,
  team: Pick<Team, "number">,
  days: readonly Day[],
): Promise<ChunkCounts> {
  try {
    return await readDays(db, team, days);
  } catch (error) {
    if (!isMissingPartition(error)) throw error;
    // Retention has dropped a day that this isolate's cache still had.
    forgetDays(db);
    return readDays(db, team, days);
  }
}

async function readDays(
  db: D1Database,
  team: Pick<Team, "number">,
  days: readonly Day[],
): Promise<ChunkCounts> {
  const there = await existingDays(db, days);
  if (there.length === 0) return { hours: [], reached: [] };
  const first = team.number * KEYS_PER_TEAM;
  const results = await db.batch<Row & { last_seq: number }>([
    ...there.map((day) =>
      db
        .prepare(`SELECT counts FROM ${countsTable(day)} WHERE key >= ?1 AND key < ?2`)
        .bind(first, first + KEYS_PER_TEAM),
    ),
    ...there.map((day) => selectLastChunk(db, team, day)),
  ]);
  const rows = (index: number) => results[index]?.results ?? [];
  return {
    hours: there.flatMap((day, index) =>
      Array.from(
        hoursIn(rows(index)),
        ([hour, counts]) => [startOf(day) + hour * HOUR_MS, counts] as const,
      ),
    ),
    reached: there.flatMap((day, index) =>
      rows(there.length + index).map(({ last_seq: lastSeq }) => [day, lastSeq] as const),
    ),
  };
}

/** Reads a row. Returns no counts if the day's tables do not exist yet. */
async function readRow(db: Reads, day: Day, key: number): Promise<Hours> {
  try {
    const { results } = await db
      .prepare(`SELECT counts FROM ${countsTable(day)} WHERE key = ?1`)
      .bind(key)
      .all<Row>();
    return hoursIn(results);
  } catch (error) {
    if (!isMissingPartition(error)) throw error;
    return new Map();
  }
}

function hoursIn(rows: readonly Row[]): Hours {
  const hours: Hours = new Map();
  for (const { counts } of rows)
    for (const [hour, stored] of Object.entries(JSON.parse(counts) as Record<string, StoredHour>))
      hourIn(hours, Number(hour)).add(HourCounts.from(stored));
  return hours;
}

function hourIn(hours: Hours, hour: number): HourCounts {
  return entryOf(hours, hour, () => new HourCounts());
}

function textOf(hours: Hours): string {
  return `{${Array.from(hours, ([hour, counts]) => `"${hour}":${counts.toText()}`).join(",")}}`;
}
