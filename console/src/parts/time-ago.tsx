// Shows a time as people say it, with the exact one in its title.
import { useEffect, useReducer } from "react";
import { formatExact, formatTime } from "./figures.ts";

const REFRESH_MS = 15_000;

export function TimeAgo({ at }: { readonly at: string }) {
  const now = useNow();
  const ms = Date.parse(at);
  return (
    <time dateTime={at} title={`${formatExact(ms)} (${at})`}>
      {formatTime(ms, now)}
    </time>
  );
}

/**
 * Returns the present, Unix milliseconds, and refreshes it every few seconds. Each rendering has its
 * own, so that an answer that has just come is never in the future.
 */
export function useNow(): number {
  const [, refresh] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const timer = setInterval(refresh, REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  return Date.now();
}
