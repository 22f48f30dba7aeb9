// Shows a time in the displayed zone. Its tooltip has the exact time in UTC.
import { useEffect, useReducer } from "react";
import { type Clock, formatExact, formatTime, formatTitle } from "./times.ts";
import { useZone } from "./time-zone.ts";

const REFRESH_MS = 15_000;

interface TimeProps {
  /** ISO 8601, or Unix milliseconds. */
  readonly at: string | number;
}

/** Shows a relative time: `3 min ago`. */
export function TimeAgo({ at }: TimeProps) {
  return <Time at={at} format={formatTime} />;
}

/** Shows an absolute time with its date and zone. */
export function ExactTime({ at }: TimeProps) {
  return <Time at={at} format={formatExact} />;
}

interface FormattedTimeProps extends TimeProps {
  readonly format: (at: number, clock: Clock) => string;
}

export function Time({ at, format }: FormattedTimeProps) {
  const clock = useClock();
  const time = new Date(at);
  return (
    <time dateTime={time.toISOString()} title={formatTitle(time.getTime(), clock)}>
      {format(time.getTime(), clock)}
    </time>
  );
}

/** Returns the current time, and the displayed time zone. */
export function useClock(): Clock {
  return { now: useNow(), zone: useZone() };
}

/**
 * Returns the current time in Unix milliseconds, and updates it in intervals. Each rendering reads
 * the clock, so that no new answer seems to come from the future.
 */
export function useNow(everyMs = REFRESH_MS): number {
  const [, refresh] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const timer = setInterval(refresh, everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return Date.now();
}
