// Does the hourly sweep of a history database: makes tables ahead of their day, and drops whole days (docs/storage.md §The history's day tables). A
// plan shorter than the longest is clamped when read, not here.
import { type Day } from "../../db/day-tables.ts";
import { dayOf, dropPartitionsBefore, makePartitions, upgradePartitions } from "../../db/partitions.ts";
import { DAY_MS, LONGEST_RETENTION_DAYS } from "../../limits.ts";

/** A page that was begun at the edge of the window may be read to its end. */
const EVENT_SLACK_DAYS = 1;

/** A message is tried for 3 days, and its return-path and tracking tokens are taken for 30 after that; the rest is slack. */
const MESSAGE_DAYS = 35;

/** Makes the tables of today and tomorrow, and brings those of days before to the current columns. `now` in Unix milliseconds. */
export async function prepareDays(db: D1Database, now: number): Promise<void> {
  await upgradePartitions(db);
  const days = [dayOf(now), dayOf(now + DAY_MS)];
  await makePartitions(
    db,
    days.flatMap((day) => [
      { kind: "events", day },
      { kind: "messages", day },
    ]),
  );
}

/** Drops the days that ended before anything may still ask for them. Returns which. */
export async function dropExpiredDays(
  db: D1Database,
  now: number,
): Promise<{ readonly events: readonly Day[]; readonly messages: readonly Day[] }> {
  const keptFrom = (days: number) => dayOf(now - days * DAY_MS);
  return {
    events: await dropPartitionsBefore(db, "events", keptFrom(LONGEST_RETENTION_DAYS + EVENT_SLACK_DAYS)),
    messages: await dropPartitionsBefore(db, "messages", keptFrom(MESSAGE_DAYS)),
  };
}
