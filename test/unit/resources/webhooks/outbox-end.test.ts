// Tests the end of a webhook's outbox (src/resources/webhooks/outbox/webhook-outbox.ts, contract.md
// §Deliveries and retries): nothing of a deleted webhook stays or comes back.
import { evictDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { ADMIN_TOKEN, bindings, call, type TestTeam } from "../../../support/api.ts";
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
  rowsOf,
  sent,
  setClock,
} from "../../../support/test-outbox.ts";
import type { FakeReceiver } from "../../../support/fakes/fake-receiver.ts";
import { create, remove } from "../../../support/test-webhooks.ts";

const HOUR = 3_600_000;

let receiver: FakeReceiver;
let team: TestTeam;
let webhook: { id: string };
let outbox: TestOutbox;

beforeEach(async () => {
  ({ team, webhook, outbox, receiver } = await outboxAtNoon());
  receiver.answer = () => new Response("no", { status: 500 });
  await post(outbox, team, newBatches(3));
  await logged(outbox, 3);
  receiver.received.length = 0;
});

const deleteRow = () =>
  bindings.DB.prepare("DELETE FROM webhooks WHERE id = ?").bind(webhook.id).run();

async function isGone(): Promise<void> {
  expect(await rowsOf(outbox)).toBeNull();
  expect(await outbox.deliveries(10, null)).toEqual([]);
  expect(await outbox.enqueue(team.id, newBatches(1))).toEqual({ stored: 0 });
  await outbox.deliver();
  await outbox.changed();
  expect(await rowsOf(outbox)).toBeNull();
  expect(receiver.received).toEqual([]);
}

describe("a deleted webhook", () => {
  it("has nothing stored and refuses late batches and jobs, also after a restart", async () => {
    expect((await remove(team, webhook.id)).status).toBe(204);
    await isGone();
    await evictDurableObject(outbox);
    await isGone();
  });

  it("leaves no object behind after an hour", async () => {
    await remove(team, webhook.id);
    expect(await alarmOf(outbox)).toBeGreaterThanOrEqual(NOON + HOUR);
    await alarmAt(outbox, NOON + HOUR + 1_000);
    expect(await alarmOf(outbox)).toBeNull();
    await isGone();
  });

  it.each(["its alarm", "a job"])(
    "whose outbox did not hear of the deletion ends with %s",
    async (by) => {
      await deleteRow();
      if (by === "its alarm") await alarmAt(outbox, NOON + HOUR);
      else {
        setClock(NOON + HOUR);
        await outbox.deliver();
      }
      await vi.waitFor(async () => expect(await rowsOf(outbox)).toBeNull());
      await isGone();
    },
  );

  it("may still get posts under way, but records none of them", async () => {
    const errors = vi.spyOn(console, "error");
    const end = { isHere: false };
    receiver.answer = async () => {
      while (!end.isHere) await scheduler.wait(5);
      return new Response("ok");
    };
    await post(outbox, team, newBatches(7));
    await sent(receiver, 5);
    await remove(team, webhook.id);
    end.isHere = true;
    await scheduler.wait(100);
    expect(receiver.received).toHaveLength(5);
    receiver.received.length = 0;
    await isGone();
    expect(errors).not.toHaveBeenCalled();
  });
});

describe("a deleted team", () => {
  it("leaves no outbox behind", async () => {
    const other = outboxOf(await create(team));
    await post(other, team, newBatches(1));
    await logged(other, 1);
    receiver.received.length = 0;
    expect((await call("DELETE", `/admin/teams/${team.id}`, { key: ADMIN_TOKEN })).status).toBe(
      204,
    );
    await isGone();
    outbox = other;
    await isGone();
  });
});
