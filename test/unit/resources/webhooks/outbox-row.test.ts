// Tests how an outbox follows its webhook's row and records deliveries in that row
// (src/resources/webhooks/outbox/webhook-row-cache.ts): the secrets during a rotation, and the time
// of the last delivery.
import { evictDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { bindings, type TestTeam } from "../../../support/api.ts";
import {
  alarmAt,
  logged,
  newBatches,
  NOON,
  type TestOutbox,
  outboxAtNoon,
  post,
  setClock,
} from "../../../support/test-outbox.ts";
import type { FakeReceiver } from "../../../support/fakes/fake-receiver.ts";
import { put, rotate, shown, type WebhookWithSecret } from "../../../support/test-webhooks.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NO = () => new Response("no", { status: 500 });
const YES = () => new Response(null, { status: 204 });

let receiver: FakeReceiver;
let team: TestTeam;
let webhook: WebhookWithSecret;
let outbox: TestOutbox;

beforeEach(async () => {
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  ({ team, webhook, outbox, receiver } = await outboxAtNoon());
});

describe("a rotation", () => {
  const signatures = (index: number) =>
    receiver.received[index]?.headers["service-signature"]?.split(",").length ?? 0;

  it("signs deliveries with both secrets at once, and with one again when its window is over", async () => {
    await post(outbox, team, newBatches(1));
    await logged(outbox, 1);
    expect(signatures(0)).toBe(2);
    expect((await rotate(team, webhook.id)).status).toBe(200);
    await post(outbox, team, newBatches(1));
    await logged(outbox, 2);
    expect(signatures(1)).toBe(3);
    expect(receiver.received[1]?.headers["webhook-signature"]?.split(" ")).toHaveLength(2);
    const end = Date.parse((await shown(team, webhook.id)).signing_secret_grace_expires_at ?? "");
    setClock(end - SECOND);
    await post(outbox, team, newBatches(1));
    await logged(outbox, 3);
    expect(signatures(2)).toBe(3);
    // The outbox does not read the webhook's row again, so the end of the secret's grace period
    // comes by the clock alone.
    setClock(end);
    await post(outbox, team, newBatches(1));
    await logged(outbox, 4);
    expect(signatures(3)).toBe(2);
  });
});

describe("last_delivery_at", () => {
  const last = async () => Date.parse((await shown(team, webhook.id)).last_delivery_at ?? "");

  it("is set by the first 2xx at once, and only by a 2xx", async () => {
    receiver.answer = NO;
    await post(outbox, team, newBatches(1));
    await logged(outbox, 1);
    await alarmAt(outbox, NOON + 20 * SECOND);
    expect(await shown(team, webhook.id)).toMatchObject({ last_delivery_at: null });
    receiver.answer = YES;
    await post(outbox, team, newBatches(1));
    await vi.waitFor(async () => expect(await last()).toBeGreaterThanOrEqual(NOON));
  });

  it("is the last delivery's time in the end, though not every delivery is written", async () => {
    const writes = vi.spyOn(bindings.DB, "prepare");
    for (let second = 0; second < 9; second += 1) {
      setClock(NOON + second * SECOND);
      await post(outbox, team, newBatches(3));
      await logged(outbox, 3 * (second + 1));
    }
    const noted = writes.mock.calls.filter(([query]) => /^update .webhooks/i.test(query)).length;
    expect(noted).toBeGreaterThan(0);
    expect(noted).toBeLessThanOrEqual(2);
    await alarmAt(outbox, NOON + 20 * SECOND);
    expect(await last()).toBeGreaterThanOrEqual(NOON + 8 * SECOND);
    expect(await last()).toBeLessThan(NOON + 10 * SECOND);
  });

  it("is caught up after a restart", async () => {
    await post(outbox, team, newBatches(1));
    await logged(outbox, 1);
    await vi.waitFor(async () => expect(await last()).toBeGreaterThanOrEqual(NOON));
    await put(webhook.id, "last_delivery_at", NOON - DAY);
    await evictDurableObject(outbox);
    await alarmAt(outbox, NOON + MINUTE);
    expect(await last()).toBeGreaterThanOrEqual(NOON);
  });
});
