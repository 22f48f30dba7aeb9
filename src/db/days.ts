// Converts moments to UTC days, and days to moments. Pure.
import type { Day } from "../rpc/shard-types.ts";
import { DAY_MS } from "../limits.ts";

/** Returns the UTC day of a moment in Unix milliseconds. Throws outside the years 0000 to 9999. */
export function dayOf(ms: number): Day {
  const text = new Date(ms).toISOString();
  if (text.length !== "yyyy-mm-ddThh:mm:ss.sssZ".length)
    throw new RangeError(`${ms} ms is outside the years 0000 to 9999`);
  return text.slice(0, 4) + text.slice(5, 7) + text.slice(8, 10);
}

/** Returns the start of a day, in Unix milliseconds. */
export function startOf(day: Day): number {
  return Date.parse(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}T00:00:00Z`);
}

/** Returns the days from `newest` back to `oldest`, both included. */
export function daysBack(newest: Day, oldest: Day): Day[] {
  const days: Day[] = [];
  for (let at = startOf(newest), last = startOf(oldest); at >= last; at -= DAY_MS)
    days.push(dayOf(at));
  return days;
}
