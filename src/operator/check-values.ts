// Writes the values and the series of checks, in the same form for the worker, the alerts and the
// documentation. Pure.
import type { CheckEntry, Series } from "./check-entry.ts";

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/** Writes a value with its unit, such as `5 min`. */
export function formatValue(value: number, unit: CheckEntry["unit"]): string {
  if (unit === "count") return String(Number(value.toPrecision(6)));
  if (unit === "share") return `${Number((value * 100).toPrecision(2))}%`;
  if (value < MINUTE_SECONDS) return `${Math.floor(value)} s`;
  if (value < HOUR_SECONDS) return `${Math.floor(value / MINUTE_SECONDS)} min`;
  if (value < 2 * DAY_SECONDS) return `${Math.floor(value / HOUR_SECONDS)} h`;
  return `${Math.floor(value / DAY_SECONDS)} days`;
}

/** Writes a text of the tables, with the subject and the value filled in. */
export function fill(text: string, subject: string | null, value: string): string {
  return text
    .replaceAll("{subject}", () => subject ?? "")
    .replaceAll("{value}", () => value)
    .trim();
}

/** Writes a series as PromQL. */
export function selector({ metric, labels = {} }: Series): string {
  const pairs = Object.entries(labels).map(([label, values]) =>
    values.length === 1 ? `${label}="${values[0]}"` : `${label}=~"${values.join("|")}"`,
  );
  return pairs.length === 0 ? metric : `${metric}{${pairs.join(",")}}`;
}
