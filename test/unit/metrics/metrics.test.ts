// Tests the metrics (src/metrics, src/resources/metrics/metrics.ts): the counts of all isolates are
// added up and saved, and a gauge is the sum of the values that the sources reported last.
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env as bindings } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import type { Env } from "../../../src/env.ts";
import type { TestEnv } from "../../support/api.ts";
import { HOUR_MS, MINUTE_MS } from "../../../src/limits.ts";
import { count, flush, flushSoon, observe } from "../../../src/metrics/isolate-counts.ts";
import { GaugeSender } from "../../../src/metrics/gauge-sender.ts";

const env = bindings as unknown as TestEnv;
const NOW = Date.UTC(2031, 0, 15, 12);
const REPORT_EVERY_MS = 30_000;

function board(name: string = crypto.randomUUID()) {
  return env.METRICS.getByName(name);
}

/** An environment whose Metrics object fails while `down` is set. */
function withMetrics(seen: unknown[][], state = { down: false }): Env {
  const say = async (...call: unknown[]) => {
    if (state.down) throw new Error("down");
    seen.push(call);
  };
  return {
    ...env,
    METRICS: { getByName: () => ({ add: say, report: say }) } as unknown as Env["METRICS"],
  };
}

describe("the Metrics object", () => {
  it("adds up the counts of isolates, and keeps them over a restart", async () => {
    const metrics = board();
    await Promise.all([
      metrics.add({ postern_accepted_total: 2 }),
      metrics.add({ postern_accepted_total: 3, postern_delayed_total: 1 }),
    ]);
    await evictDurableObject(metrics);
    await metrics.add({ postern_accepted_total: 1 });
    const counters = { postern_accepted_total: 6, postern_delayed_total: 1 };
    expect((await metrics.read(NOW)).counters).toEqual(counters);
  });

  it("adds up gauges, takes the earliest time, and keeps both over a restart", async () => {
    const metrics = board();
    await metrics.report("team_a", { queued: 2, oldestAcceptedAt: 500 }, NOW);
    await metrics.report("team_b", { queued: 1, oldestAcceptedAt: 400 }, NOW);
    await metrics.report("team_a", { queued: 5, oldestAcceptedAt: 600 }, NOW);
    expect((await metrics.read(NOW)).gauges).toEqual({ queued: 6, oldestAcceptedAt: 400 });
    await metrics.report("team_b", null, NOW);
    await evictDurableObject(metrics);
    expect((await metrics.read(NOW)).gauges).toEqual({ queued: 5, oldestAcceptedAt: 600 });
  });

  it("marks its counters every ten minutes, and keeps marks and checks over a restart", async () => {
    vi.setSystemTime(NOW);
    const metrics = board();
    for (const minutes of [0, 5, 10]) {
      vi.setSystemTime(NOW + minutes * 60_000);
      await metrics.add({ postern_accepted_total: 10 });
    }
    expect(await metrics.watch(["queues.stuck"], NOW)).toEqual({ "queues.stuck": NOW });
    await evictDurableObject(metrics);
    const { marks } = await metrics.read(NOW);
    const sums = marks.map((mark) => mark.sums["mail.bounces"]?.among);
    expect(sums).toEqual([0, 20]);
    const over = ["queues.stuck", "ledgers.full"];
    const since = { "queues.stuck": NOW, "ledgers.full": NOW + 1 };
    expect(await metrics.watch(over, NOW + 1)).toEqual(since);
    expect(await metrics.watch([], NOW + 2)).toEqual({});
    expect(await metrics.watch(["queues.stuck"], NOW + 3)).toEqual({ "queues.stuck": NOW + 3 });
  });

  it("drops the gauges of a source that was silent for a day", async () => {
    const metrics = board();
    await metrics.report("team_a", { queued: 2 }, NOW - 25 * HOUR_MS);
    expect((await metrics.read(NOW)).gauges).toEqual({});
  });
});

