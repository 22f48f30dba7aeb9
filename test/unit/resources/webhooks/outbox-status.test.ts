// Tests how a webhook's status and its deliveries affect each other
// (src/resources/webhooks/outbox/webhook-outbox.ts, contract.md §Circuit): when the circuit breaker
// opens and closes, and what a PATCH does in every state, even if the outbox is not told of it.
import { describe, expect, it, vi } from "vitest";
import {
  HOUR_MS as HOUR,
  MINUTE_MS as MINUTE,
  SECOND_MS as SECOND,
} from "../../../../src/limits.ts";
import { bindings } from "../../../support/api.ts";
import {
  batchIdOf,
  configure,
  newBatches,
  NOON,
  outboxOfEachTest,
} from "../../../support/test-outbox.ts";
import { CHANGE, patch, put } from "../../../support/test-webhooks.ts";
import { coreWith } from "../../../../src/db/core-shards.ts";
import { holdBack } from "./held-answers.ts";

const at = outboxOfEachTest();

const setStatus = async (status: string, change: object = {}) =>
  expect((await patch(at.team, at.webhook.id, { ...CHANGE, status, ...change })).status).toBe(200);
const later = async () => (await at.outbox.deliveries(1, null))[0]?.nextAttemptAt ?? 0;

/** Makes ten batches fail, so that the circuit opens. */
async function open(): Promise<string[]> {
  at.answer(500);
  const batches = newBatches(10);
  await at.post(batches);
  await at.entries(10);
  await at.statusIs("circuit_disabled");
  at.receiver.received.length = 0;
  return batches.map(({ id }) => id);
}

/** Lets the outbox send the probe that is due by `now`. */
async function probe(now: number): Promise<string> {
  const before = at.receiver.received.length;
  const entries = (await at.outbox.deliveries(1_000, null)).length;
  await at.alarmAt(now);
  await at.requests(before + 1);
  await vi.waitFor(async () =>
    expect((await at.outbox.deliveries(1_000, null)).length).toBeGreaterThan(entries),
  );
  return batchIdOf(at.receiver.received[before]!);
}

describe("ten failed attempts in a row", () => {
  it("stop deliveries, except one probe at a time with the oldest batch, every 5 to 15 minutes", async () => {
    const [oldest] = await open();
    await at.post(newBatches(3));
    await at.alarmAt(NOON + 4 * MINUTE);
    expect(at.receiver.received).toHaveLength(0);
    let now = NOON;
    for (const longest of [5.5, 8.25, 12.4, 15, 15]) {
      await at.alarmAt(now + 4.9 * MINUTE);
      now += longest * MINUTE + SECOND;
      expect(await probe(now)).toBe(oldest);
      const next = await later();
      expect(next - now).toBeGreaterThanOrEqual(5 * MINUTE - SECOND);
      expect(next - now).toBeLessThanOrEqual(15 * MINUTE + SECOND);
      await at.statusIs("circuit_disabled");
    }
    expect(at.receiver.received).toHaveLength(5);
    expect(await at.rows()).toMatchObject({ waiting: 13 });
  });

  it("are forgotten with the first 2xx: all held batches go out at once", async () => {
    const failed = await open();
    const queued = newBatches(20);
    await at.post(queued);
    at.answer(204);
    await at.alarmAt(NOON + 6 * MINUTE);
    const requests = await at.requests(30);
    expect(batchIdOf(requests[0]!)).toBe(failed[0]);
    expect(new Set(requests.map(batchIdOf))).toEqual(
      new Set([...failed, ...queued.map(({ id }) => id)]),
    );
    await at.statusIs("active");
    expect(await at.rows()).toMatchObject({ waiting: 0 });
  });

  it("disable the webhook after 72 hours", async () => {
    await open();
    await at.alarmAt(NOON + 72 * HOUR - MINUTE);
    await at.statusIs("circuit_disabled");
    at.receiver.received.length = 0;
    await at.alarmAt(NOON + 72 * HOUR + SECOND);
    await at.statusIs("disabled");
    await at.post(newBatches(2));
    await at.alarmAt(NOON + 73 * HOUR);
    await at.alarmAt(NOON + 74 * HOUR);
    expect(at.receiver.received).toHaveLength(0);
    at.answer(204);
    await setStatus("active");
    await at.requests(2);
    await at.statusIs("active");
  });

  it("are written to the row even if the first write failed", async () => {
    const core = coreWith(bindings, at.team.id);
    const real = core.prepare.bind(core);
    const note = vi.spyOn(core, "prepare").mockImplementation(real);
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    at.answer(500);
    await at.postNew(9);
    note.mockImplementation((query) => {
      if (/^update .webhooks/i.test(query)) throw new Error("the database is down");
      return real(query);
    });
    await at.postNew(1, 10);
    expect(await at.shown()).toMatchObject({ status: "active" });
    note.mockRestore();
    await at.alarmAt(NOON + 20 * SECOND);
    await at.statusIs("circuit_disabled");
  });

  it("lead to waits that RETRY_SPEEDUP divides", async () => {
    await configure(at.outbox, { RETRY_SPEEDUP: "60" });
    const [oldest] = await open();
    expect(await probe(NOON + 6 * SECOND)).toBe(oldest);
    await at.alarmAt(NOON + 73 * MINUTE);
    await at.statusIs("disabled");
  });
});

