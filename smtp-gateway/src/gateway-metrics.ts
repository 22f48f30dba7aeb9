// The gateway's numbers: counters and histograms that add up as things happen, gauges that are read
// when somebody asks, and all of them as Prometheus reads them (text format 0.0.4). They begin at 0
// with the process.
import {
  BUCKETS,
  type GatewayCounter,
  DEFINITIONS,
  type GatewayGauge,
  type GatewayHistogram,
} from "./metric-definitions.ts";

export const EXPOSITION_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** By metric: its value, or its values by that of its one label. */
export type GatewayGauges = Readonly<
  Partial<Record<GatewayGauge, number | Readonly<Record<string, number>>>>
>;

interface Series {
  readonly values: readonly (string | number)[];
  value: number;
}

interface Histogram {
  /** Of each bucket alone, the last one +Inf's. */
  readonly counts: number[];
  sum: number;
}

export class GatewayMetrics {
  readonly #counters = new Map<GatewayCounter, Map<string, Series>>();
  readonly #histograms = new Map<GatewayHistogram, Histogram>();
  readonly #sources: (() => GatewayGauges)[] = [];

  /** `values`: of the metric's labels, in their order. */
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

  /** `source` is asked at each exposition. */
  readFrom(source: () => GatewayGauges): void {
    this.#sources.push(source);
  }

  exposition(): string {
    const gauges: GatewayGauges = Object.assign({}, ...this.#sources.map((source) => source()));
    let text = "";
    for (const [name, { type, help }] of Object.entries(DEFINITIONS)) {
      const lines = this.#linesOf(name as keyof typeof DEFINITIONS, gauges);
      if (lines.length > 0)
        text += `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.map((line) => `${name}${line}\n`).join("")}`;
    }
    return text;
  }

  /** Behind the name: `{labels} value`. */
  #linesOf(name: keyof typeof DEFINITIONS, gauges: GatewayGauges): string[] {
    const { type } = DEFINITIONS[name];
    const labels = labelsOf(name);
    if (type === "histogram") return bucketLines(this.#histograms.get(name as GatewayHistogram));
    if (type === "gauge") {
      const value = gauges[name as GatewayGauge];
      if (typeof value !== "object") return value === undefined ? [] : [` ${value}`];
      return Object.entries(value).map(([one, number]) => `${labelled(labels, [one])} ${number}`);
    }
    const counter = this.#counters.get(name as GatewayCounter);
    if (!counter) return labels.length === 0 ? [" 0"] : [];
    return [...counter.values()].map(({ values, value }) => `${labelled(labels, values)} ${value}`);
  }
}

function labelsOf(name: keyof typeof DEFINITIONS): readonly string[] {
  const definition = DEFINITIONS[name];
  return "labels" in definition ? definition.labels : [];
}

function bucketLines(histogram: Histogram = { counts: [...BUCKETS, 0].fill(0), sum: 0 }): string[] {
  let count = 0;
  const buckets = histogram.counts.map((own, at) => {
    count += own;
    return `_bucket${labelled(["le"], [BUCKETS[at] ?? "+Inf"])} ${count}`;
  });
  return [...buckets, `_sum ${histogram.sum}`, `_count ${count}`];
}

function labelled(names: readonly string[], values: readonly (string | number)[]): string {
  if (names.length === 0) return "";
  return `{${names.map((name, at) => `${name}="${escaped(String(values[at] ?? ""))}"`).join(",")}}`;
}

function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
