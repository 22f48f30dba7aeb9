// Tests what drives a retry (src/resources/webhooks/outbox/webhook-outbox.ts): the alarm goes off
// when a retry is due, a queue job has the batch posted, and a lost job does no harm.
import { beforeEach, expect, it } from "vitest";
import type { Env } from "../../../../src/env.ts";
import {
  rowsOf,
  type TestOutbox,
  outboxAtNoon,
  alarmAt,
  alarmOf,
  configure,
  logged,
  newBatches,
  post,
  sent,
} from "../../../support/test-outbox.ts";
import type { FakeReceiver } from "../../../support/fakes/fake-receiver.ts";

const MINUTE = 60_000;

let receiver: FakeReceiver;
let outbox: TestOutbox;
let due: number;
/** Queue jobs that the outbox sent. The queue never delivers them. */
let jobs: unknown[];
let isQueueDown: boolean;

beforeEach(async () => {
  const made = await outboxAtNoon();
  ({ outbox, receiver } = made);
  jobs = [];
  isQueueDown = false;
  const send = async (job: unknown): Promise<void> => {
    if (isQueueDown) throw new Error("the queue is down");
    jobs.push(job);
  };
  await configure(outbox, { WEBHOOK: { send } as unknown as Env["WEBHOOK"] });
  receiver.answer = () => new Response("no", { status: 503 });
  await post(outbox, made.team, newBatches(1));
  due = (await logged(outbox, 1))[0]?.nextAttemptAt ?? 0;
  receiver.answer = () => new Response("ok");
});

it("a retry is asked of the queue once when it is due, and again by an alarm if that job was lost", async () => {
  expect(jobs).toEqual([]);
  await alarmAt(outbox, due);
  expect(jobs).toEqual([{ teamId: expect.any(String), webhookId: expect.stringMatching(/^wh_/) }]);
  expect(receiver.received).toHaveLength(1);

  const again = (await alarmOf(outbox)) ?? 0;
  expect(again - due).toBeLessThanOrEqual(MINUTE);
  await alarmAt(outbox, again);
  expect(jobs).toHaveLength(2);
  expect(receiver.received).toHaveLength(1);

  await outbox.deliver();
  await sent(receiver, 2);
  expect(await rowsOf(outbox)).toMatchObject({ waiting: 0 });
});

it("a retry is posted at once if the queue takes no job", async () => {
  isQueueDown = true;
  await alarmAt(outbox, due);
  await sent(receiver, 2);
});

it("a retry is not asked for before it is due", async () => {
  await alarmAt(outbox, due - 1);
  expect(jobs).toEqual([]);
  expect(receiver.received).toHaveLength(1);
});
