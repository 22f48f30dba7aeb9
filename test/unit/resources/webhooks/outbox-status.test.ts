// Tests how a webhook's status and its deliveries affect each other
// (src/resources/webhooks/outbox/webhook-outbox.ts, contract.md §Circuit): when the circuit breaker
// opens and closes, and what a PATCH does in every state, even if the outbox is not told of it.
import { beforeEach, describe, expect, it, vi } from "vitest";
import { bindings, type TestTeam } from "../../../support/api.ts";
import {
  alarmAt,
  batchIdOf,
  configure,
  logged,
  newBatches,
  NOON,
  type TestOutbox,
  outboxAtNoon,
  post,
  rowsOf,
  sent,
} from "../../../support/test-outbox.ts";
import type { FakeReceiver } from "../../../support/fakes/fake-receiver.ts";
import {
  CHANGE,
  patch,
  put,
  shown,
  type WebhookWithSecret,
} from "../../../support/test-webhooks.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
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

const statusIs = (status: string) =>
  vi.waitFor(async () => expect(await shown(team, webhook.id)).toMatchObject({ status }));
const setStatus = async (status: string, change: object = {}) =>
  expect((await patch(team, webhook.id, { ...CHANGE, status, ...change })).status).toBe(200);
const later = async () => (await outbox.deliveries(1, null))[0]?.nextAttemptAt ?? 0;

/** Makes ten batches fail, so that the circuit opens. */
async function open(): Promise<string[]> {
  receiver.answer = NO;
  const batches = newBatches(10);
  await post(outbox, team, batches);
  await logged(outbox, 10);
  await statusIs("circuit_disabled");
  receiver.received.length = 0;
  return batches.map(({ id }) => id);
}

/** Lets the outbox send the probe that is due by `now`. */
async function probe(now: number): Promise<string> {
  const before = receiver.received.length;
  const entries = (await outbox.deliveries(1_000, null)).length;
  await alarmAt(outbox, now);
  await sent(receiver, before + 1);
  await vi.waitFor(async () =>
    expect((await outbox.deliveries(1_000, null)).length).toBeGreaterThan(entries),
  );
  return batchIdOf(
    receiver.received[before] ?? { url: "", method: "", headers: {}, body: "", redirect: "" },
  );
}

describe("ten failed attempts in a row", () => {
  it("stop deliveries, except one probe at a time with the oldest batch, every 5 to 15 minutes", async () => {
    const [oldest] = await open();
    await post(outbox, team, newBatches(3));
    await alarmAt(outbox, NOON + 4 * MINUTE);
    expect(receiver.received).toHaveLength(0);
    let now = NOON;
    for (const longest of [5.5, 8.25, 12.4, 15, 15]) {
      await alarmAt(outbox, now + 4.9 * MINUTE);
      now += longest * MINUTE + SECOND;
      expect(await probe(now)).toBe(oldest);
      const next = await later();
      expect(next - now).toBeGreaterThanOrEqual(5 * MINUTE - SECOND);
      expect(next - now).toBeLessThanOrEqual(15 * MINUTE + SECOND);
      await statusIs("circuit_disabled");
    }
    expect(receiver.received).toHaveLength(5);
    expect(await rowsOf(outbox)).toMatchObject({ waiting: 13 });
  });

  it("are forgotten with the first 2xx: all held batches go out at once", async () => {
    const failed = await open();
    const queued = newBatches(20);
    await post(outbox, team, queued);
    receiver.answer = YES;
    await alarmAt(outbox, NOON + 6 * MINUTE);
    const requests = await sent(receiver, 30);
    expect(
      batchIdOf(requests[0] ?? { url: "", method: "", headers: {}, body: "", redirect: "" }),
    ).toBe(failed[0]);
    expect(new Set(requests.map(batchIdOf))).toEqual(
      new Set([...failed, ...queued.map(({ id }) => id)]),
    );
    await statusIs("active");
    expect(await rowsOf(outbox)).toMatchObject({ waiting: 0 });
  });

  it("disable the webhook after 72 hours", async () => {
    await open();
    await alarmAt(outbox, NOON + 72 * HOUR - MINUTE);
    await statusIs("circuit_disabled");
    receiver.received.length = 0;
    await alarmAt(outbox, NOON + 72 * HOUR + SECOND);
    await statusIs("disabled");
    await post(outbox, team, newBatches(2));
    await alarmAt(outbox, NOON + 73 * HOUR);
    await alarmAt(outbox, NOON + 74 * HOUR);
    expect(receiver.received).toHaveLength(0);
    receiver.answer = YES;
    await setStatus("active");
    await sent(receiver, 2);
    await statusIs("active");
  });

  it("are written to the row even if the first write failed", async () => {
    const real = bindings.DB.prepare.bind(bindings.DB);
    const note = vi.spyOn(bindings.DB, "prepare").mockImplementation(real);
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    receiver.answer = NO;
    await post(outbox, team, newBatches(9));
    await logged(outbox, 9);
    note.mockImplementation((query) => {
      if (/^update .webhooks/i.test(query)) throw new Error("the database is down");
      return real(query);
    });
    await post(outbox, team, newBatches(1));
    await logged(outbox, 10);
    expect(await shown(team, webhook.id)).toMatchObject({ status: "active" });
    note.mockRestore();
    await alarmAt(outbox, NOON + 20 * SECOND);
    await statusIs("circuit_disabled");
  });

  it("have their waits divided by the speed-up", async () => {
    await configure(outbox, { RETRY_SPEEDUP: "60" });
    const [oldest] = await open();
    expect(await probe(NOON + 6 * SECOND)).toBe(oldest);
    await alarmAt(outbox, NOON + 73 * MINUTE);
    await statusIs("disabled");
  });
});

