// Names downloaded files by the days of their data, and describes the progress of a download. Pure.
import { formatCount } from "../figures.ts";

/**
 * Returns a name such as `postern-suppressions-2026-11-23.csv`, or a name with the first and last
 * day of a period. Times are in Unix milliseconds, days in UTC.
 */
export function csvName(what: string, end: number, start = end): string {
  const [first, last] = [dayOf(start), dayOf(end)];
  return `postern-${what}-${first === last ? last : `${first}-to-${last}`}.csv`;
}

export function exportTexts(
  isDone: boolean,
  name: string,
  rows: number,
  total: number | null,
): string {
  const count = `${formatCount(rows)} ${rows === 1 ? "row" : "rows"}`;
  if (isDone) return `${name} downloaded: ${count}.`;
  return total === null || total < rows
    ? `Preparing ${name}: ${count}`
    : `Preparing ${name}: ${formatCount(rows)} of ${formatCount(total)} rows`;
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
