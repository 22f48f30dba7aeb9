// Decides which hours or days a response covers (contract.md §Statistics): the part of the
// request's window within the team's retention and before now, extended to whole intervals. Pure.
import { DAY_MS, HOUR_MS, STATS_DEFAULT_WINDOW_MS, STATS_HOURLY_WINDOW_MS } from "../../limits.ts";
import { refuseMember } from "../../refusal.ts";
import type { Interval, StatsQuery } from "./wire.ts";

export const INTERVAL_MS: Readonly<Record<Interval, number>> = { hour: HOUR_MS, day: DAY_MS };

/**
 * A time range in whole intervals, Unix milliseconds. `start` is inclusive, `end` exclusive. Both
 * are equal if the range is outside the retention or in the future.
 */
export interface CountWindow {
  readonly interval: Interval;
  readonly start: number;
  readonly end: number;
}

/**
 * Computes the window. Refuses (422) a window whose start is not before its end. For counts by
 * recipient domain or provider, also refuses a window of too many hours.
 */
export function windowOf(query: StatsQuery, retentionDays: number, now: number): CountWindow {
  const end = query.end ?? now;
  const start = query.start ?? end - STATS_DEFAULT_WINDOW_MS;
  if (start >= end)
    throw refuseMember("start", `must be before ${query.end === undefined ? "now" : "end"}`);
  const clamp = (ms: number) => Math.min(Math.max(ms, now - retentionDays * DAY_MS), now);
  const [from, to] = [clamp(start), clamp(end)];
  const isLong = to - from > STATS_HOURLY_WINDOW_MS;
  const interval = intervalOf(query, isLong);
  const [length, first] = [INTERVAL_MS[interval], Math.floor(from / INTERVAL_MS[interval])];
  return {
    interval,
    start: first * length,
    end: (from < to ? Math.ceil(to / length) : first) * length,
  };
}

function intervalOf(query: StatsQuery, isLong: boolean): Interval {
  const interval = query.interval ?? (isLong ? "day" : "hour");
  const { group_by: group = "none" } = query;
  const isNamed = group !== "none" && group !== "type";
  if (group === "sending_domain" && query.simulator === "exclude")
    throw refuseMember(
      "simulator",
      "must be include by sending_domain, whose counts have all mail",
    );
  if (isLong && interval === "hour" && isNamed)
    throw refuseMember("interval", `must be day for a window of more than 7 days by ${group}`);
  return interval;
}
