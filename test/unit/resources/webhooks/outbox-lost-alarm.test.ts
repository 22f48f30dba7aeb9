// Tests a webhook's outbox whose alarm is lost (src/resources/webhooks/outbox/webhook-outbox.ts):
// the platform drops an alarm after six failures.
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import { HOUR_MS as HOUR, MINUTE_MS as MINUTE } from "../../../../src/limits.ts";
import { restoreOutboxAlarms } from "../../../../src/resources/webhooks/outbox/outboxes.ts";
import { bindings } from "../../../support/api.ts";
import {
  alarmOf,
  newBatches,
  NOON,
  outboxOf,
  outboxOfEachTest,
  setClock,
} from "../../../support/test-outbox.ts";
import { create } from "../../../support/test-webhooks.ts";

const at = outboxOfEachTest();

/** The time of the next attempt at the failed batch. */
let due: number;

beforeEach(async () => {
  at.answer(503);
  await at.post(newBatches(1));
  due = (await at.entries(1))[0]?.nextAttemptAt ?? Number.NaN;
  at.answer(200);
});

const loseAlarm = (): Promise<void> =>
  runInDurableObject(at.outbox, (_, { storage }) => storage.deleteAlarm());

describe("an outbox whose alarm was lost", () => {
  it.each([
    ["while awake", 0],
    ["after a sleep", 30_000],
  ])(
    "sets the alarm again if it is called %s, for %i ms later, and posts due batches",
    async (when, later) => {
      await loseAlarm();
      if (when === "after a sleep") await evictDurableObject(at.outbox);
      setClock(NOON + HOUR);
      await restoreOutboxAlarms(bindings, Date.now());
      expect(await at.alarm()).toBe(NOON + HOUR + later);
      await at.alarmAt(NOON + HOUR + later);
      expect((await at.entries(2))[1]).toMatchObject({ attempt: 2, outcome: "delivered" });
    },
  );

  it("sets the alarm again with the next batch that it takes", async () => {
    await loseAlarm();
    setClock(NOON + HOUR);
    await at.enqueue(newBatches(1));
    expect(await at.alarm()).toBe(NOON + HOUR);
  });

  it("keeps an alarm that is only a little late", async () => {
    const set = await at.alarm();
    expect(set).toBeLessThanOrEqual(due);
    setClock((set ?? 0) + MINUTE - 1);
    await restoreOutboxAlarms(bindings, Date.now());
    expect(await at.alarm()).toBe(set);
  });

  it("sets no alarm if it is empty, and only the alarm of its end after its webhook was deleted", async () => {
    const idle = outboxOf(await create(at.team));
    await at.outbox.destroy();
    const tombstone = await at.alarm();
    setClock(NOON + MINUTE);
    await restoreOutboxAlarms(bindings, Date.now());
    expect(await alarmOf(idle)).toBeNull();
    expect(await at.alarm()).toBe(tombstone);
  });
});
