// Formats and parses times in a time zone: the reader's, or UTC (time-zone.ts). Times are Unix
// milliseconds, and a zone has its IANA name, such as `Europe/Berlin`. Pure.
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "./time-units.ts";

/** The current time, and the displayed time zone. */
export interface Clock {
  readonly now: number;
  readonly zone: string;
}

/**
 * Writes a time within a day as `3 min ago` or `in 3 min`. Writes any other time as its date and
 * time.
 */
export function formatTime(at: number, clock: Clock): string {
  const age = clock.now - at;
  if (Math.abs(age) < 5 * SECOND_MS) return "just now";
  if (age >= 0 && age < DAY_MS) return `${oneUnit(age)} ago`;
  if (age < 0 && age > -DAY_MS) return `in ${oneUnit(-age)}`;
  return formatExact(at, clock);
}

/** Writes a time as `24 Nov, 14:03 CET`, and as `24 Nov 2025, 14:03 CET` in another year. */
export function formatExact(at: number, { now, zone }: Clock): string {
  const wall = wallClock(at, zone);
  const year = wall.slice(0, 4);
  const day = `${formatDay(at, zone)}${year === yearOf(now, zone) ? "" : ` ${year}`}`;
  return `${day}, ${wall.slice(11, 16)} ${zoneAt(at, zone)}`;
}

/** Writes a time for a tooltip: in the zone, and exactly in UTC. */
export function formatTitle(at: number, clock: Clock): string {
  return `${formatExact(at, clock)} (${new Date(at).toISOString()})`;
}

/** Writes the time of day as `14:03 CET`, or with seconds as `14:03:22 CET`. */
export function formatOfDay(
  at: number,
  zone: string,
  exactTo: "minute" | "second" | "millisecond" = "minute",
): string {
  const digits = { minute: 5, second: 8, millisecond: 12 }[exactTo];
  return `${wallClock(at, zone).slice(11, 11 + digits)} ${zoneAt(at, zone)}`;
}

/** Writes the time of day as `14:03`, for an axis with the time zone in its label. */
export function formatHour(at: number, zone: string): string {
  return wallClock(at, zone).slice(11, 16);
}

/** Writes a day as `24 Nov`. */
export function formatDay(at: number, zone: string): string {
  return formatOf("en-GB", zone, { day: "numeric", month: "short" }).format(at);
}

/** Writes a time for files and copied texts: `2026-11-24T14:03:22.481+01:00`, with `Z` in UTC. */
export function formatStamp(at: number, zone: string): string {
  if (zone === "UTC") return new Date(at).toISOString();
  const offset = offsetAt(at, zone);
  const size = new Date(Math.abs(offset)).toISOString().slice(11, 16);
  return `${wallClock(at, zone)}${offset < 0 ? "-" : "+"}${size}`;
}

/**
 * Converts the times in a sentence of the service, such as `14:03 UTC on 22 November 2026`, into
 * the zone.
 */
export function formatWithin(text: string, zone: string): string {
  return text.replaceAll(/(\d\d:\d\d) UTC on (\d+ [A-Z][a-z]+ \d{4})/g, (_, time, day) => {
    const at = Date.parse(`${day} ${time} UTC`);
    const format = { day: "numeric", month: "long", year: "numeric" } as const;
    return `${formatOfDay(at, zone)} on ${formatOf("en-GB", zone, format).format(at)}`;
  });
}

/** Returns the zone's abbreviation at a time, `CET` or `CEST`, or else its offset, `GMT+5:30`. */
function zoneAt(at: number, zone: string): string {
  let distance: string | undefined;
  // Each regional English locale knows only the abbreviations of its own zones.
  for (const locale of ["en-GB", "en-US", "en-AU"]) {
    const parts = formatOf(locale, zone, { timeZoneName: "short" }).formatToParts(at);
    const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? zone;
    if (!/^GMT[+-]/.test(name)) return name;
    distance ??= name;
  }
  return distance ?? zone;
}

function yearOf(at: number, zone: string): string {
  return formatOf("en-GB", zone, { year: "numeric" }).format(at).padStart(4, "0");
}

/** Writes a time as the value of a `datetime-local` field. */
export function fieldOf(at: number, zone: string): string {
  return wallClock(at, zone).slice(0, 16);
}

/**
 * Returns the times that match the field's value. There are two when the clocks go back, and none
 * when the clocks skip the value or the field is empty.
 */
export function timesOf(field: string, zone: string): readonly number[] {
  const wall = Date.parse(`${field}Z`);
  return around(wall, zone).filter((at) => at + offsetAt(at, zone) === wall);
}

/**
 * Returns the field's time as the API takes it. Undefined: the field is empty. If two times match,
 * returns the earlier one. Converts a skipped time with the offset before the change of the clocks.
 */
export function utcOf(field: string, zone: string): string | undefined {
  const wall = Date.parse(`${field}Z`);
  if (Number.isNaN(wall)) return undefined;
  const at = timesOf(field, zone)[0] ?? Math.max(...around(wall, zone));
  return new Date(at).toISOString();
}

/**
 * Converts a local time into UTC twice: with the zone's offset a day earlier, and with the offset a
 * day later. If both results are equal, returns one time.
 */
function around(wall: number, zone: string): number[] {
  if (Number.isNaN(wall)) return [];
  const times = [wall - DAY_MS, wall + DAY_MS].map((near) => wall - offsetAt(near, zone));
  return [...new Set(times)].toSorted((one, other) => one - other);
}

function offsetAt(at: number, zone: string): number {
  return Date.parse(`${wallClock(at, zone)}Z`) - at;
}

/** Writes the local time in the zone, as `2026-11-24T14:03:22.481`. */
function wallClock(at: number, zone: string): string {
  const parts = formatOf("en-GB", zone, {
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    fractionalSecondDigits: 3,
    hourCycle: "h23",
  }).formatToParts(at);
  const text = (type: string): string => parts.find((part) => part.type === type)?.value ?? "";
  const day = `${text("year").padStart(4, "0")}-${text("month")}-${text("day")}`;
  return `${day}T${text("hour")}:${text("minute")}:${text("second")}.${text("fractionalSecond")}`;
}

/** Creating a formatter costs more than formatting a time, so formatters are cached. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(
  locale: string,
  timeZone: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const key = [locale, timeZone, ...Object.entries(options)].join(" ");
  const format = formats.get(key) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone });
  formats.set(key, format);
  return format;
}

function oneUnit(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.max(1, Math.round(ms / SECOND_MS))} s`;
  if (ms < HOUR_MS) return `${Math.round(ms / MINUTE_MS)} min`;
  return `${Math.round(ms / HOUR_MS)} h`;
}
