// Tests a webhook's format in its outbox (src/resources/webhooks/outbox/outbox-format.ts,
// contract.md §Formats): events of the format `resend` are sent one by one. A change of the format
// at any moment loses no event and doubles no event.
import { abortAllDurableObjects } from "cloudflare:test";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { NewWebhookBatch } from "../../../../src/rpc/outbox-calls.ts";
import { EVENT_TYPES } from "../../../../src/rpc/event-types.ts";
import { newEmailId } from "../../../../src/lib/ids.ts";
import {
  webhookBatchesOf,
  eventTexts,
} from "../../../../src/resources/webhooks/webhook-batches.ts";
import { call } from "../../../support/api.ts";
import type { ReceivedRequest } from "../../../support/delivery-harness.ts";
import { answering, NOON, outboxOfEachTest } from "../../../support/test-outbox.ts";
import { CHANGE, patch } from "../../../support/test-webhooks.ts";
import { anEvent } from "../events/sample-events.ts";
import { holdBack } from "./held-answers.ts";

const MINUTE = 60_000;

type Format = "batch" | "resend";

const at = outboxOfEachTest();

/** Makes batches of at most three events, like those that a ledger sends to an outbox. */
function newBatches(count: number, size = 3): NewWebhookBatch[] {
  return Array.from({ length: count }, (_, index) => {
    const emailId = newEmailId(NOON);
    const events = EVENT_TYPES.slice(0, size).map((type, place) =>
      anEvent(at.team.id, { type, emailId, attempt: 1, occurredAt: NOON + 3 * index + place }),
    );
    return webhookBatchesOf(at.webhook.id, eventTexts(events), NOON);
  }).flat();
}

const idsIn = ({ body }: Pick<ReceivedRequest, "body">): string[] =>
  (JSON.parse(body) as { events: { id: string }[] }).events.map(({ id }) => id);
const idsOf = (requests: readonly ReceivedRequest[]): string[] =>
  requests.flatMap((request) => request.headers["svix-id"] ?? idsIn(request));
const sorted = (ids: readonly string[]) => ids.toSorted();

async function setFormat(format: Format): Promise<void> {
  expect((await patch(at.team, at.webhook.id, { ...CHANGE, format })).status).toBe(200);
}

/**
 * Opens the circuit by ten failed batches, adds six batches of three events that must wait, and
 * returns all sixteen batches.
 */
async function hold(): Promise<NewWebhookBatch[]> {
  at.answer(500);
  const failing = newBatches(10, 1);
  await at.post(failing);
  await at.entries(10);
  await at.statusIs("circuit_disabled");
  const held = newBatches(6);
  await at.post(held);
  at.receiver.received.length = 0;
  at.answer(204);
  return [...failing, ...held];
}

describe("a webhook of the format resend", () => {
  beforeEach(() => setFormat("resend"));

  it.each(["the first batch of its outbox", "a later batch"])(
    "gets each event of %s in a request of its own, with its own id, retries and outcome",
    async (which) => {
      if (which === "a later batch") {
        await at.post(newBatches(1));
        await at.entries(3);
        at.receiver.received.length = 0;
      }
      const before = (await at.outbox.deliveries(10, null)).length;
      const [batch] = newBatches(1);
      const ids = idsIn(batch!);
      at.receiver.answer = ({ headers }) =>
        headers.get("svix-id") === ids[1] ? answering(500)() : answering(204)();
      await at.post([batch!]);
      const requests = await at.requests(3);
      expect(sorted(idsOf(requests))).toEqual(sorted(ids));
      const entries = (await at.entries(before + 3)).slice(before);
      expect(new Set(entries.map(({ batchId }) => batchId))).toEqual(
        new Set(requests.map(({ headers }) => headers["service-batch-id"])),
      );
      expect(entries.every(({ eventCount, attempt }) => eventCount === 1 && attempt === 1)).toBe(
        true,
      );
      const [failed, ...others] = entries.filter(({ outcome }) => outcome === "failed");
      expect(others).toEqual([]);
      const first = requests.find(({ headers }) => headers["svix-id"] === ids[1]);
      const kept = await call("GET", `/v1/webhooks/${at.webhook.id}/batches/${failed!.batchId}`, {
        key: at.team.key,
      });
      expect(await kept.json()).toMatchObject({ event_count: 1, body: first?.body });
      at.answer(204);
      await at.alarmAt(failed!.nextAttemptAt!);
      const again = (await at.requests(4))[3]!;
      expect(again.body).toBe(first?.body);
      expect(again.headers).toMatchObject({
        "svix-id": ids[1],
        "webhook-id": ids[1],
        "service-batch-id": failed!.batchId,
        "svix-signature": again.headers["webhook-signature"],
        "svix-timestamp": again.headers["service-timestamp"],
      });
      expect(await at.rows()).toMatchObject({ waiting: 0 });
    },
  );

  it("is circuit_disabled after ten failed events, and gets each event once after its recovery", async () => {
    const batches = await hold();
    await at.alarmAt(NOON + 6 * MINUTE);
    expect(sorted(idsOf(await at.requests(28)))).toEqual(sorted(batches.flatMap(idsIn)));
  });
});

