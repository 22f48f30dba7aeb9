// Tests what drives a retry (src/resources/webhooks/outbox/webhook-outbox.ts): the alarm goes off
// when a retry is due, a queue job has the batch posted, and a lost job does no harm.
import { beforeEach, expect, it } from "vitest";
import type { Env } from "../../../../src/env.ts";
import { configure, newBatches, outboxOfEachTest } from "../../../support/test-outbox.ts";

const MINUTE = 60_000;

const at = outboxOfEachTest();
let due: number;
/** Queue jobs that the outbox sent. The queue never delivers them. */
let jobs: unknown[];
let isQueueDown: boolean;

beforeEach(async () => {
  jobs = [];
  isQueueDown = false;
  const send = async (job: unknown): Promise<void> => {
    if (isQueueDown) throw new Error("the queue is down");
    jobs.push(job);
  };
  await configure(at.outbox, { WEBHOOK: { send } as unknown as Env["WEBHOOK"] });
  at.answer(503);
  await at.post(newBatches(1));
  due = (await at.entries(1))[0]?.nextAttemptAt ?? 0;
  at.answer(200);
});

it("a due retry is put into the queue once, and again by an alarm if that job was lost", async () => {
  expect(jobs).toEqual([]);
  await at.alarmAt(due);
  expect(jobs).toEqual([{ teamId: expect.any(String), webhookId: expect.stringMatching(/^wh_/) }]);
  expect(at.receiver.received).toHaveLength(1);

  const again = (await at.alarm()) ?? 0;
  expect(again - due).toBeLessThanOrEqual(MINUTE);
  await at.alarmAt(again);
  expect(jobs).toHaveLength(2);
  expect(at.receiver.received).toHaveLength(1);

  await at.outbox.deliver();
  await at.requests(2);
  expect(await at.rows()).toMatchObject({ waiting: 0 });
});

it("a retry is posted at once if the queue takes no job", async () => {
  isQueueDown = true;
  await at.alarmAt(due);
  await at.requests(2);
});

it("a retry is not put into the queue before it is due", async () => {
  await at.alarmAt(due - 1);
  expect(jobs).toEqual([]);
  expect(at.receiver.received).toHaveLength(1);
});
