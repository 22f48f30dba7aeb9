// Finds, creates and drops the day tables of a shard (docs/storage.md §The day tables).
import { createStatements, dropStatements } from "./day-tables.ts";
import type { Day, Reads } from "../rpc/shard-types.ts";

/**
 * Days whose tables exist, as far as this isolate has read. Days without tables are not cached,
 * because any isolate may create their tables at any moment.
 */
const seenDays = new WeakMap<D1Database, Set<Day>>();

/** Creates the missing tables of these days. Two isolates may do this at the same time. */
export async function makePartitions(db: Reads, days: readonly Day[]): Promise<void> {
  const statements = days.flatMap((day) => [
    ...createStatements(day).map((sql) => db.prepare(sql)),
    db.prepare("INSERT INTO partitions (day) VALUES (?1) ON CONFLICT DO NOTHING").bind(day),
  ]);
  if (statements.length > 0) await db.batch(statements);
}

/** Drops all days before `day`, each in its own transaction. Returns them, oldest first. */
export async function dropPartitionsBefore(db: D1Database, day: Day): Promise<Day[]> {
  const { results } = await db
    .prepare("SELECT day FROM partitions WHERE day < ?1 ORDER BY day")
    .bind(day)
    .all<{ day: Day }>();
  for (const expired of results) {
    await db.batch([
      ...dropStatements(expired.day).map((sql) => db.prepare(sql)),
      db.prepare("DELETE FROM partitions WHERE day = ?1").bind(expired.day),
    ]);
  }
  forgetDays(db);
  return results.map((row) => row.day);
}

/**
 * Returns the days in `days` that have tables, in the same order. Queries the database through
 * `reads` if the isolate's cache lacks one of the days.
 */
export async function existingDays(
  db: D1Database,
  days: readonly Day[],
  reads: Pick<Reads, "prepare"> = db,
): Promise<Day[]> {
  const seen = seenDays.get(db) ?? new Set();
  if (!days.every((day) => seen.has(day))) {
    const { results } = await reads
      .prepare("SELECT day FROM partitions WHERE day IN (SELECT value FROM json_each(?1))")
      .bind(JSON.stringify(days))
      .all<{ day: Day }>();
    for (const { day } of results) seen.add(day);
    seenDays.set(db, seen);
  }
  return days.filter((day) => seen.has(day));
}

/**
 * Empties the isolate's cache of days. A reader calls it when a cached day's tables no longer
 * exist.
 */
export function forgetDays(db: D1Database): void {
  seenDays.delete(db);
}

/** Returns whether a statement failed because a day's table does not exist. */
export function isMissingPartition(error: unknown): boolean {
  return error instanceof Error && /no such table: [a-z_]+_\d{8}\b/.test(error.message);
}
