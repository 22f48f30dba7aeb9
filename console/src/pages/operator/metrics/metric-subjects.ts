// Groups the metrics by subject, and formats each value in the unit that the metric's name ends
// with. Pure.
import { formatBytes } from "../../../parts/byte-figures.ts";
import { formatCount, formatDuration } from "../../../parts/figures.ts";
import type { Family } from "./metrics-text.ts";

export interface Subject {
  readonly title: string;
  readonly families: readonly Family[];
}

const SUBJECTS: readonly (readonly [title: string, names: RegExp])[] = [
  ["Mail", /^postern_(?:accepted|delivered|delayed|bounced|suppressed|complained)_total$/],
  ["Pending mail", /^postern_(?:open|oldest_undelivered|stuck|leaving)_/],
  ["Events and storage", /^postern_(?:log_|ledgers_)/],
  ["Queues and dead letters", /^postern_(?:queue_|dead_)/],
  ["Webhooks", /^postern_webhook_/],
  ["Requests", /^postern_http_/],
  ["Data sources", /^postern_source_/],
];
const REST = "Other";

/** Groups the metrics by subject, in a fixed order. Subjects without metrics are left out. */
export function groupBySubject(families: readonly Family[]): Subject[] {
  const titleOf = ({ name }: Family): string =>
    SUBJECTS.find(([, names]) => names.test(name))?.[0] ?? REST;
  return [...SUBJECTS.map(([title]) => title), REST]
    .map((title) => ({ title, families: families.filter((one) => titleOf(one) === title) }))
    .filter((subject) => subject.families.length > 0);
}

/** Writes a value: seconds as a duration, bytes as `3.2 MB`, anything else as a number. */
export function formatValue(name: string, value: number, locale?: string): string {
  if (Number.isNaN(value)) return "not a number";
  if (!Number.isFinite(value)) return value > 0 ? "infinite" : "minus infinite";
  if (/_seconds(?:_sum)?$/.test(name)) return value === 0 ? "0 s" : formatDuration(value * 1_000);
  if (name.endsWith("_bytes")) return formatBytes(value, locale);
  return formatCount(value, locale);
}

/** Writes the labels as in the Prometheus text format, without escapes. */
export function describeLabels(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join(", ");
}
