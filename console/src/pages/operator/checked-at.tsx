// Shows when a page with automatic refresh last read its data, and how often it reads the data.
import { Time } from "../../parts/time/time-ago.tsx";
import { formatOfDay } from "../../parts/time/times.ts";

interface CheckedAtProps {
  /** The time of the last check in Unix milliseconds. 0 means that no check has happened yet. */
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
