// One number that an operator watches (docs/operating.md §Alerts), judged, with a sentence and its
// evidence if it needs attention. Pure.
import { formatCount, formatDuration } from "../../../parts/figures.ts";
import type { Tone } from "../../../parts/tone.ts";
import { sumOf } from "../metrics/metric-figures.ts";
import type { Family } from "../metrics/metrics-text.ts";

export type OperatorPlace =
  | "/operator/couriers"
  | "/operator/dead-letters"
  | "/operator/metrics"
  | "/operator/shards"
  | "/operator/teams";

export interface Check {
  readonly id: string;
  readonly name: string;
  /** The number with its unit. */
  readonly value: string;
  /** `mute`: the number is not judged, or unknown. */
  readonly tone: Extract<Tone, "ok" | "wait" | "bad" | "mute">;
  /** Says what the number counts. */
  readonly means: string;
  /** Says why it needs attention; empty: it needs none. */
  readonly says: string;
  /** The value that was read. */
  readonly evidence: string;
  readonly to: OperatorPlace;
  readonly act: string;
}

export const UNKNOWN = "unknown";

/** Returns the checks that need attention, the worst first. */
export function concernsAmong(checks: readonly Check[]): Check[] {
  const needy = checks.filter(({ tone }) => tone === "bad" || tone === "wait");
  return needy.toSorted(
    (left, right) => Number(right.tone === "bad") - Number(left.tone === "bad"),
  );
}

interface Limit {
  readonly id: string;
  readonly name: string;
  readonly metric: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly format?: (value: number) => string;
  /** A value above it needs attention. */
  readonly above: number;
  readonly tone: "wait" | "bad";
  readonly bad: (text: string, value: number) => string;
  readonly good: string;
  readonly to?: OperatorPlace;
  readonly act?: string;
}

/** Judges the sum of a metric by a limit. */
export function checkLimit(families: readonly Family[], limit: Limit): Check {
  const { id, name, metric, labels, format = formatCount, above, tone, bad, good } = limit;
  const value = sumOf(families, metric, labels);
  const braces = Object.entries(labels ?? {}).map(([label, text]) => `${label}="${text}"`);
  const isOver = value !== null && value > above;
  const text = value === null ? UNKNOWN : format(value);
  return {
    id,
    name,
    value: text,
    tone: value === null ? "mute" : isOver ? tone : "ok",
    means: good,
    says: isOver ? bad(text, value) : "",
    evidence: `${metric}${braces.length > 0 ? `{${braces.join(",")}}` : ""} ${value ?? "is missing"}`,
    to: limit.to ?? "/operator/metrics",
    act: limit.act ?? "Metrics",
  };
}

export function plural(count: number, one: string, many: string): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

export function seconds(value: number): string {
  return formatDuration(value * 1_000);
}
