// Decides which time ranges the overview offers and which windows it asks for. Times are Unix
// milliseconds, and days are UTC's, as in GET /v1/stats. Pure.
import { type Clock, formatDay, formatHour, formatOfDay } from "../../parts/time/times.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The longest retention that a team has. */
export const LONGEST_DAYS = 30;
const DEFAULT_DAYS = 14;
const OFFERED_DAYS = [DEFAULT_DAYS, LONGEST_DAYS] as const;

export interface OverviewSearch {
  /** Days to show; 1 is the last 24 hours, by the hour. */
  readonly days?: number;
}

/** `start` is inclusive, `end` exclusive. */
export interface StatsWindow {
  readonly interval: "hour" | "day";
  readonly start: number;
  readonly end: number;
}

/** Reads the range of the address. What it does not know is left out. */
export function readOverviewSearch({ days }: Record<string, unknown>): OverviewSearch {
  const number = Number(days);
  return Number.isInteger(number) && number >= 1 && number <= LONGEST_DAYS ? { days: number } : {};
}

/**
 * Returns the ranges in days that a team's statistics cover. `coveredDays` is the number of days
 * that the service answered when it was asked for the longest range.
 */
export function allowedRanges(coveredDays: number): readonly number[] {
  const covered = OFFERED_DAYS.filter((days) => days <= coveredDays);
  // The first day of a shorter retention has only the hours that are kept.
  const shorter = Math.max(1, coveredDays - 1);
  return [1, ...(covered.length > 0 ? covered : shorter > 1 ? [shorter] : [])];
}

/** Returns the wanted range, or the longest one up to a fortnight. */
export function chosenRange(wanted: number | undefined, offered: readonly number[]): number {
  if (wanted !== undefined && offered.includes(wanted)) return wanted;
  return Math.max(...offered.filter((days) => days <= DEFAULT_DAYS));
}

/** Returns the window of whole intervals that ends with the present one. */
export function windowOfRange(days: number, now: number): StatsWindow {
  const [interval, length, count] =
    days === 1 ? (["hour", HOUR_MS, 24] as const) : (["day", DAY_MS, days] as const);
  const last = Math.floor(now / length) * length;
  return { interval, start: last - (count - 1) * length, end: now };
}

/**
 * Returns the equally long window before. Its intervals are hours, so that a day that has only
 * begun is compared with as much of another.
 */
export function windowBefore({ start, end }: StatsWindow): StatsWindow {
  const hours = Math.ceil((end - start) / HOUR_MS);
  return { interval: "hour", start: start - hours * HOUR_MS, end: start };
}

/** Returns the request that answers a window, such as `/v1/stats?interval=day&start=…`. */
export function statsPath({ interval, start }: StatsWindow, groupBy?: string): string {
  const group = groupBy === undefined ? "" : `&group_by=${groupBy}`;
  return `/v1/stats?interval=${interval}&start=${new Date(start).toISOString()}${group}`;
}

/** Says how long a range is: `24 h`, `14 days`. */
export function rangeName(days: number): string {
  return days === 1 ? "24 h" : `${days} days`;
}

/** Names an interval: `9 Nov` of UTC, or `14:00` of an hour, which the zone's clocks show. */
export function intervalName(start: string, interval: "hour" | "day", zone: string): string {
  const at = Date.parse(start);
  return interval === "hour" ? formatHour(at, zone) : formatDay(at, "UTC");
}

/** The intervals of a chart, with the time up to which they are counted. */
export interface SpanClock extends Clock {
  readonly interval: "hour" | "day";
}

/** Says whose hours or days the intervals are. */
export function spansName({ interval, zone }: SpanClock): string {
  return interval === "hour" ? `Hours in ${zone}` : "Days in UTC";
}

/** Names an interval with its zone: `9 Nov (UTC)` or `14:00 CET`, and says that it is not over. */
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

/** True: the interval is not over, so that its counts still grow. */
export function isSoFar(start: string, spans: SpanClock): boolean {
  return Date.parse(spanEnd(start, spans)) > spans.now;
}