describe("a PATCH", () => {
  it("to disabled stops deliveries at once; back to active sends what waited at once", async () => {
    receiver.answer = NO;
    await post(outbox, team, newBatches(3));
    await logged(outbox, 3);
    await setStatus("disabled");
    receiver.answer = YES;
    await post(outbox, team, newBatches(2));
    await alarmAt(outbox, NOON + 2 * MINUTE);
    await alarmAt(outbox, NOON + 2 * HOUR);
    expect(receiver.received).toHaveLength(3);
    await setStatus("active");
    await sent(receiver, 8);
    expect((await logged(outbox, 8)).filter(({ outcome }) => outcome === "delivered")).toHaveLength(
      5,
    );
  });

  it("to disabled is not replaced by the result of a post that was under way", async () => {
    await open();
    const end = { isHere: false };
    receiver.answer = async () => {
      while (!end.isHere) await scheduler.wait(5);
      return YES();
    };
    await alarmAt(outbox, NOON + 6 * MINUTE);
    await sent(receiver, 1);
    await setStatus("disabled");
    end.isHere = true;
    await logged(outbox, 11);
    await alarmAt(outbox, NOON + 7 * MINUTE);
    expect(await shown(team, webhook.id)).toMatchObject({ status: "disabled" });
    expect(receiver.received).toHaveLength(1);
  });

  it("of the URL sends everything to the new URL, and ends an open circuit", async () => {
    await open();
    receiver.names["new.example.com"] = ["93.184.216.35"];
    receiver.answer = YES;
    await setStatus("active", { url: "https://new.example.com/x" });
    const requests = await sent(receiver, 10);
    expect(new Set(requests.map(({ url }) => url))).toEqual(new Set(["https://new.example.com/x"]));
    await statusIs("active");
  });

  it.each([
    ["disabled", "active", 12],
    ["active", "disabled", 0],
  ])("to %s takes effect even if the outbox was not told", async (from, to, count) => {
    if (from === "disabled") await setStatus("disabled");
    await outbox.enqueue(team.id, newBatches(12));
    if (from === "disabled") {
      await outbox.deliver();
      await alarmAt(outbox, NOON + MINUTE);
      expect(receiver.received).toHaveLength(0);
    }
    await put(webhook.id, "status", to);
    await alarmAt(outbox, NOON + 3 * HOUR);
    await scheduler.wait(50);
    await sent(receiver, count);
  });
});

describe("a held batch", () => {
  it("is dropped 12 hours after its first attempt, or 72 hours after it came if there was none", async () => {
    await post(outbox, team, newBatches(1));
    await logged(outbox, 1);
    receiver.answer = NO;
    const [tried] = newBatches(1);
    await post(outbox, team, tried ? [tried] : []);
    await logged(outbox, 2);
    await setStatus("disabled");
    const [untried] = newBatches(1);
    await post(outbox, team, untried ? [untried] : []);
    await alarmAt(outbox, NOON + 12 * HOUR - MINUTE);
    expect(await rowsOf(outbox)).toMatchObject({ waiting: 2 });
    await alarmAt(outbox, NOON + 12 * HOUR + 5 * MINUTE);
    expect(await rowsOf(outbox)).toMatchObject({ waiting: 1 });
    expect((await outbox.deliveries(1, null))[0]).toMatchObject({
      batchId: tried?.id,
      outcome: "dropped",
      attempt: 1,
      error: "expired",
    });
    await alarmAt(outbox, NOON + 72 * HOUR - MINUTE);
    expect(await rowsOf(outbox)).toMatchObject({ waiting: 1 });
    await alarmAt(outbox, NOON + 72 * HOUR + 5 * MINUTE);
    expect(await rowsOf(outbox)).toMatchObject({ waiting: 0 });
    expect((await outbox.deliveries(1, null))[0]).toMatchObject({
      batchId: untried?.id,
      outcome: "dropped",
      attempt: 0,
      error: "expired",
    });
  });
});
