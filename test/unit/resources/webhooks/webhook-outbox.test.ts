// Tests a webhook's outbox (src/resources/webhooks/outbox/webhook-outbox.ts): every batch is posted
// unchanged until a 2xx or the end of its time, and a restart loses nothing. The test controls
// clock, name server and receivers.
import { abortAllDurableObjects, evictDurableObject, runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { WEBHOOK_WAITING_CHARACTERS } from "../../../../src/limits.ts";
import { bindings, type TestTeam } from "../../../support/api.ts";
import {
  alarmAt,
  alarmOf,
  batchIdOf,
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
import { shown } from "../../../support/test-webhooks.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const NO = () => new Response("no", { status: 503 });

let receiver: FakeReceiver;
let team: TestTeam;
let webhook: { id: string };
let outbox: TestOutbox;

beforeEach(async () => {
  ({ team, webhook, outbox, receiver } = await outboxAtNoon());
});

describe("a batch", () => {
  it("is posted once, unchanged, and recognised when it comes again", async () => {
    const [batch] = newBatches(1, 3);
    if (!batch) throw new Error("no batch");
    expect(await outbox.enqueue(team.id, [batch])).toEqual({ stored: 1 });
    await outbox.deliver();
    const [request] = await sent(receiver, 1);
    expect(request).toMatchObject({
      url: "https://hooks.example.com/postern?team=1",
      body: batch.body,
      headers: { "webhook-id": batch.id },
    });
    expect(await logged(outbox, 1)).toEqual([
      expect.objectContaining({
        batchId: batch.id,
        attempt: 1,
        outcome: "delivered",
        statusCode: 200,
        error: null,
        eventCount: 3,
        nextAttemptAt: null,
      }),
    ]);
    expect(await outbox.enqueue(team.id, [batch])).toEqual({ stored: 0 });
    await outbox.deliver();
    expect(await rowsOf(outbox)).toEqual({ batches: 1, waiting: 0, attempts: 1 });
    expect(receiver.received).toHaveLength(1);
  });

  it("that fails is posted again with the same id and bytes, stamped and signed again, not before its time", async () => {
    receiver.answer = NO;
    const [batch] = newBatches(1);
    await post(outbox, team, batch ? [batch] : []);
    const [first] = await logged(outbox, 1);
    expect(first).toMatchObject({ outcome: "failed", statusCode: 503, error: null });
    const due = first?.nextAttemptAt ?? 0;
    expect(due - NOON).toBeGreaterThanOrEqual(30 * SECOND);
    expect(due - NOON).toBeLessThanOrEqual(60 * SECOND);
    setClock(due - 1);
    await outbox.deliver();
    receiver.answer = () => new Response("ok");
    await alarmAt(outbox, due);
    const [one, two] = await sent(receiver, 2);
    expect(two?.body).toBe(one?.body);
    expect(two?.body).toBe(batch?.body);
    expect(two?.headers["webhook-id"]).toBe(one?.headers["webhook-id"]);
    expect(two?.headers["service-timestamp"]).toBe(String(Math.floor(due / SECOND)));
    expect(two?.headers["service-signature"]).not.toBe(one?.headers["service-signature"]);
    expect((await logged(outbox, 2))[1]).toMatchObject({
      attempt: 2,
      outcome: "delivered",
      nextAttemptAt: null,
    });
  });

  it("is dropped after its last attempt, at the end of 12 hours, and the log says so", async () => {
    receiver.answer = NO;
    const [batch] = newBatches(1);
    await post(outbox, team, batch ? [batch] : []);
    await logged(outbox, 1);
    await alarmAt(outbox, NOON + 12 * HOUR - MINUTE);
    const [, second] = await logged(outbox, 2);
    expect(second).toMatchObject({ attempt: 2, outcome: "failed" });
    await alarmAt(outbox, second?.nextAttemptAt ?? 0);
    const [, , last, drop] = await logged(outbox, 4);
    expect(last).toMatchObject({ attempt: 3, outcome: "failed", nextAttemptAt: null });
    expect(drop).toMatchObject({
      outcome: "dropped",
      attempt: 3,
      statusCode: null,
      latencyMs: null,
      error: "expired",
      nextAttemptAt: null,
    });
    expect(last?.attemptedAt).toBeLessThan(NOON + 12 * HOUR + SECOND);
    expect(receiver.received).toHaveLength(3);
  });
});

describe("five posts", () => {
  it("are under way at once, and no more, each with another batch", async () => {
    const over = new Set<number>();
    receiver.answer = async () => {
      const place = receiver.received.length;
      while (!over.has(place)) await scheduler.wait(5);
      return new Response("ok");
    };
    const batches = newBatches(12);
    await post(outbox, team, batches);
    for (let done = 1; done <= 12; done += 1) {
      await sent(receiver, Math.min(12, done + 4));
      await scheduler.wait(20);
      expect(receiver.received).toHaveLength(Math.min(12, done + 4));
      over.add(done);
    }
    await logged(outbox, 12);
    expect(receiver.received.map(batchIdOf).toSorted()).toEqual(
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
    if (isUnderWay) receiver.answer = () => new Promise(() => undefined);
    await outbox.enqueue(team.id, batches);
    if (isUnderWay) {
      await outbox.deliver();
      await sent(receiver, 5);
    }
    await abortAllDurableObjects();
    receiver.received.length = 0;
    receiver.answer = () => new Response("ok");
    outbox = outboxOf(webhook);
    const alarm = await alarmOf(outbox);
    expect(alarm).toBeLessThanOrEqual(NOON + 30 * SECOND);
    await alarmAt(outbox, alarm ?? 0);
    const requests = await sent(receiver, 7);
    expect(requests.map(({ body }) => body).toSorted()).toEqual(
      batches.map(({ body }) => body).toSorted(),
    );
    expect(
      (await logged(outbox, 7)).every(
        ({ outcome, attempt }) => outcome === "delivered" && attempt === 1,
      ),
    ).toBe(true);
  });

  it("keeps delivered batches, due times and the run of failures", async () => {
    const [delivered] = newBatches(1);
    await post(outbox, team, delivered ? [delivered] : []);
    await logged(outbox, 1);
    receiver.answer = NO;
    await post(outbox, team, newBatches(9));
    const before = await logged(outbox, 10);
    await evictDurableObject(outbox);
    expect(await outbox.deliveries(1_000, null)).toEqual(before.toReversed());
    expect(await outbox.enqueue(team.id, delivered ? [delivered] : [])).toMatchObject({
      stored: 0,
    });
    await outbox.deliver();
    expect(receiver.received).toHaveLength(10);
    await post(outbox, team, newBatches(1));
    await logged(outbox, 11);
    await vi.waitFor(async () =>
      expect(await shown(team, webhook.id)).toMatchObject({ status: "circuit_disabled" }),
    );
  });
});

describe("an old entry", () => {
  it("is deleted after three days, and not before", async () => {
    const batches = newBatches(3);
    await post(outbox, team, batches);
    await logged(outbox, 3);
    await alarmAt(outbox, NOON + 3 * DAY - MINUTE);
    expect(await rowsOf(outbox)).toEqual({ batches: 3, waiting: 0, attempts: 3 });
    expect(await outbox.enqueue(team.id, batches)).toMatchObject({ stored: 0 });
    await alarmAt(outbox, NOON + 3 * DAY + 2 * HOUR);
    expect(await rowsOf(outbox)).toEqual({ batches: 0, waiting: 0, attempts: 0 });
    expect(await alarmOf(outbox)).toBeNull();
  });

  it("is not shown even if it was not swept yet", async () => {
    await post(outbox, team, newBatches(1));
    await logged(outbox, 1);
    setClock(NOON + 3 * DAY + MINUTE);
    expect(await outbox.deliveries(10, null)).toEqual([]);
  });
});

describe("a fault of our own", () => {
  it("in reading the webhook's row delays batches and loses none", async () => {
    const database = vi.spyOn(bindings.DB, "prepare").mockImplementation(() => {
      throw new Error("the database is down");
    });
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    await post(outbox, team, newBatches(2));
    await alarmAt(outbox, NOON + 30 * SECOND);
    expect(receiver.received).toHaveLength(0);
    database.mockRestore();
    await alarmAt(outbox, NOON + MINUTE);
    await logged(outbox, 2);
  });

  it("in decrypting its secrets does not count as an attempt", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const { secret_encrypted: secret } = (await bindings.DB.prepare(
      "SELECT secret_encrypted FROM webhooks WHERE id = ?",
    )
      .bind(webhook.id)
      .first<{ secret_encrypted: string }>()) ?? { secret_encrypted: "" };
    const put = (text: string) =>
      bindings.DB.prepare("UPDATE webhooks SET secret_encrypted = ? WHERE id = ?")
        .bind(text, webhook.id)
        .run();
    await put("AAAA");
    await post(outbox, team, newBatches(1));
    await alarmAt(outbox, NOON + MINUTE);
    expect(await outbox.deliveries(10, null)).toEqual([]);
    await put(secret);
    await alarmAt(outbox, NOON + 2 * MINUTE);
    expect(await logged(outbox, 1)).toMatchObject([{ attempt: 1, outcome: "delivered" }]);
  });
});

describe("a full outbox", () => {
  it("drops new batches, and logs that, until waiting batches have made room", async () => {
    receiver.answer = NO;
    await post(outbox, team, newBatches(1));
    await logged(outbox, 1);
    await runInDurableObject(
      outbox,
      (_, { storage }) =>
        void storage.sql.exec("UPDATE batches SET size = ?", WEBHOOK_WAITING_CHARACTERS),
    );
    await evictDurableObject(outbox);
    const [refused] = newBatches(1);
    expect(await outbox.enqueue(team.id, refused ? [refused] : [])).toMatchObject({ stored: 0 });
    expect((await logged(outbox, 2))[1]).toMatchObject({
      batchId: refused?.id,
      outcome: "dropped",
      error: "backlog_full",
    });
    receiver.answer = () => new Response("ok");
    await alarmAt(outbox, NOON + MINUTE);
    await logged(outbox, 3);
    expect(await outbox.enqueue(team.id, newBatches(1))).toMatchObject({ stored: 1 });
  });
});

describe("an outbox that was never used", () => {
  it("stores nothing, whatever call it gets", async () => {
    await outbox.deliver();
    await outbox.changed();
    expect(await outbox.deliveries(10, null)).toEqual([]);
    expect(await rowsOf(outbox)).toBeNull();
    expect(await alarmOf(outbox)).toBeNull();
  });
});
