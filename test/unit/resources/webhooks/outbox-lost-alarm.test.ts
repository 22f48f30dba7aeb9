// Tests a webhook's outbox whose alarm is lost (src/resources/webhooks/outbox/webhook-outbox.ts):
// the platform drops an alarm after six failures.
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import { restoreOutboxAlarms } from "../../../../src/resources/webhooks/outbox/outboxes.ts";
import { bindings, type TestTeam } from "../../../support/api.ts";
import {
  alarmAt,
  alarmOf,
  logged,
  newBatches,
  NOON,
  type TestOutbox,
  outboxAtNoon,
  outboxOf,
  post,
  setClock,
} from "../../../support/test-outbox.ts";
import type { FakeReceiver } from "../../../support/fakes/fake-receiver.ts";
import { create } from "../../../support/test-webhooks.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let receiver: FakeReceiver;
let team: TestTeam;
let outbox: TestOutbox;

/** The time of the next attempt at the failed batch. */
let due: number;

beforeEach(async () => {
  ({ team, outbox, receiver } = await outboxAtNoon());
  receiver.answer = () => new Response("no", { status: 503 });
  await post(outbox, team, newBatches(1));
  due = (await logged(outbox, 1))[0]?.nextAttemptAt ?? Number.NaN;
  receiver.answer = () => new Response("ok");
});

const loseAlarm = (): Promise<void> =>
  runInDurableObject(outbox, (_, { storage }) => storage.deleteAlarm());

describe("an outbox whose alarm was lost", () => {
  it("sets the alarm again for now if it is called while awake, and posts due batches", async () => {
    await loseAlarm();
    setClock(NOON + HOUR);
    await restoreOutboxAlarms(bindings, Date.now());
    expect(await alarmOf(outbox)).toBe(NOON + HOUR);
    await alarmAt(outbox, NOON + HOUR);
    expect((await logged(outbox, 2))[1]).toMatchObject({ attempt: 2, outcome: "delivered" });
  });

  it("sets the alarm again if it is called after a sleep", async () => {
    await loseAlarm();
    await evictDurableObject(outbox);
    setClock(NOON + HOUR);
    await restoreOutboxAlarms(bindings, Date.now());
    await alarmAt(outbox, (await alarmOf(outbox)) ?? Number.NaN);
    expect((await logged(outbox, 2))[1]).toMatchObject({ attempt: 2, outcome: "delivered" });
  });

  it("sets the alarm again with the next batch that it takes", async () => {
    await loseAlarm();
    setClock(NOON + HOUR);
    await outbox.enqueue(team.id, newBatches(1));
    expect(await alarmOf(outbox)).toBe(NOON + HOUR);
  });

  it("keeps an alarm that is only a little late", async () => {
    const set = await alarmOf(outbox);
    expect(set).toBeLessThanOrEqual(due);
    setClock((set ?? 0) + MINUTE - 1);
    await restoreOutboxAlarms(bindings, Date.now());
    expect(await alarmOf(outbox)).toBe(set);
  });

  it("sets no alarm if it is empty, and only the alarm of its end after its webhook was deleted", async () => {
    const idle = outboxOf(await create(team));
    await outbox.destroy();
    const tombstone = await alarmOf(outbox);
    setClock(NOON + MINUTE);
    await restoreOutboxAlarms(bindings, Date.now());
    expect(await alarmOf(idle)).toBeNull();
    expect(await alarmOf(outbox)).toBe(tombstone);
  });
});
