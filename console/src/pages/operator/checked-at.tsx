// Shows when a self-refreshing page last read its data, and how often it reads.
import { Time } from "../../parts/time/time-ago.tsx";
import { formatOfDay } from "../../parts/time/times.ts";

interface CheckedAtProps {
  /** Unix milliseconds; 0: no check yet. */
  readonly at: number;
  readonly everyMs: number;
}

export function CheckedAt({ at, everyMs }: CheckedAtProps) {
  if (at === 0) return null;
  return (
    <small>
      Checked at <Time at={at} format={(time, { zone }) => formatOfDay(time, zone, "second")} />,
      refreshed every {Math.round(everyMs / 1_000)} s
    </small>
  );
}
