// Maintains a shard's day tables in the hourly sweep: creates tables before their day begins, and
// drops whole days (docs/storage.md §The day tables). A team's own retention applies when events
// are read, not in this sweep.
import { dropPartitionsBefore, makePartitions } from "../../db/partitions.ts";
import type { Day } from "../../rpc/shard-types.ts";
import { dayOf } from "../../db/days.ts";
import { DAY_MS } from "../../limits.ts";

/**
 * Number of days for which chunks are kept. A message is tried for up to 3 days, and its
 * return-paths are accepted for 30 days after its release. Two days are a reserve.
 */
export const CHUNK_DAYS = 35;

/** Creates the tables of today and tomorrow. `now` is in Unix milliseconds. */
export async function prepareDays(db: D1Database, now: number): Promise<void> {
  await makePartitions(db, [dayOf(now), dayOf(now + DAY_MS)]);
}

/** Drops the days that requests can no longer read. Returns the dropped days. */
export async function dropExpiredDays(db: D1Database, now: number): Promise<readonly Day[]> {
  return dropPartitionsBefore(db, dayOf(now - CHUNK_DAYS * DAY_MS));
}
