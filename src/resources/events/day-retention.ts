// Does the hourly sweep of a shard: makes tables ahead of their day, and drops whole days
// (docs/storage.md §The day tables). What a team may see of them is clamped when it is read, not
// here.
import { dropPartitionsBefore, makePartitions } from "../../db/partitions.ts";
import type { Day } from "../../contracts/shard-types.ts";
import { dayOf } from "../../db/days.ts";
import { DAY_MS } from "../../limits.ts";

/**
 * A message is tried for 3 days, and its return-path and tracking tokens are taken for 30 after
 * that; the rest is slack.
 */
export const PAGE_DAYS = 35;

/** Makes the tables of today and tomorrow. `now` in Unix milliseconds. */
export async function prepareDays(db: D1Database, now: number): Promise<void> {
  await makePartitions(db, [dayOf(now), dayOf(now + DAY_MS)]);
}

/** Drops the days that ended before anything may still ask for them. Returns which. */
export async function dropExpiredDays(db: D1Database, now: number): Promise<readonly Day[]> {
  return dropPartitionsBefore(db, dayOf(now - PAGE_DAYS * DAY_MS));
}
