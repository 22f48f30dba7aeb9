// Reads ISO 8601 as callers write it in `start` and `end` (contract.md §Pulled history): a date, or
// a date and time, UTC unless it says otherwise. Pure.
import { HOUR_MS } from "../../limits.ts";

/** A `+` that nobody escaped arrives as a space. */
const MOMENT =
  /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:([Zz])|([+ -])(\d\d):?(\d\d)?)?)?$/;

const MINUTE_MS = HOUR_MS / 60;

/**
 * Unix milliseconds; undefined for what is no date. A fraction finer than a millisecond is rounded
 * up: events happen at whole milliseconds, and with `start` inclusive and `end` exclusive the next
 * one has the same events on either side.
 */
export function parseTime(text: string): number | undefined {
  const parts = MOMENT.exec(text);
  if (!parts) return undefined;
  const [
    ,
    date = "",
    time = "00:00",
    seconds = "00",
    fraction = "",
    ,
    sign,
    offsetHours = "00",
    offsetMinutes = "00",
  ] = parts;
  const local = Date.parse(`${date}T${time}:${seconds}Z`);
  if (Number.isNaN(local) || new Date(local).toISOString().slice(0, 10) !== date) return undefined;
  if (Number(offsetHours) > 23 || Number(offsetMinutes) > 59) return undefined;
  const offset =
    (sign === "-" ? -1 : 1) * (Number(offsetHours) * HOUR_MS + Number(offsetMinutes) * MINUTE_MS);
  return local + Math.ceil(Number(fraction.padEnd(9, "0")) / 1_000_000) - offset;
}
