// Tests the end of a webhook's outbox (src/resources/webhooks/outbox/webhook-outbox.ts, contract.md
// §Deliveries and retries): nothing of a deleted webhook stays or comes back.
import { evictDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { operator } from "../../../support/api.ts";
import {
  logged,
  newBatches,
  NOON,
  outboxOf,
  outboxOfEachTest,
  post,
  setClock,
} from "../../../support/test-outbox.ts";
import { create, remove } from "../../../support/test-webhooks.ts";
import { everyCore } from "../../../support/every-core.ts";
import { holdBack } from "./held-answers.ts";

const HOUR = 3_600_000;

const at = outboxOfEachTest();

beforeEach(async () => {
  at.answer(500);
  await at.postNew(3);
  at.receiver.received.length = 0;
});

const deleteRow = () =>
  everyCore.prepare("DELETE FROM webhooks WHERE id = ?").bind(at.webhook.id).run();

async function isGone(): Promise<void> {
  expect(await at.rows()).toBeNull();
  expect(await at.outbox.deliveries(10, null)).toEqual([]);
  expect(await at.enqueue(newBatches(1))).toEqual({ stored: 0 });
  await at.outbox.deliver();
  await at.outbox.changed();
  expect(await at.rows()).toBeNull();
  expect(at.receiver.received).toEqual([]);
}

describe("a deleted webhook", () => {
  it("has nothing stored and refuses late batches and jobs, also after a restart", async () => {
    expect((await remove(at.team, at.webhook.id)).status).toBe(204);
    await isGone();
    await evictDurableObject(at.outbox);
    await isGone();
  });

  it("leaves no object behind after an hour", async () => {
    await remove(at.team, at.webhook.id);
    expect(await at.alarm()).toBeGreaterThanOrEqual(NOON + HOUR);
    await at.alarmAt(NOON + HOUR + 1_000);
    expect(await at.alarm()).toBeNull();
    await isGone();
  });

  it.each(["its alarm", "a job"])(
    "is removed by %s if its outbox was not told of the deletion",
    async (by) => {
      await deleteRow();
      if (by === "its alarm") await at.alarmAt(NOON + HOUR);
      else {
        setClock(NOON + HOUR);
        await at.outbox.deliver();
      }
      await vi.waitFor(async () => expect(await at.rows()).toBeNull());
      await isGone();
    },
  );

  it("may still get posts under way, but records none of them", async () => {
    const errors = vi.spyOn(console, "error");
    const letGo = holdBack(at.receiver);
    await at.post(newBatches(7));
    await at.requests(5);
    await remove(at.team, at.webhook.id);
    letGo();
    await scheduler.wait(100);
    expect(at.receiver.received).toHaveLength(5);
    at.receiver.received.length = 0;
    await isGone();
    expect(errors).not.toHaveBeenCalled();
  });
});

describe("a deleted team", () => {
  it("leaves no outbox behind", async () => {
    const other = outboxOf(await create(at.team));
    await post(other, at.team, newBatches(1));
    await logged(other, 1);
    at.receiver.received.length = 0;
    expect((await operator.delete(`/admin/teams/${at.team.id}`)).status).toBe(204);
    await isGone();
    at.outbox = other;
    await isGone();
  });
});