describe("a PATCH", () => {
  it("to disabled stops deliveries at once; a PATCH back to active sends the waiting batches at once", async () => {
    at.answer(500);
    await at.postNew(3);
    await setStatus("disabled");
    at.answer(204);
    await at.post(newBatches(2));
    await at.alarmAt(NOON + 2 * MINUTE);
    await at.alarmAt(NOON + 2 * HOUR);
    expect(at.receiver.received).toHaveLength(3);
    await setStatus("active");
    await at.requests(8);
    expect((await at.entries(8)).filter(({ outcome }) => outcome === "delivered")).toHaveLength(5);
  });

  it("to disabled is not replaced by the result of a post that was under way", async () => {
    await open();
    const letGo = holdBack(at.receiver);
    await at.alarmAt(NOON + 6 * MINUTE);
    await at.requests(1);
    await setStatus("disabled");
    letGo();
    await at.entries(11);
    await at.alarmAt(NOON + 7 * MINUTE);
    expect(await at.shown()).toMatchObject({ status: "disabled" });
    expect(at.receiver.received).toHaveLength(1);
  });

  it("of the URL sends everything to the new URL, and ends an open circuit", async () => {
    await open();
    at.receiver.names["new.example.com"] = ["93.184.216.35"];
    at.answer(204);
    await setStatus("active", { url: "https://new.example.com/x" });
    const requests = await at.requests(10);
    expect(new Set(requests.map(({ url }) => url))).toEqual(new Set(["https://new.example.com/x"]));
    await at.statusIs("active");
  });

  it.each([
    ["disabled", "active", 12],
    ["active", "disabled", 0],
  ])("to %s takes effect even if the outbox was not told", async (from, to, count) => {
    if (from === "disabled") await setStatus("disabled");
    await at.enqueue(newBatches(12));
    if (from === "disabled") {
      await at.outbox.deliver();
      await at.alarmAt(NOON + MINUTE);
      expect(at.receiver.received).toHaveLength(0);
    }
    await put(at.webhook.id, "status", to);
    await at.alarmAt(NOON + 3 * HOUR);
    await scheduler.wait(50);
    await at.requests(count);
  });
});

describe("a held batch", () => {
  it("is dropped 12 hours after its first attempt, or 72 hours after it came if there was none", async () => {
    await at.postNew(1);
    at.answer(500);
    const tried = newBatches(1);
    await at.post(tried);
    await at.entries(2);
    await setStatus("disabled");
    const untried = newBatches(1);
    await at.post(untried);
    for (const [hours, waiting, [batch], attempt] of [
      [12, 1, tried, 1],
      [72, 0, untried, 0],
    ] as const) {
      await at.alarmAt(NOON + hours * HOUR - MINUTE);
      expect(await at.rows()).toMatchObject({ waiting: waiting + 1 });
      await at.alarmAt(NOON + hours * HOUR + 5 * MINUTE);
      expect(await at.rows()).toMatchObject({ waiting });
      expect(await at.outbox.deliveries(1, null)).toMatchObject([
        { batchId: batch?.id, outcome: "dropped", attempt, error: "expired" },
      ]);
    }
  });
});
