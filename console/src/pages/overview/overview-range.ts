// Decides which time ranges the overview offers, and which period of GET /v1/stats each one needs.
// Times are Unix milliseconds, and days are in UTC. Pure.
import { DAY_MS, HOUR_MS } from "../../parts/time/time-units.ts";
import { type Clock, formatDay, formatHour, formatOfDay } from "../../parts/time/times.ts";

/** The longest retention of a team, in days. */
export const LONGEST_DAYS = 30;
const DEFAULT_DAYS = 14;
const OFFERED_DAYS = [DEFAULT_DAYS, LONGEST_DAYS] as const;

export interface OverviewSearch {
  /** The number of days to show. 1 means the last 24 hours, by hour. */
  readonly days?: number;
  /** `include`: the figures count mail to the simulator too. */
  readonly simulator?: "include";
}

/** Tells whether the figures count mail to the simulator's addresses. */
export type SimulatorMail = "include" | "exclude";

/** `start` is inclusive, `end` exclusive. */
export interface StatsWindow {
  readonly interval: "hour" | "day";
  readonly start: number;
  readonly end: number;
}

/** Reads the range from the URL. Unknown values are left out. */
export function readOverviewSearch(search: Record<string, unknown>): OverviewSearch {
  const days = Number(search["days"]);
  return {
    ...(Number.isInteger(days) && days >= 1 && days <= LONGEST_DAYS && { days }),
    ...(search["simulator"] === "include" && { simulator: "include" as const }),
  };
}

/**
 * Returns the ranges in days that a team's statistics cover. `coveredDays` is the number of days in
 * the answer for the longest range.
 */
export function allowedRanges(coveredDays: number): readonly number[] {
  const covered = OFFERED_DAYS.filter((days) => days <= coveredDays);
  // The statistics may cover fewer days than the shortest offered range. Then the range leaves out
  // their oldest day, because that day is incomplete.
  const shorter = Math.max(1, coveredDays - 1);
  return [1, ...(covered.length > 0 ? covered : shorter > 1 ? [shorter] : [])];
}

/** Returns the wanted range, or else the longest available range of at most 14 days. */
export function chosenRange(wanted: number | undefined, offered: readonly number[]): number {
  if (wanted !== undefined && offered.includes(wanted)) return wanted;
  return Math.max(...offered.filter((days) => days <= DEFAULT_DAYS));
}

/** Returns the period of a range. The period starts with a whole hour or day and ends now. */
export function windowOfRange(days: number, now: number): StatsWindow {
  const [interval, length, count] =
    days === 1 ? (["hour", HOUR_MS, 24] as const) : (["day", DAY_MS, days] as const);
  const last = Math.floor(now / length) * length;
  return { interval, start: last - (count - 1) * length, end: now };
}

/**
 * Returns the previous period of equal length. Its intervals are hours. So an incomplete day can be
 * compared with the same part of an earlier day.
 */
export function windowBefore({ start, end }: StatsWindow): StatsWindow {
  const hours = Math.ceil((end - start) / HOUR_MS);
  return { interval: "hour", start: start - hours * HOUR_MS, end: start };
}

/** Returns the API request for a period, such as `/v1/stats?interval=day&start=…`. */
export function statsPath({ interval, start }: StatsWindow, simulator: SimulatorMail): string {
  return `/v1/stats?interval=${interval}&start=${new Date(start).toISOString()}&simulator=${simulator}`;
}

/** Writes the length of a range: `24 h`, `14 days`. */
export function rangeName(days: number): string {
  return days === 1 ? "24 h" : `${days} days`;
}

/**
 * Names an interval: `9 Nov` for a day in UTC, or `14:00` for an hour in the displayed time zone.
 */
export function intervalName(start: string, interval: "hour" | "day", zone: string): string {
  const at = Date.parse(start);
  return interval === "hour" ? formatHour(at, zone) : formatDay(at, "UTC");
}

/** The length of a chart's intervals, and the current time and time zone. */
export interface SpanClock extends Clock {
  readonly interval: "hour" | "day";
}

/** Names the time zone in which the hours or days begin. */
export function spansName({ interval, zone }: SpanClock): string {
  return interval === "hour" ? `Hours in ${zone}` : "Days in UTC";
}

/**
 * Names an interval with its time zone: `9 Nov (UTC)` or `14:00 CET`. An incomplete interval is
 * named `9 Nov (UTC) so far`.
 */
export function spanName(start: string, spans: SpanClock): string {
  const at = Date.parse(start);
  const name =
    spans.interval === "hour" ? formatOfDay(at, spans.zone) : `${formatDay(at, "UTC")} (UTC)`;
  return isSoFar(start, spans) ? `${name} so far` : name;
}

export function spanEnd(start: string, { interval }: Pick<SpanClock, "interval">): string {
  const length = interval === "hour" ? HOUR_MS : DAY_MS;
  return new Date(Date.parse(start) + length).toISOString();
}

/** Tells whether the interval is incomplete, so that its counts still grow. */
export function isSoFar(start: string, spans: SpanClock): boolean {
  return Date.parse(spanEnd(start, spans)) > spans.now;
}
