// Tests how an outbox follows its webhook's row and records deliveries in that row
// (src/resources/webhooks/outbox/webhook-row-cache.ts): the secrets during a rotation, and the time
// of the last delivery.
import { evictDurableObject } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import { DAY_MS as DAY, MINUTE_MS as MINUTE, SECOND_MS as SECOND } from "../../../../src/limits.ts";
import { bindings } from "../../../support/api.ts";
import { newBatches, NOON, outboxOfEachTest, setClock } from "../../../support/test-outbox.ts";
import { put, rotate } from "../../../support/test-webhooks.ts";
import { coreWith } from "../../../../src/db/core-shards.ts";

const at = outboxOfEachTest();

describe("a rotation of the signing secret", () => {
  const signatures = (index: number) =>
    at.receiver.received[index]?.headers["service-signature"]?.split(",").length ?? 0;

  it("leads to signatures by both secrets, and by the new one alone after the grace period", async () => {
    await at.postNew(1);
    expect(signatures(0)).toBe(2);
    expect((await rotate(at.team, at.webhook.id)).status).toBe(200);
    await at.postNew(1, 2);
    expect(signatures(1)).toBe(3);
    expect(at.receiver.received[1]?.headers["webhook-signature"]?.split(" ")).toHaveLength(2);
    const end = Date.parse((await at.shown()).signing_secret_grace_expires_at ?? "");
    setClock(end - SECOND);
    await at.postNew(1, 3);
    expect(signatures(2)).toBe(3);
    // The outbox does not read the webhook's row again, so the end of the secret's grace period
    // comes by the clock alone.
    setClock(end);
    await at.postNew(1, 4);
    expect(signatures(3)).toBe(2);
  });
});

describe("last_delivery_at", () => {
  const last = async () => Date.parse((await at.shown()).last_delivery_at ?? "");

  it("is set by the first 2xx at once, and only by a 2xx", async () => {
    at.answer(500);
    await at.postNew(1);
    await at.alarmAt(NOON + 20 * SECOND);
    expect(await at.shown()).toMatchObject({ last_delivery_at: null });
    at.answer(204);
    await at.post(newBatches(1));
    await vi.waitFor(async () => expect(await last()).toBeGreaterThanOrEqual(NOON));
  });

  it("is the last delivery's time in the end, though not every delivery is written", async () => {
    const writes = vi.spyOn(coreWith(bindings, at.team.id), "prepare");
    for (let second = 0; second < 9; second += 1) {
      setClock(NOON + second * SECOND);
      await at.postNew(3, 3 * (second + 1));
    }
    const noted = writes.mock.calls.filter(([query]) => /^update .webhooks/i.test(query)).length;
    expect(noted).toBeGreaterThan(0);
    expect(noted).toBeLessThanOrEqual(2);
    await at.alarmAt(NOON + 20 * SECOND);
    expect(await last()).toBeGreaterThanOrEqual(NOON + 8 * SECOND);
    expect(await last()).toBeLessThan(NOON + 10 * SECOND);
  });

  it("is written after a restart if an earlier write was missed", async () => {
    await at.postNew(1);
    await vi.waitFor(async () => expect(await last()).toBeGreaterThanOrEqual(NOON));
    await put(at.webhook.id, "last_delivery_at", NOON - DAY);
    await evictDurableObject(at.outbox);
    await at.alarmAt(NOON + MINUTE);
    expect(await last()).toBeGreaterThanOrEqual(NOON);
  });
});
