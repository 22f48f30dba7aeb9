// The judgment of one number that an operator watches (docs/metrics-and-alerts.md §Alerts). If the
// number needs attention, a sentence says why. Pure.
import { formatCount, formatDuration } from "../../../parts/figures.ts";
import type { Tone } from "../../../parts/tone.ts";
import { sumOf } from "../metrics/metric-figures.ts";
import type { Family } from "../metrics/metrics-text.ts";

export type OperatorPath =
  | "/operator/dead-letters"
  | "/operator/delivery"
  | "/operator/metrics"
  | "/operator/shards"
  | "/operator/teams";

export interface Check {
  readonly id: string;
  readonly name: string;
  /** The number with its unit. */
  readonly value: string;
  /** `mute`: the number is unknown or has no limit. */
  readonly tone: Extract<Tone, "ok" | "wait" | "bad" | "mute">;
  /** Explains what the number counts. */
  readonly means: string;
  /** Explains why the number needs attention; empty if it does not. */
  readonly says: string;
  /** The value as read from the metrics. */
  readonly evidence: string;
  readonly to: OperatorPath;
  readonly act: string;
}

export const UNKNOWN = "unknown";
/** The value that a check shows while it waits for the second of two samples to compare. */
export const MEASURING = "…";

const WORDS = { ok: "OK", wait: "Warning", bad: "Critical" } as const;

/** Names the state of a check in a word or two. */
export function statusLabel({ tone, value }: Pick<Check, "tone" | "value">): string {
  if (tone !== "mute") return WORDS[tone];
  return value === MEASURING ? "Measuring" : "No data";
}

/** Returns the checks that need attention, the worst first. */
export function concernsAmong(checks: readonly Check[]): Check[] {
  const needy = checks.filter(({ tone }) => tone === "bad" || tone === "wait");
  return needy.toSorted(
    (left, right) => Number(right.tone === "bad") - Number(left.tone === "bad"),
  );
}

export interface Limit {
  readonly id: string;
  readonly name: string;
  readonly metric: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly format?: (value: number) => string;
  /** A value above this limit needs attention. */
  readonly above: number;
  readonly tone: "wait" | "bad";
  readonly bad: (text: string, value: number) => string;
  readonly good: string;
  readonly to?: OperatorPath;
  readonly act?: string;
}

/** Compares the sum of a metric with a limit. */
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

/**
 * Writes the age of the oldest item, given in seconds. An age of 0 means that there are no items.
 */
export function age(value: number): string {
  return value === 0 ? "none" : formatDuration(value * 1_000);
}
