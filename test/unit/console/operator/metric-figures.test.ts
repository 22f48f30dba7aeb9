// Tests the figures that the operator's console takes out of metrics.
import { describe, expect, it } from "vitest";
import {
  addSample,
  distributionsOf,
  gainOf,
  type MetricsSample,
  quantileOf,
  sumOf,
} from "../../../../console/src/pages/operator/metrics/metric-figures.ts";
import {
  describeLabels,
  formatValue,
  groupBySubject,
} from "../../../../console/src/pages/operator/metrics/metric-subjects.ts";
import { parseMetrics } from "../../../../console/src/pages/operator/metrics/metrics-text.ts";

function lookAt(at: number, text: string): MetricsSample {
  return { at, families: parseMetrics(text) };
}

const TOOK = parseMetrics(`# TYPE took histogram
took_bucket{surface="send",le="+Inf"} 100
took_bucket{surface="send",le="0.1"} 50
took_bucket{surface="send",le="0.2"} 90
took_sum{surface="send"} 12
took_count{surface="send"} 100
took_bucket{surface="batch",le="+Inf"} 0`)[0]!;

describe("distributionsOf", () => {
  it("makes one line for the same labels, with its bounds in order", () => {
    expect(distributionsOf(TOOK)).toEqual([
      {
        labels: { surface: "send" },
        buckets: [
          { bound: 0.1, count: 50 },
          { bound: 0.2, count: 90 },
          { bound: Infinity, count: 100 },
        ],
        sum: 12,
        count: 100,
      },
      { labels: { surface: "batch" }, buckets: [{ bound: Infinity, count: 0 }], sum: 0, count: 0 },
    ]);
  });
});

describe("quantileOf", () => {
  const [send, batch] = distributionsOf(TOOK);

  it.each([
    [0.25, 0.05],
    [0.5, 0.1],
    [0.7, 0.15],
    [0.99, 0.2],
  ])("estimates the quantile %d as Prometheus does", (share, value) => {
    expect(quantileOf(send!, share)).toBeCloseTo(value, 9);
  });

  it("is null where nothing was observed", () => {
    expect(quantileOf(batch!, 0.5)).toBeNull();
  });
});

describe("sumOf", () => {
  it("sums the samples with the labels, and is null where there are none", () => {
    const families = parseMetrics('m{a="1",b="x"} 1\nm{a="1",b="y"} 2\nm{a="2"} 4');
    expect(sumOf(families, "m", { a: "1" })).toBe(3);
    expect(sumOf(families, "m")).toBe(7);
    expect(sumOf(families, "m", { a: "3" })).toBeNull();
    expect(sumOf(families, "n")).toBeNull();
  });
});

describe("gainOf", () => {
  it("compares the last reading with the first", () => {
    const looks = [lookAt(1, 'm{s="a"} 5'), lookAt(2, 'm{s="a"} 6'), lookAt(3, 'm{s="a"} 9')];
    expect(gainOf(looks, "m", { s: "a" })).toBe(4);
  });

  it("counts a new series from zero, and a reset counter from zero again", () => {
    expect(gainOf([lookAt(1, ""), lookAt(2, "m 3")], "m")).toBe(3);
    expect(gainOf([lookAt(1, "m 8"), lookAt(2, "m 2")], "m")).toBe(2);
  });

  it("is null for a single reading", () => {
    expect(gainOf([lookAt(1, "m 8")], "m")).toBeNull();
  });

  it("forgets readings beyond the window", () => {
    const looks = [10, 20, 30].reduce<readonly MetricsSample[]>(
      (before, at) => addSample(before, lookAt(at, ""), 15),
      [],
    );
    expect(looks.map(({ at }) => at)).toEqual([20, 30]);
  });
});

describe("groupBySubject", () => {
  it("puts each metric under its subject, and unknown ones last", () => {
    const families = parseMetrics("new_one 1\npostern_stuck_recipients 0\npostern_delayed_total 2");
    expect(groupBySubject(families).map(({ title }) => title)).toEqual([
      "Mail",
      "Pending mail",
      "Other",
    ]);
  });
});

describe("formatValue", () => {
  it.each([
    ["postern_webhook_lag_seconds", 613, "10 min 13 s"],
    ["m_seconds", 0, "0 s"],
    ["m_bytes", 1_500_000, "1.5 MB"],
    ["m_total", 1_151, "1,151"],
    ["m", Number.NaN, "not a number"],
    ["m", -Infinity, "minus infinite"],
  ])("writes %s of %d as %s", (name, value, text) => {
    expect(formatValue(name, value, "en")).toBe(text);
  });

  it("writes labels without escapes", () => {
    expect(describeLabels({ type: "permanent", class: "none" })).toBe("type=permanent, class=none");
  });
});
