// Tests what a webhook's outbox reports to the metrics (docs/metrics-and-alerts.md §Metrics): how
// many batches wait and since when, and when no batch waits any more.
import { beforeEach, describe, expect, it } from "vitest";
import type { Gauges } from "../../../../src/rpc/metrics-calls.ts";
import { configure, newBatches, NOON, outboxOfEachTest } from "../../../support/test-outbox.ts";

const MINUTE = 60_000;

const at = outboxOfEachTest();
let reports: (Gauges | null)[];

beforeEach(async () => {
  reports = [];
  const report = async (_source: string, gauges: Gauges | null) => void reports.push(gauges);
  await configure(at.outbox, { METRICS: { getByName: () => ({ report }) } as never });
});

describe("an outbox", () => {
  it("reports waiting batches, and reports when no batch waits any more", async () => {
    at.answer(503);
    await at.post(newBatches(2));
    await at.requests(2);
    for (let minute = 1; reports.length === 0 && minute < 20; minute += 1)
      await at.alarmAt(NOON + minute * MINUTE);
    expect(reports).toEqual([{ webhookPending: 2, webhookOldestAt: NOON }]);
    at.answer(200);
    let hour = 0;
    const lastReport = async () => {
      hour += 1;
      if (reports.at(-1) !== null) await at.alarmAt(NOON + hour * 60 * MINUTE);
      return reports.at(-1);
    };
    await expect.poll(lastReport).toBeNull();
  });

  it("reports nothing for batches that are delivered at once", async () => {
    await at.post(newBatches(1));
    await at.requests(1);
    if ((await at.alarm()) !== null) await at.alarmAt(NOON + MINUTE);
    expect(reports).toEqual([]);
  });
});
