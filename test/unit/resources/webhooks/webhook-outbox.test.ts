// Tests a webhook's outbox (src/resources/webhooks/outbox/webhook-outbox.ts): every batch is posted
// unchanged until a 2xx or the end of its time, and a restart loses nothing. The test controls
// clock, name server and receivers.
import { abortAllDurableObjects, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import {
  DAY_MS as DAY,
  HOUR_MS as HOUR,
  MINUTE_MS as MINUTE,
  SECOND_MS as SECOND,
  WEBHOOK_WAITING_CHARACTERS,
} from "../../../../src/limits.ts";
import { bindings } from "../../../support/api.ts";
import {
  batchIdOf,
  newBatches,
  NOON,
  outboxOfEachTest,
  setClock,
} from "../../../support/test-outbox.ts";
import { coreWith } from "../../../../src/db/core-shards.ts";
import { everyCore } from "../../../support/every-core.ts";

const at = outboxOfEachTest();

describe("a batch", () => {
  it("is posted once, unchanged, and recognised when it comes again", async () => {
    const batch = newBatches(1, 3)[0]!;
    expect(await at.enqueue([batch])).toEqual({ stored: 1 });
    await at.outbox.deliver();
    const [request] = await at.requests(1);
    expect(request).toMatchObject({
      url: "https://hooks.example.com/postern?team=1",
      body: batch.body,
      headers: { "webhook-id": batch.id },
    });
    const answer = { statusCode: 200, error: null, nextAttemptAt: null };
    expect(await at.entries(1)).toMatchObject([
      { batchId: batch.id, attempt: 1, outcome: "delivered", eventCount: 3, ...answer },
    ]);
    expect(await at.enqueue([batch])).toEqual({ stored: 0 });
    await at.outbox.deliver();
    expect(await at.rows()).toEqual({ batches: 1, waiting: 0, attempts: 1 });
    expect(at.receiver.received).toHaveLength(1);
  });

  it("that fails is posted again when its wait is over, with the same id and bytes, a new time and a new signature", async () => {
    at.answer(503);
    const [batch] = newBatches(1);
    await at.post([batch!]);
    const [first] = await at.entries(1);
    expect(first).toMatchObject({ outcome: "failed", statusCode: 503, error: null });
    const due = first?.nextAttemptAt ?? 0;
    expect(due - NOON).toBeGreaterThanOrEqual(30 * SECOND);
    expect(due - NOON).toBeLessThanOrEqual(60 * SECOND);
    setClock(due - 1);
    await at.outbox.deliver();
    at.answer(200);
    await at.alarmAt(due);
    const [one, two] = await at.requests(2);
    expect(two?.body).toBe(one?.body);
    expect(two?.body).toBe(batch?.body);
    expect(two?.headers["webhook-id"]).toBe(one?.headers["webhook-id"]);
    expect(two?.headers["service-timestamp"]).toBe(String(Math.floor(due / SECOND)));
    expect(two?.headers["service-signature"]).not.toBe(one?.headers["service-signature"]);
    const last = { attempt: 2, outcome: "delivered", nextAttemptAt: null };
    expect((await at.entries(2))[1]).toMatchObject(last);
  });

  it("is dropped after its last attempt, at the end of 12 hours, and this is logged", async () => {
    at.answer(503);
    await at.postNew(1);
    await at.alarmAt(NOON + 12 * HOUR - MINUTE);
    const [, second] = await at.entries(2);
    expect(second).toMatchObject({ attempt: 2, outcome: "failed" });
    await at.alarmAt(second?.nextAttemptAt ?? 0);
    const [, , last, drop] = await at.entries(4);
    expect(last).toMatchObject({ attempt: 3, outcome: "failed", nextAttemptAt: null });
    const nothing = { statusCode: null, latencyMs: null, nextAttemptAt: null };
    expect(drop).toMatchObject({ outcome: "dropped", attempt: 3, error: "expired", ...nothing });
    expect(last?.attemptedAt).toBeLessThan(NOON + 12 * HOUR + SECOND);
    expect(at.receiver.received).toHaveLength(3);
  });
});

describe("five posts", () => {
  it("are under way at once, and no more, each with another batch", async () => {
    const over = new Set<number>();
    at.receiver.answer = async () => {
      const place = at.receiver.received.length;
      while (!over.has(place)) await scheduler.wait(5);
      return new Response("ok");
    };
    const batches = newBatches(12);
    await at.post(batches);
    for (let done = 1; done <= 12; done += 1) {
      await at.requests(Math.min(12, done + 4));
      await scheduler.wait(20);
      expect(at.receiver.received).toHaveLength(Math.min(12, done + 4));
      over.add(done);
    }
    await at.entries(12);
    expect(at.receiver.received.map(batchIdOf).toSorted()).toEqual(
      batches.map(({ id }) => id).toSorted(),
    );
  });
});

describe("a restart", () => {
  it.each([
    ["before anything was posted", false],
    ["while posts are under way", true],
  ])("%s loses nothing: the alarm posts the same ids and bytes", async (_, isUnderWay) => {
    const batches = newBatches(7);
    if (isUnderWay) at.receiver.answer = () => new Promise(() => undefined);
    await at.enqueue(batches);
    if (isUnderWay) {
      await at.outbox.deliver();
      await at.requests(5);
    }
    await abortAllDurableObjects();
    at.restart();
    at.answer(200);
    const alarm = await at.alarm();
    expect(alarm).toBeLessThanOrEqual(NOON + 30 * SECOND);
    await at.alarmAt(alarm ?? 0);
    const requests = await at.requests(7);
    expect(requests.map(({ body }) => body).toSorted()).toEqual(
      batches.map(({ body }) => body).toSorted(),
    );
    for (const entry of await at.entries(7))
      expect(entry).toMatchObject({ outcome: "delivered", attempt: 1 });
  });

  it("keeps delivered batches, due times and the run of failures", async () => {
    const delivered = newBatches(1);
    await at.post(delivered);
    await at.entries(1);
    at.answer(503);
    await at.post(newBatches(9));
    const before = await at.entries(10);
    await evictDurableObject(at.outbox);
    expect(await at.outbox.deliveries(1_000, null)).toEqual(before.toReversed());
    expect(await at.enqueue(delivered)).toMatchObject({ stored: 0 });
    await at.outbox.deliver();
    expect(at.receiver.received).toHaveLength(10);
    await at.postNew(1, 11);
    await at.statusIs("circuit_disabled");
  });
});

describe("an old entry", () => {
  it("is deleted after three days, and not before", async () => {
    const batches = newBatches(3);
    await at.post(batches);
    await at.entries(3);
    await at.alarmAt(NOON + 3 * DAY - MINUTE);
    expect(await at.rows()).toEqual({ batches: 3, waiting: 0, attempts: 3 });
    expect(await at.enqueue(batches)).toMatchObject({ stored: 0 });
    await at.alarmAt(NOON + 3 * DAY + 2 * HOUR);
    expect(await at.rows()).toEqual({ batches: 0, waiting: 0, attempts: 0 });
    expect(await at.alarm()).toBeNull();
  });
});

describe("a fault of our own", () => {
  it("in reading the webhook's row delays batches and loses none", async () => {
    const database = vi.spyOn(coreWith(bindings, at.team.id), "prepare").mockImplementation(() => {
      throw new Error("the database is down");
    });
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    await at.post(newBatches(2));
    await at.alarmAt(NOON + 30 * SECOND);
    expect(at.receiver.received).toHaveLength(0);
    database.mockRestore();
    await at.alarmAt(NOON + MINUTE);
    await at.entries(2);
  });

  it("in decrypting its secrets does not count as an attempt", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const query = (sql: string, ...values: string[]) =>
      everyCore.prepare(sql).bind(...values, at.webhook.id);
    const put = (text: string) =>
      query("UPDATE webhooks SET secret_encrypted = ? WHERE id = ?", text).run();
    const read = query("SELECT secret_encrypted FROM webhooks WHERE id = ?");
    const secret = (await read.first<string>("secret_encrypted"))!;
    await put("AAAA");
    await at.post(newBatches(1));
    await at.alarmAt(NOON + MINUTE);
    expect(await at.outbox.deliveries(10, null)).toEqual([]);
    await put(secret);
    await at.alarmAt(NOON + 2 * MINUTE);
    expect(await at.entries(1)).toMatchObject([{ attempt: 1, outcome: "delivered" }]);
  });
});

describe("a full outbox", () => {
  it("drops and logs new batches until there is room again", async () => {
    at.answer(503);
    await at.postNew(1);
    await runInDurableObject(
      at.outbox,
      (_, { storage }) =>
        void storage.sql.exec("UPDATE batches SET size = ?", WEBHOOK_WAITING_CHARACTERS),
    );
    await evictDurableObject(at.outbox);
    const refused = newBatches(1);
    expect(await at.enqueue(refused)).toMatchObject({ stored: 0 });
    const dropped = { batchId: refused[0]?.id, outcome: "dropped", error: "backlog_full" };
    expect((await at.entries(2))[1]).toMatchObject(dropped);
    at.answer(200);
    await at.alarmAt(NOON + MINUTE);
    await at.entries(3);
    expect(await at.enqueue(newBatches(1))).toMatchObject({ stored: 1 });
  });
});

describe("an outbox that was never used", () => {
  it("stores nothing, whatever call it gets", async () => {
    await at.outbox.deliver();
    await at.outbox.changed();
    expect(await at.outbox.deliveries(10, null)).toEqual([]);
    expect(await at.rows()).toBeNull();
    expect(await at.alarm()).toBeNull();
  });
});