describe("a change of the format", () => {
  it.each<[Format, Format]>([
    ["batch", "resend"],
    ["resend", "batch"],
  ])("from %s to %s while events are held loses none and doubles none", async (from, to) => {
    await setFormat(from);
    const batches = await hold();
    await setFormat(to);
    expect(await at.enqueue(batches)).toEqual({ stored: 0 });
    await at.alarmAt(NOON + 6 * MINUTE);
    const received = await at.requests(28);
    expect(sorted(idsOf(received))).toEqual(sorted(batches.flatMap(idsIn)));
    expect(received.every(({ headers }) => "svix-id" in headers === (to === "resend"))).toBe(true);
    expect(await at.enqueue(batches)).toEqual({ stored: 0 });
    await vi.waitFor(async () => expect(await at.rows()).toMatchObject({ waiting: 0 }));
  });

  it("keeps the number of a batch's attempts and the end of its retries for its events", async () => {
    at.answer(500);
    const [batch] = newBatches(1);
    await at.post([batch!]);
    const [first] = await at.entries(1);
    await setFormat("resend");
    await at.alarmAt(first!.nextAttemptAt!);
    const [, ...second] = await at.entries(4);
    expect(second.map(({ attempt, eventCount }) => [attempt, eventCount])).toEqual([
      [2, 1],
      [2, 1],
      [2, 1],
    ]);
    const last = NOON + 12 * 60 * MINUTE;
    await at.alarmAt(last);
    const dropped = (await at.entries(10)).filter(({ outcome }) => outcome === "dropped");
    expect(dropped.map(({ error }) => error)).toEqual(["expired", "expired", "expired"]);
  });

  it.each<[Format, Format]>([
    ["batch", "resend"],
    ["resend", "batch"],
  ])(
    "from %s to %s sends no delivered event again, even if the event is handed over again",
    async (from, to) => {
      await setFormat(from);
      const [known, ...more] = newBatches(2);
      await at.post([known!]);
      await at.entries(from === "batch" ? 1 : 3);
      await setFormat(to);
      expect(await at.enqueue([known!, ...more])).toEqual({ stored: 1 });
      await setFormat(from);
      expect(await at.enqueue([known!, ...more])).toEqual({ stored: 0 });
      await at.outbox.deliver();
      const requests = await at.requests(from === "batch" && to === "resend" ? 4 : 6);
      expect(sorted(idsOf(requests))).toEqual(sorted([known!, ...more].flatMap(idsIn)));
    },
  );

  it("leaves posts under way as they are, and applies to every later post", async () => {
    const letGo = holdBack(at.receiver);
    const batches = newBatches(7);
    await at.post(batches);
    await at.requests(5);
    await setFormat("resend");
    letGo();
    const requests = await at.requests(5 + 2 * 3);
    expect(requests.map(({ headers }) => "svix-id" in headers)).toEqual([
      ...Array<boolean>(5).fill(false),
      ...Array<boolean>(6).fill(true),
    ]);
    expect(sorted(idsOf(requests))).toEqual(sorted(batches.flatMap(idsIn)));
  });

  it("outlives a restart at any moment", async () => {
    const batches = newBatches(4);
    at.receiver.answer = () => new Promise(() => undefined);
    await at.post(batches);
    await at.requests(4);
    await setFormat("resend");
    await abortAllDurableObjects();
    at.restart();
    await at.alarmAt((await at.alarm())!);
    await at.requests(5);
    await abortAllDurableObjects();
    at.restart();
    at.answer(204);
    await at.alarmAt(NOON + 2 * MINUTE);
    expect(sorted(idsOf(await at.requests(12)))).toEqual(sorted(batches.flatMap(idsIn)));
  });
});
