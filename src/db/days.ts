// Turns moments into UTC days, and days into moments. Pure.
import type { Day } from "../contracts/shard-types.ts";
import { DAY_MS } from "../limits.ts";

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

/** From `newest` back to `oldest`, both of them among the days. */
export function daysBack(newest: Day, oldest: Day): Day[] {
  const days: Day[] = [];
  for (let at = startOf(newest), last = startOf(oldest); at >= last; at -= DAY_MS)
    days.push(dayOf(at));
  return days;
}
