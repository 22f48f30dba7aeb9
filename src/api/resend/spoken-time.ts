// Reads the times of `scheduled_at` that are written in words: "in 1 hour", "tomorrow at 9am",
// "Friday at 3pm" (docs/from-resend.md §Times in words). Times of day are in UTC. Pure.
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../limits.ts";

const WEEK_MS = 7 * DAY_MS;
const UNITS: Readonly<Record<string, number>> = {
  s: SECOND_MS,
  sec: SECOND_MS,
  second: SECOND_MS,
  m: MINUTE_MS,
  min: MINUTE_MS,
  minute: MINUTE_MS,
  h: HOUR_MS,
  hr: HOUR_MS,
  hour: HOUR_MS,
  d: DAY_MS,
  day: DAY_MS,
  w: WEEK_MS,
  week: WEEK_MS,
};
const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const DURATION = /^in (an?|\d{1,6}) ?([a-z]+?)s?$/;
const DAY_AND_TIME =
  /^(?:on |next )?([a-z]+)(?: at (\d{1,2})(?::(\d{2}))? ?(am|pm)?(?: (?:utc|gmt))?)?$/;

/**
 * Returns the time that the words mean at `now`, in Unix milliseconds. Undefined: the words are not
 * understood.
 */
export function spokenTime(text: string, now: number): number | undefined {
  const words = text.trim().toLowerCase().replace(/\s+/g, " ");
  const [, count, unit = ""] = DURATION.exec(words) ?? [];
  const length = UNITS[unit];
  if (count !== undefined)
    return length === undefined ? undefined : now + (/^an?$/.test(count) ? 1 : +count) * length;
  const [matched, day = "", hour, minute = "0", half] = DAY_AND_TIME.exec(words) ?? [];
  if (matched === undefined) return undefined;
  const midnight = midnightOf(day, now);
  const time = hour === undefined ? now % DAY_MS : timeOfDay(Number(hour), Number(minute), half);
  return midnight === undefined || time === undefined ? undefined : midnight + time;
}

/** Returns the start of a day in UTC: today, tomorrow, or the next day of that name. */
function midnightOf(day: string, now: number): number | undefined {
  const today = now - (now % DAY_MS);
  if (day === "today") return today;
  if (day === "tomorrow") return today + DAY_MS;
  const weekday = WEEKDAYS.findIndex((name) => name === day || name.slice(0, 3) === day);
  if (weekday < 0) return undefined;
  return today + (((weekday - new Date(now).getUTCDay() + 6) % 7) + 1) * DAY_MS;
}

function timeOfDay(hour: number, minute: number, half: string | undefined): number | undefined {
  if (minute > 59 || hour > (half === undefined ? 23 : 12) || (half !== undefined && hour === 0))
    return undefined;
  const hours = half === undefined ? hour : (hour % 12) + (half === "pm" ? 12 : 0);
  return hours * HOUR_MS + minute * MINUTE_MS;
}
