// Collects the gateway's metrics and writes them in Prometheus's text format 0.0.4. Counters and
// histograms count from the start of the process. Gauges are read at each request for /metrics.
import {
  BUCKETS,
  type GatewayCounter,
  DEFINITIONS,
  type GatewayGauge,
  type GatewayHistogram,
} from "./metric-definitions.ts";

export const EXPOSITION_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/**
 * Samples of a gauge. Each sample has the values of the labels, in the order of the labels, and a
 * number.
 */
type Samples = readonly (readonly [labels: readonly string[], value: number])[];

/**
 * The value of each gauge: one number, or a number for each value of its only label, or samples.
 */
export type GatewayGauges = Readonly<
  Partial<Record<GatewayGauge, number | Readonly<Record<string, number>> | Samples>>
>;

interface Series {
  readonly values: readonly (string | number)[];
  value: number;
}

interface Histogram {
  /**
   * Number of observations in each bucket alone, without smaller buckets. The last bucket is +Inf.
   */
  readonly counts: number[];
  sum: number;
}

export class GatewayMetrics {
  readonly #counters = new Map<GatewayCounter, Map<string, Series>>();
  readonly #histograms = new Map<GatewayHistogram, Histogram>();
  readonly #sources: (() => GatewayGauges)[] = [];

  /** Adds to a counter. `values` are the values of its labels, in the order of the labels. */
  count(name: GatewayCounter, values: readonly (string | number)[] = [], by = 1): void {
    const counter = this.#counters.get(name) ?? new Map<string, Series>();
    const key = values.length === 1 ? String(values[0]) : values.join("\0");
    const series = counter.get(key);
    if (series) {
      series.value += by;
      return;
    }
    counter.set(key, { values, value: by });
    this.#counters.set(name, counter);
  }

  observe(name: GatewayHistogram, seconds: number): void {
    const histogram = this.#histograms.get(name) ?? { counts: [...BUCKETS, 0].fill(0), sum: 0 };
    const at = BUCKETS.findIndex((bound) => seconds <= bound);
    histogram.counts[at < 0 ? BUCKETS.length : at]! += 1;
    histogram.sum += seconds;
    this.#histograms.set(name, histogram);
  }

  /**
   * Registers a function that returns gauges. The function is called at each request for /metrics.
   */
  readFrom(source: () => GatewayGauges): void {
    this.#sources.push(source);
  }

  /** Returns all metrics in Prometheus's text format. */
  exposition(): string {
    const gauges: GatewayGauges = Object.assign({}, ...this.#sources.map((source) => source()));
    let text = "";
    for (const [name, { type, help, labels }] of Object.entries(DEFINITIONS)) {
      const lines = this.#linesOf(name, type, labels, gauges);
      if (lines.length > 0)
        text += [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ""].join("\n");
      for (const line of lines) text += `${name}${line}\n`;
    }
    return text;
  }

  /** Returns the lines of one metric without the metric's name: `{labels} value`. */
  #linesOf(
    name: string,
    type: "counter" | "gauge" | "histogram",
    labels: readonly string[],
    gauges: GatewayGauges,
  ): string[] {
    if (type === "histogram") return bucketLines(this.#histograms.get(name as GatewayHistogram));
    if (type === "gauge") {
      const value = gauges[name as GatewayGauge];
      if (typeof value !== "object") return value === undefined ? [] : [` ${value}`];
      const samples: Samples = isSamples(value)
        ? value
        : Object.entries(value).map(([one, number]) => [[one], number]);
      return samples.map(([values, number]) => `${formatLabels(labels, values)} ${number}`);
    }
    const counter = this.#counters.get(name as GatewayCounter);
    if (!counter) return labels.length === 0 ? [" 0"] : [];
    return [...counter.values()].map(
      ({ values, value }) => `${formatLabels(labels, values)} ${value}`,
    );
  }
}

function isSamples(value: Samples | Readonly<Record<string, number>>): value is Samples {
  return Array.isArray(value);
}

function bucketLines(histogram: Histogram = { counts: [...BUCKETS, 0].fill(0), sum: 0 }): string[] {
  let count = 0;
  const buckets = histogram.counts.map((own, at) => {
    count += own;
    return `_bucket${formatLabels(["le"], [BUCKETS[at] ?? "+Inf"])} ${count}`;
  });
  return [...buckets, `_sum ${histogram.sum}`, `_count ${count}`];
}

function formatLabels(names: readonly string[], values: readonly (string | number)[]): string {
  if (names.length === 0) return "";
  const pairs = names.map((name, at) => `${name}="${escapeLabel(String(values[at] ?? ""))}"`);
  return `{${pairs.join(",")}}`;
}

function escapeLabel(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
