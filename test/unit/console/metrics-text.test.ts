// Tests how the operator's console reads Prometheus's text format 0.0.4.
import { describe, expect, it } from "vitest";
import {
  parseMetrics,
  parseSample,
} from "../../../console/src/pages/operator/metrics/metrics-text.ts";

describe("parseSample", () => {
  it("reads a name and a value", () => {
    expect(parseSample("postern_stuck_recipients 3")).toEqual({
      name: "postern_stuck_recipients",
      labels: {},
      value: 3,
    });
  });

  it("undoes the escapes of label values, and keeps braces and commas in them", () => {
    const line = String.raw`m{path="C:\\dir",said="a \"b\", {c}\nd" , e="",} 1.5e3 1700000000000`;
    expect(parseSample(line)).toEqual({
      name: "m",
      labels: { path: String.raw`C:\dir`, said: 'a "b", {c}\nd', e: "" },
      value: 1_500,
    });
  });

  it.each([
    ["m +Inf", Infinity],
    ["m -Inf", -Infinity],
    ["m NaN", Number.NaN],
    ["m\t-0.25", -0.25],
  ])("reads the value of %s", (line, value) => {
    expect(parseSample(line)?.value).toBe(value);
  });

  it.each([
    "",
    "9m 1",
    "m",
    "m one",
    'm{a="1" 1',
    'm{a="1"b="2"} 1',
    "m{a=1} 1",
    "m 1 soon",
    "m 1 2 3",
  ])("leaves out the malformed line %o", (line) => {
    expect(parseSample(line)).toBeNull();
  });

  it("takes a label that is named like a member of all objects", () => {
    const labels = parseSample('m{__proto__="1"} 1')?.labels ?? {};
    expect(Object.entries(labels)).toEqual([["__proto__", "1"]]);
  });
});

describe("parseMetrics", () => {
  it("gathers a histogram's parts into one family, with its help and type", () => {
    const families = parseMetrics(
      [
        String.raw`# HELP took Time, in\nseconds \\ "quoted".`,
        "# TYPE took histogram",
        'took_bucket{le="0.1"} 1',
        'took_bucket{le="+Inf"} 2',
        "took_sum 0.6",
        "took_count 2",
        "# A comment.",
        "",
        "# TYPE in_count gauge",
        "in_count 4",
        "bare 5",
      ].join("\r\n"),
    );
    expect(families.map(({ name, type, samples }) => [name, type, samples.length])).toEqual([
      ["took", "histogram", 4],
      ["in_count", "gauge", 1],
      ["bare", "untyped", 1],
    ]);
    expect(families[0]?.help).toBe('Time, in\nseconds \\ "quoted".');
  });

  it("keeps a family that has no sample, and an unknown type as untyped", () => {
    expect(parseMetrics("# TYPE m info")).toEqual([
      { name: "m", help: "", type: "untyped", samples: [] },
    ]);
  });
});
