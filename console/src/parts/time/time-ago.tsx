// Shows a time in the reader's zone, with the exact one in UTC in its title.
import { useEffect, useReducer } from "react";
import { type Clock, formatExact, formatTime, formatTitle } from "./times.ts";
import { useZone } from "./time-zone.ts";

const REFRESH_MS = 15_000;

interface TimeProps {
  /** ISO 8601, or Unix milliseconds. */
  readonly at: string | number;
}

/** Shows a time as people say it: `3 min ago`. */
export function TimeAgo({ at }: TimeProps) {
  return <Time at={at} format={formatTime} />;
}

/** Shows a time with its date and zone, however near it is. */
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

/** Returns the present, and the zone that times are shown in. */
export function useClock(): Clock {
  return { now: useNow(), zone: useZone() };
}

/**
 * Returns the present, Unix milliseconds, and refreshes it every few seconds. Each rendering has
 * its own, so that an answer that has just come is never in the future.
 */
export function useNow(): number {
  const [, refresh] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const timer = setInterval(refresh, REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  return Date.now();
}
