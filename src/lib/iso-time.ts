// Reads every ISO 8601 time that a caller writes (contract.md §Identifiers and times): a date, or a
// date and time. A time without an offset is in UTC. Pure.

/** The sign of an offset may be a space, because an unescaped `+` in a query arrives as a space. */
const MOMENT =
  /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:([Zz])|([+ -])(\d\d):?(\d\d)?)?)?$/;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Parses a time like parseTime(), but also returns undefined for a time without an offset. */
export function parseTimeWithOffset(text: string): number | undefined {
  const [, , , , , zulu, sign] = MOMENT.exec(text) ?? [];
  return (zulu ?? sign) === undefined ? undefined : parseTime(text);
}

/**
 * Returns Unix milliseconds. Undefined: the text is not a date. A fraction finer than a millisecond
 * is rounded up. Events happen at whole milliseconds, so an inclusive `start` or an exclusive `end`
 * selects the same events after rounding.
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
