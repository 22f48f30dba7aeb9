// Tests what a webhook's outbox reports to the metrics (docs/metrics-and-alerts.md §Metrics): how
// many batches wait and since when, and at last that none waits.
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Gauges } from "../../../../src/rpc/metrics-calls.ts";
import type { TestTeam } from "../../../support/api.ts";
import {
  alarmAt,
  alarmOf,
  configure,
  newBatches,
  NOON,
  type TestOutbox,
  outboxAtNoon,
  post,
  sent,
} from "../../../support/test-outbox.ts";
import type { FakeReceiver } from "../../../support/fakes/fake-receiver.ts";

const MINUTE = 60_000;

let receiver: FakeReceiver;
let team: TestTeam;
let outbox: TestOutbox;
let reports: (Gauges | null)[];

beforeEach(async () => {
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  ({ team, outbox, receiver } = await outboxAtNoon());
  reports = [];
  const report = async (_source: string, gauges: Gauges | null) => void reports.push(gauges);
  await configure(outbox, { METRICS: { getByName: () => ({ report }) } as never });
});

describe("an outbox", () => {
  it("reports waiting batches, and then that none waits", async () => {
    receiver.answer = () => new Response("no", { status: 503 });
    await post(outbox, team, newBatches(2));
    await sent(receiver, 2);
    for (let minute = 1; reports.length === 0 && minute < 20; minute += 1)
      await alarmAt(outbox, NOON + minute * MINUTE);
    expect(reports).toEqual([{ webhookPending: 2, webhookOldestAt: NOON }]);
    receiver.answer = () => new Response("ok");
    for (let hour = 1; reports.at(-1) !== null && hour < 12; hour += 1)
      await alarmAt(outbox, NOON + hour * 60 * MINUTE);
    expect(reports.at(-1)).toBeNull();
  });

  it("reports nothing for batches that are delivered at once", async () => {
    await post(outbox, team, newBatches(1));
    await sent(receiver, 1);
    if ((await alarmOf(outbox)) !== null) await alarmAt(outbox, NOON + MINUTE);
    expect(reports).toEqual([]);
  });
});
