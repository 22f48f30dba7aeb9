// Tests the metrics' exposition in text format 0.0.4, for all kinds of samples
// (src/resources/metrics/exposition.ts).
import { describe, expect, it } from "vitest";
import { BUCKETS, DEFINITIONS, series } from "../../../../src/operator/metric-table.ts";
import { expose } from "../../../../src/resources/metrics/exposition.ts";

const HISTOGRAM = "postern_http_request_duration_seconds";

describe("the exposition", () => {
  it("shows a counter without labels as 0 before it counts, and no other metric without samples", () => {
    const text = expose({});
    expect(text).toContain(
      "# HELP postern_accepted_total Recipients whose message was accepted. A replay is not counted.\n" +
        "# TYPE postern_accepted_total counter\npostern_accepted_total 0\n",
    );
    expect(text).not.toContain("postern_bounced_total");
    expect(text.endsWith("\n")).toBe(true);
  });

  it("shows all samples of a metric together, under one HELP and one TYPE line", () => {
    const text = expose({
      'postern_bounced_total{type="permanent",class="SpamBlock"}': 2,
      postern_accepted_total: 5,
      'postern_bounced_total{type="expired",class="none"}': 1,
    });
    expect(text.match(/# TYPE postern_bounced_total counter/g)).toHaveLength(1);
    expect(text).toContain(
      "# TYPE postern_bounced_total " +
        'counter\npostern_bounced_total{type="expired",class="none"} ' +
        '1\npostern_bounced_total{type="permanent",class="SpamBlock"} 2\n',
    );
  });

  it("shows a histogram by labels: ascending buckets, then sum and count", () => {
    const samples: Record<string, number> = {};
    for (const surface of ["send", "batch"]) {
      samples[series(`${HISTOGRAM}_count`, { surface })] = 3;
      samples[series(`${HISTOGRAM}_sum`, { surface })] = 0.5;
      for (const le of ["+Inf", ...BUCKETS.map(String)])
        samples[series(`${HISTOGRAM}_bucket`, { surface, le })] = 3;
    }
    const lines = expose(samples)
      .split("\n")
      .filter((line) => line.startsWith(HISTOGRAM));
    const one = (surface: string) => [
      ...[...BUCKETS.map(String), "+Inf"].map(
        (le) => `${HISTOGRAM}_bucket{surface="${surface}",le="${le}"} 3`,
      ),
      `${HISTOGRAM}_sum{surface="${surface}"} 0.5`,
      `${HISTOGRAM}_count{surface="${surface}"} 3`,
    ];
    expect(lines).toEqual([...one("batch"), ...one("send")]);
  });

  it("escapes label values, and leaves out samples without a definition", () => {
    expect(series("postern_dead_letters", { queue: 'a"b\\c\nd' })).toBe(
      'postern_dead_letters{queue="a\\"b\\\\c\\nd"}',
    );
    expect(expose({ postern_gone_total: 1 })).not.toContain("gone");
  });

  it("has valid names and help texts, and no label for a team", () => {
    for (const [name, { help, type }] of Object.entries(DEFINITIONS)) {
      expect(name).toMatch(/^postern_[a-z_]+$/);
      expect(help).not.toMatch(/[\n\\]/);
      expect(name.endsWith("_total")).toBe(type === "counter");
    }
  });
});
