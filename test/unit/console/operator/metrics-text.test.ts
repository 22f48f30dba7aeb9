// Tests how the operator's console reads the metrics that the service writes.
import { describe, expect, it } from "vitest";
import { parseMetrics } from "../../../../console/src/pages/operator/metrics/metrics-text.ts";

const sampleOf = (line: string) => parseMetrics(line)[0]?.samples[0];

describe("parseMetrics", () => {
  it("reads names, labels with escapes, braces and commas, and values", () => {
    expect(sampleOf("postern_stuck_recipients 3")).toEqual({
      name: "postern_stuck_recipients",
      labels: {},
      value: 3,
    });
    expect(sampleOf(String.raw`m{path="C:\\dir",said="a \"b\", {c}\nd",e=""} 1.5e3`)).toEqual({
      name: "m",
      labels: { path: String.raw`C:\dir`, said: 'a "b", {c}\nd', e: "" },
      value: 1_500,
    });
  });

  it.each([
    ["m +Inf", Infinity],
    ["m -Inf", -Infinity],
    ["m NaN", Number.NaN],
    ["m -0.25", -0.25],
  ])("reads the value of %s", (line, value) => {
    expect(sampleOf(line)?.value).toBe(value);
  });

  it("gathers a histogram's parts into one family, with its help and type", () => {
    const families = parseMetrics(
      [
        '# HELP took Time, in "seconds".',
        "# TYPE took histogram",
        'took_bucket{le="0.1"} 1',
        'took_bucket{le="+Inf"} 2',
        "took_sum 0.6",
        "took_count 2",
        "",
        "# TYPE in_count gauge",
        "in_count 4",
      ].join("\n"),
    );
    expect(families.map(({ name, type, samples }) => [name, type, samples.length])).toEqual([
      ["took", "histogram", 4],
      ["in_count", "gauge", 1],
    ]);
    expect(families[0]?.help).toBe('Time, in "seconds".');
  });
});