describe("an isolate's counts", () => {
  it("are handed over together, histograms in Prometheus's form", async () => {
    await flush(withMetrics([]));
    const seen: unknown[][] = [];
    count("postern_accepted_total", {}, 3);
    count("postern_accepted_total");
    count("postern_bounced_total", { type: "permanent", class: "SpamBlock" });
    for (const seconds of [0.004, 0.02, 60])
      observe("postern_http_request_duration_seconds", { surface: "send" }, seconds);
    await flush(withMetrics(seen));
    expect(seen).toHaveLength(1);
    const [samples] = seen[0] as [Record<string, number>];
    const bucket = (le: string) =>
      samples[`postern_http_request_duration_seconds_bucket{surface="send",le="${le}"}`];
    expect(samples).toMatchObject({
      postern_accepted_total: 4,
      'postern_bounced_total{type="permanent",class="SpamBlock"}': 1,
    });
    expect(["0.005", "0.01", "0.025", "10", "+Inf"].map(bucket)).toEqual([1, 1, 2, 2, 3]);
    expect(samples['postern_http_request_duration_seconds_count{surface="send"}']).toBe(3);
    expect(samples['postern_http_request_duration_seconds_sum{surface="send"}']).toBeCloseTo(
      60.024,
    );
    await flush(withMetrics(seen));
    expect(seen).toHaveLength(1);
  });

  it("are kept while the Metrics object does not answer", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const seen: unknown[][] = [];
    const state = { down: true };
    count("postern_delayed_total");
    await flush(withMetrics(seen, state));
    count("postern_delayed_total");
    state.down = false;
    await flush(withMetrics(seen, state));
    expect(seen).toEqual([[{ postern_delayed_total: 2 }]]);
  });

  it("cost one call for many requests, and the first request schedules the call", async () => {
    const seen: unknown[][] = [];
    const deferred: Promise<unknown>[] = [];
    const slow = { ...withMetrics(seen), METRICS_FLUSH_SECONDS: "0.05" };
    // A transfer that an earlier test began and did not end counts as failed after a minute.
    vi.setSystemTime(Date.now() + MINUTE_MS);
    for (let request = 0; request < 100; request += 1) {
      count("postern_accepted_total");
      flushSoon(slow, { waitUntil: (work) => void deferred.push(work) });
    }
    expect(deferred).toHaveLength(1);
    await Promise.all(deferred);
    expect(seen).toEqual([[{ postern_accepted_total: 100 }]]);
  });
});

describe("a source's report", () => {
  async function reporting(
    work: (
      report: (kv?: SyncKvStorage) => GaugeSender,
      seen: unknown[][],
      state: { down: boolean },
    ) => Promise<void>,
  ) {
    const seen: unknown[][] = [];
    const state = { down: false };
    await runInDurableObject(board(), (_, { storage }) =>
      work(
        () => new GaugeSender("team_a", () => withMetrics(seen, state), storage.kv),
        seen,
        state,
      ),
    );
  }

  it("is not sent or stored by an object that was always empty", async () => {
    await reporting(async (make, seen) => {
      const report = make();
      await report.send(null, NOW);
      report.touch(NOW);
      expect(report.dueAt).toBe(Number.POSITIVE_INFINITY);
      expect(seen).toEqual([]);
    });
  });

  it("is sent at most every 30 seconds, only after a change, and once when the object is empty, also after a restart", async () => {
    await reporting(async (make, seen) => {
      let report = make();
      await report.send({ queued: 1 }, NOW);
      await report.send({ queued: 2 }, NOW + 1_000);
      expect(seen).toHaveLength(1);
      report.touch(NOW + 2_000);
      expect(report.dueAt).toBe(NOW + 2_000 + REPORT_EVERY_MS);
      await report.send({ queued: 2 }, NOW + REPORT_EVERY_MS);
      expect(report.dueAt).toBe(Number.POSITIVE_INFINITY);
      await report.send({ queued: 2 }, NOW + 3 * REPORT_EVERY_MS);
      expect(seen).toHaveLength(2);
      await report.send({ queued: 2 }, NOW + 2 * HOUR_MS);
      expect(seen).toHaveLength(3);
      report = make();
      expect(report.dueAt).toBeLessThan(NOW);
      await report.send(null, NOW + 2 * HOUR_MS);
      expect(report.dueAt).toBe(Number.POSITIVE_INFINITY);
      await report.send(null, NOW + 3 * HOUR_MS);
      const sent = [{ queued: 1 }, { queued: 2 }, { queued: 2 }, null];
      expect(seen.map((call) => call[1])).toEqual(sent);
      await make().send(null, NOW + 4 * HOUR_MS);
      expect(seen).toHaveLength(4);
    });
  });

  it("is sent again when the Metrics object did not answer", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    await reporting(async (make, seen, state) => {
      const report = make();
      state.down = true;
      await report.send({ queued: 1 }, NOW);
      expect(report.dueAt).toBe(NOW + REPORT_EVERY_MS);
      state.down = false;
      await report.send({ queued: 1 }, NOW + 1_000);
      expect(seen).toHaveLength(1);
    });
  });
});
