// Tests src/resources/webhooks/webhook-batches.ts: the caps of a batch, the order of its events,
// and its id, which depends only on its events.
import { Buffer } from "node:buffer";
import { describe, expect, it } from "vitest";
import type { EventRecord } from "../../../../src/rpc/event-records.ts";
import {
  webhookBatchesOf,
  eventTexts,
} from "../../../../src/resources/webhooks/webhook-batches.ts";
import type { toWebhookEvent } from "../../../../src/resources/webhooks/event.ts";
import type { NewWebhookBatch } from "../../../../src/rpc/outbox-calls.ts";
import { anEvent, NOON } from "../events/sample-events.ts";

interface Body {
  readonly batch_id: string;
  readonly timestamp: number;
  readonly events: ReturnType<typeof toWebhookEvent>[];
}

const KB = 1_024;
const read = ({ body }: NewWebhookBatch): Body => JSON.parse(body) as Body;
const batches = (events: readonly EventRecord[], webhookId = "wh_1", now = NOON, occasion = "") =>
  webhookBatchesOf(webhookId, eventTexts(events), now, occasion);
const some = (count: number, given: (index: number) => Partial<EventRecord> = () => ({})) =>
  Array.from({ length: count }, (_, index) =>
    anEvent("team_1", { occurredAt: NOON + index, ...given(index) }),
  );

describe("a body", () => {
  it("has the batch's id, the time in Unix seconds and the events, and nothing else", () => {
    const [event] = some(1);
    const [batch] = batches(some(1), "wh_1", NOON + 999);
    if (!batch || !event) throw new Error("no batch");
    const body = read(batch);
    expect(Object.keys(body)).toEqual(["batch_id", "timestamp", "events"]);
    expect(body).toMatchObject({ batch_id: batch.id, timestamp: NOON / 1_000 });
    expect(body.events.map(({ type }) => type)).toEqual([event.type]);
    expect(batch.eventCount).toBe(1);
  });

  it("has its events oldest first, and those of one moment by id, in whatever order they came", () => {
    const [first, second, third, fourth] = some(4, (index) => ({
      occurredAt: NOON + (index < 2 ? index : 2),
    }));
    if (!first || !second || !third || !fourth) throw new Error("too few");
    const [batch] = batches([fourth, second, third, first]);
    const ids = batch ? read(batch).events.map(({ id }) => id) : [];
    expect(ids).toEqual([first.id, second.id, ...[third.id, fourth.id].toSorted()]);
  });

  it("may have any text", () => {
    const subject = '" \\ \u2028 \u{1f389} </script> \0';
    const [batch] = batches([anEvent("team_1", { subject })]);
    expect(batch && read(batch).events[0]?.data.subject).toBe(subject);
  });
});

describe("the caps of a batch", () => {
  it.each([
    [0, []],
    [1, [1]],
    [100, [100]],
    [101, [100, 1]],
    [250, [100, 100, 50]],
  ])("%i events make batches of %j", (count, sizes) => {
    const made = batches(some(count));
    expect(made.map(({ eventCount }) => eventCount)).toEqual(sizes);
    expect(made.map((batch) => read(batch).events.length)).toEqual(sizes);
    expect(
      made.flatMap((batch) => read(batch).events.map(({ occurred_at: at }) => Date.parse(at))),
    ).toEqual(some(count).map(({ occurredAt }) => occurredAt));
  });

  it("include 128 KB, counted in bytes", () => {
    const made = batches(some(60, () => ({ subject: "é".repeat(5 * KB) })));
    expect(made.length).toBeGreaterThan(4);
    for (const { body } of made) expect(Buffer.byteLength(body)).toBeLessThanOrEqual(128 * KB);
    for (const { body } of made.slice(0, -1))
      expect(Buffer.byteLength(body)).toBeGreaterThan(110 * KB);
    expect(made.reduce((sum, { eventCount }) => sum + eventCount, 0)).toBe(60);
  });

  it("let a larger event have a batch of its own", () => {
    const made = batches(
      some(3, (index) => ({ headers: { x_big: "x".repeat(index === 1 ? 200 * KB : 10) } })),
    );
    expect(made.map(({ eventCount }) => eventCount)).toEqual([1, 1, 1]);
    expect(Buffer.byteLength(made[1]?.body ?? "")).toBeGreaterThan(200 * KB);
  });
});

describe("a batch's id", () => {
  it("begins with wb_ and has at most 64 plain characters", () => {
    for (const { id } of batches(some(150))) expect(id).toMatch(/^wb_[0-9a-f]{40}$/);
  });

  it("is the same for the same events in any order and at any time", () => {
    const events = some(3);
    expect(batches(events.toReversed(), "wh_1", NOON + 1_000_000).map(({ id }) => id)).toEqual(
      batches(events).map(({ id }) => id),
    );
  });

  it("differs for other events, another webhook or another occasion", () => {
    const events = some(2);
    const ids = [
      batches(events),
      batches(events.slice(1)),
      batches([...events, anEvent("team_1", { occurredAt: NOON + 9 })]),
      batches(events, "wh_2"),
      batches(events, "wh_1", NOON, "replay_1"),
    ].map(([batch]) => batch?.id);
    expect(new Set(ids).size).toBe(5);
  });
});
