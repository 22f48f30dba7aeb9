// Computes figures from parsed metrics: values and sums by labels, quantiles of histograms, and
// increases of counters between two samples. Pure.
import type { Family, MetricSample } from "./metrics-text.ts";

type Labels = Readonly<Record<string, string>>;

/** One series of a histogram: all its buckets with the same labels. */
export interface Distribution {
  readonly labels: Labels;
  /**
   * Pairs of an upper bound and its cumulative count, in ascending order. The last bound is
   * infinite.
   */
  readonly buckets: readonly { readonly bound: number; readonly count: number }[];
  readonly sum: number;
  readonly count: number;
}

/**
 * Returns the samples of a family. The list is empty if the family's data source did not answer.
 */
export function samplesOf(families: readonly Family[], name: string): readonly MetricSample[] {
  return families.find((family) => family.name === name)?.samples ?? [];
}

/** Returns the sum of the samples with these labels; null: no sample has these labels. */
export function sumOf(families: readonly Family[], name: string, labels: Labels = {}) {
  const found = samplesOf(families, name).filter((sample) => hasLabels(sample.labels, labels));
  return found.length === 0 ? null : found.reduce((sum, { value }) => sum + value, 0);
}

function hasLabels(labels: Labels, wanted: Labels): boolean {
  return Object.entries(wanted).every(([name, value]) => labels[name] === value);
}

export function distributionsOf(family: Family): Distribution[] {
  const groups = Map.groupBy(family.samples, ({ labels }) =>
    JSON.stringify(Object.entries(labels).filter(([name]) => name !== "le")),
  );
  return [...groups].map(([key, samples]) => {
    const part = (suffix: string) => samples.filter(({ name }) => name === family.name + suffix);
    const buckets = part("_bucket")
      .map(({ labels, value }) => ({ bound: boundOf(labels["le"] ?? ""), count: value }))
      .toSorted((left, right) => left.bound - right.bound);
    return {
      labels: Object.fromEntries(JSON.parse(key) as [string, string][]),
      buckets,
      sum: part("_sum")[0]?.value ?? 0,
      count: part("_count")[0]?.value ?? buckets.at(-1)?.count ?? 0,
    };
  });
}

function boundOf(text: string): number {
  return text === "+Inf" ? Infinity : Number(text);
}

/**
 * Returns a quantile, estimated as in Prometheus: linearly within a bucket, and at most the highest
 * finite bound. Null without observations.
 */
export function quantileOf({ buckets }: Pick<Distribution, "buckets">, share: number) {
  const total = buckets.at(-1)?.count ?? 0;
  if (total === 0) return null;
  const rank = share * total;
  const at = buckets.findIndex(({ count }) => count >= rank);
  const bucket = buckets[at];
  const before = buckets[at - 1] ?? { bound: 0, count: 0 };
  if (!bucket || bucket.bound === Infinity) return before.bound;
  const inside = bucket.count - before.count;
  if (inside === 0) return before.bound;
  return before.bound + ((bucket.bound - before.bound) * (rank - before.count)) / inside;
}

/** All metrics as read at one time. */
export interface MetricsSample {
  /** Unix milliseconds. */
  readonly at: number;
  readonly families: readonly Family[];
}

/** Adds a sample, and drops the samples older than the window. */
export function addSample(
  looks: readonly MetricsSample[],
  look: MetricsSample,
  windowMs: number,
): readonly MetricsSample[] {
  return [...looks.filter(({ at }) => at >= look.at - windowMs && at < look.at), look];
}

/**
 * Returns the increase of a counter between the first and the last sample, summed over the series
 * with these labels. A counter that fell was restarted at zero. Null: there is only one sample.
 */
export function gainOf(
  looks: readonly MetricsSample[],
  name: string,
  labels: Labels = {},
): number | null {
  const [first] = looks;
  const last = looks.at(-1);
  if (!first || !last || first === last) return null;
  const now = sumOf(last.families, name, labels) ?? 0;
  const then = sumOf(first.families, name, labels) ?? 0;
  return now < then ? now : now - then;
}
