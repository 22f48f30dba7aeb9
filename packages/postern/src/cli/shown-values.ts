// Formats figures and times for lines and tables.

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Writes `1234567` as `1,234,567`, in every locale. */
export function figure(count: number): string {
  return count.toLocaleString("en-US");
}

/** Writes the date and time of the API's ISO time, in UTC. */
export function moment(time: string): string {
  return time.slice(0, 19).replace("T", " ");
}

export function day(time: string | null, otherwise: string): string {
  return time?.slice(0, 10) ?? otherwise;
}

/** Writes a wait in its two largest units, such as `in 1 day 2 hours`. */
function waitWords(ms: number): string {
  if (ms <= 0) return "now";
  const rounded = ms < MINUTE_MS ? MINUTE_MS : Math.round(ms / MINUTE_MS) * MINUTE_MS;
  const parts = [
    [Math.floor(rounded / DAY_MS), "day"],
    [Math.floor((rounded % DAY_MS) / HOUR_MS), "hour"],
    [Math.floor((rounded % HOUR_MS) / MINUTE_MS), "minute"],
  ] as const;
  const words = parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}${count === 1 ? "" : "s"}`);
  return `in ${words.slice(0, 2).join(" ")}`;
}

/** Writes the time in UTC, and its distance from now. */
export function readableTime(time: string): string {
  const at = new Date(time);
  return `at ${moment(at.toISOString())} UTC (${waitWords(at.getTime() - Date.now())})`;
}
