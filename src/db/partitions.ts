// Finds, makes and drops the day tables of a history database (docs/storage.md §The history's day tables).
import { DAY_MS } from "../limits.ts";
import { createStatements, type Day, dropStatements, SHARD_VERSION, type PartitionKind, upgradeStatements } from "./day-tables.ts";

export interface Partition {
  readonly kind: PartitionKind;
  readonly day: Day;
}

/** What a statement fails with that names a column which a table of an earlier version has not. */
const OLD_PARTITION = /no such column: |(?:events|messages)_\d{8} has no column named /;

/** Event days that this isolate has seen. Only what exists is remembered: an absent day may be made at any moment, by any isolate. */
const seenEventDays = new WeakMap<D1Database, Set<Day>>();

/** The UTC day of a moment in Unix milliseconds. Throws outside the years 0000 to 9999. */
export function dayOf(ms: number): Day {
  const text = new Date(ms).toISOString();
  if (text.length !== "yyyy-mm-ddThh:mm:ss.sssZ".length) throw new RangeError(`no day for ${ms}`);
  return text.slice(0, 4) + text.slice(5, 7) + text.slice(8, 10);
}

/** Unix milliseconds of a day's midnight. */
export function startOf(day: Day): number {
  return Date.parse(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T00:00:00Z`);
}

/** Makes the tables of those partitions that have none; two isolates may do so at once. */
export async function makePartitions(db: D1Database, partitions: readonly Partition[]): Promise<void> {
  const statements = partitions.flatMap(({ kind, day }) => [
    ...createStatements(kind, day).map((sql) => db.prepare(sql)),
    db.prepare("INSERT INTO partitions (kind, day, version) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING").bind(kind, day, SHARD_VERSION),
  ]);
  if (statements.length > 0) await db.batch(statements);
}

/** Brings the partitions that an earlier version of the service made to the current columns, each in a transaction of its own; several may do so at once. */
export async function upgradePartitions(db: D1Database): Promise<void> {
  const { results } = await db
    .prepare("SELECT kind, day, version FROM partitions WHERE version < ?1 ORDER BY day DESC")
    .bind(SHARD_VERSION)
    .all<Partition & { version: number }>();
  for (const { kind, day, version } of results) {
    const statements = upgradeStatements(kind, day, version).map((sql) => db.prepare(sql));
    const note = db.prepare("UPDATE partitions SET version = ?3 WHERE kind = ?1 AND day = ?2").bind(kind, day, SHARD_VERSION);
    try {
      await db.batch([...statements, note]);
    } catch (error) {
      // Somebody else was first: the columns are there already, or the day's time was over.
      if (!/duplicate column name|no such table/.test(String(error))) throw error;
    }
  }
}

/** Runs something again when it met a day of an earlier version: it may not have to wait for the sweep to bring that up. */
export async function upgraded<Result>(db: D1Database, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!OLD_PARTITION.test(String(error))) throw error;
    await upgradePartitions(db);
    return run();
  }
}

/** Drops every partition of that kind before `day`, each in a transaction of its own. Returns their days, oldest first. */
export async function dropPartitionsBefore(db: D1Database, kind: PartitionKind, day: Day): Promise<Day[]> {
  const { results } = await db
    .prepare("SELECT day FROM partitions WHERE kind = ?1 AND day < ?2 ORDER BY day")
    .bind(kind, day)
    .all<{ day: Day }>();
  for (const expired of results) {
    await db.batch([
      ...dropStatements(kind, expired.day).map((sql) => db.prepare(sql)),
      db.prepare("DELETE FROM partitions WHERE kind = ?1 AND day = ?2").bind(kind, expired.day),
    ]);
  }
  forgetEventDays(db);
  return results.map((row) => row.day);
}

/** The days from `newest` back to `oldest` that have events, newest first. Asks the database, through `reads`, only when one of them was never seen. */
export async function eventDays(db: D1Database, newest: Day, oldest: Day, reads: Pick<D1Database, "prepare"> = db): Promise<Day[]> {
  const days = daysBack(newest, oldest);
  const seen = seenEventDays.get(db) ?? new Set();
  if (!days.every((day) => seen.has(day))) {
    const { results } = await reads
      .prepare("SELECT day FROM partitions WHERE kind = 'events' AND day BETWEEN ?1 AND ?2")
      .bind(oldest, newest)
      .all<{ day: Day }>();
    for (const { day } of results) seen.add(day);
    seenEventDays.set(db, seen);
  }
  return days.filter((day) => seen.has(day));
}

/** For a reader that found a day gone: the next look asks the database. */
export function forgetEventDays(db: D1Database): void {
  seenEventDays.delete(db);
}

/** Whether a statement failed because a day's table is not there. */
export function isMissingPartition(error: unknown): boolean {
  return error instanceof Error && /no such table: (?:events|event_index|messages)_\d{8}\b/.test(error.message);
}

/** Whether it is about a day's tables: that they are not there, or are of an earlier version. */
export function isPartitionFault(error: unknown): boolean {
  return isMissingPartition(error) || OLD_PARTITION.test(String(error));
}

function daysBack(newest: Day, oldest: Day): Day[] {
  const days: Day[] = [];
  for (let at = startOf(newest), last = startOf(oldest); at >= last; at -= DAY_MS) days.push(dayOf(at));
  return days;
}
