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
import { call, type TestTeam } from "../../../support/api.ts";
import type { ReceivedRequest } from "../../../support/delivery-harness.ts";
import type { FakeReceiver } from "../../../support/fakes/fake-receiver.ts";
import {
  alarmAt,
  alarmOf,
  logged,
  NOON,
  outboxAtNoon,
  outboxOf,
  post,
  rowsOf,
  sent,
  setClock,
  type TestOutbox,
} from "../../../support/test-outbox.ts";
import { CHANGE, patch, shown, type WebhookWithSecret } from "../../../support/test-webhooks.ts";
import { anEvent } from "../events/sample-events.ts";

const MINUTE = 60_000;
const NO = () => new Response("no", { status: 500 });
const YES = () => new Response(null, { status: 204 });

type Format = "batch" | "resend";

let receiver: FakeReceiver;
let team: TestTeam;
let webhook: WebhookWithSecret;
let outbox: TestOutbox;

beforeEach(async () => {
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
  ({ team, webhook, outbox, receiver } = await outboxAtNoon());
});

/** Makes batches of at most three events, like those that a ledger sends to an outbox. */
function newBatches(count: number, size = 3): NewWebhookBatch[] {
  return Array.from({ length: count }, (_, index) => {
    const emailId = newEmailId(NOON);
    const events = EVENT_TYPES.slice(0, size).map((type, place) =>
      anEvent(team.id, { type, emailId, attempt: 1, occurredAt: NOON + 3 * index + place }),
    );
    return webhookBatchesOf(webhook.id, eventTexts(events), NOON);
  }).flat();
}

const idsIn = ({ body }: Pick<ReceivedRequest, "body">): string[] =>
  (JSON.parse(body) as { events: { id: string }[] }).events.map(({ id }) => id);
const idsOf = (requests: readonly ReceivedRequest[]): string[] =>
  requests.flatMap((request) => request.headers["svix-id"] ?? idsIn(request));
const sorted = (ids: readonly string[]) => ids.toSorted();

async function setFormat(format: Format): Promise<void> {
  expect((await patch(team, webhook.id, { ...CHANGE, format })).status).toBe(200);
}

/**
 * Opens the circuit by ten failed batches, adds six batches of three events that must wait, and
 * returns all sixteen batches.
 */
async function hold(): Promise<NewWebhookBatch[]> {
  receiver.answer = NO;
  const failing = newBatches(10, 1);
  await post(outbox, team, failing);
  await logged(outbox, 10);
  await vi.waitFor(async () =>
    expect(await shown(team, webhook.id)).toMatchObject({ status: "circuit_disabled" }),
  );
  const held = newBatches(6);
  await post(outbox, team, held);
  receiver.received.length = 0;
  receiver.answer = YES;
  return [...failing, ...held];
}

describe("a webhook of the format resend", () => {
  beforeEach(() => setFormat("resend"));

  it.each(["the first batch of its outbox", "a later batch"])(
    "gets each event of %s in a request of its own, with its own id, retries and outcome",
    async (which) => {
      if (which === "a later batch") {
        await post(outbox, team, newBatches(1));
        await logged(outbox, 3);
        receiver.received.length = 0;
      }
      const before = (await outbox.deliveries(10, null)).length;
      const [batch] = newBatches(1);
      const ids = idsIn(batch!);
      receiver.answer = ({ headers }) => (headers.get("svix-id") === ids[1] ? NO() : YES());
      await post(outbox, team, [batch!]);
      const requests = await sent(receiver, 3);
      expect(sorted(idsOf(requests))).toEqual(sorted(ids));
      const entries = (await logged(outbox, before + 3)).slice(before);
      expect(new Set(entries.map(({ batchId }) => batchId))).toEqual(
        new Set(requests.map(({ headers }) => headers["service-batch-id"])),
      );
      expect(entries.every(({ eventCount, attempt }) => eventCount === 1 && attempt === 1)).toBe(
        true,
      );
      const [failed, ...others] = entries.filter(({ outcome }) => outcome === "failed");
      expect(others).toEqual([]);
      const first = requests.find(({ headers }) => headers["svix-id"] === ids[1]);
      const kept = await call("GET", `/v1/webhooks/${webhook.id}/batches/${failed!.batchId}`, {
        key: team.key,
      });
      expect(await kept.json()).toMatchObject({ event_count: 1, body: first?.body });
      receiver.answer = YES;
      await alarmAt(outbox, failed!.nextAttemptAt!);
      const again = (await sent(receiver, 4))[3]!;
      expect(again.body).toBe(first?.body);
      expect(again.headers).toMatchObject({
        "svix-id": ids[1],
        "webhook-id": ids[1],
        "service-batch-id": failed!.batchId,
        "svix-signature": again.headers["webhook-signature"],
        "svix-timestamp": again.headers["service-timestamp"],
      });
      expect(await rowsOf(outbox)).toMatchObject({ waiting: 0 });
    },
  );

  it("is circuit_disabled after ten failed events, and gets each event once after its recovery", async () => {
    const batches = await hold();
    await alarmAt(outbox, NOON + 6 * MINUTE);
    expect(sorted(idsOf(await sent(receiver, 28)))).toEqual(sorted(batches.flatMap(idsIn)));
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
    expect(await outbox.enqueue(team.id, batches)).toEqual({ stored: 0 });
    await alarmAt(outbox, NOON + 6 * MINUTE);
    const received = await sent(receiver, 28);
    expect(sorted(idsOf(received))).toEqual(sorted(batches.flatMap(idsIn)));
    expect(received.every(({ headers }) => "svix-id" in headers === (to === "resend"))).toBe(true);
    expect(await outbox.enqueue(team.id, batches)).toEqual({ stored: 0 });
    await vi.waitFor(async () => expect(await rowsOf(outbox)).toMatchObject({ waiting: 0 }));
  });

  it("keeps the number of a batch's attempts and the end of its retries for its events", async () => {
    receiver.answer = NO;
    const [batch] = newBatches(1);
    await post(outbox, team, [batch!]);
    const [first] = await logged(outbox, 1);
    await setFormat("resend");
    await alarmAt(outbox, first!.nextAttemptAt!);
    const [, ...second] = await logged(outbox, 4);
    expect(second.map(({ attempt, eventCount }) => [attempt, eventCount])).toEqual([
      [2, 1],
      [2, 1],
      [2, 1],
    ]);
    const last = NOON + 12 * 60 * MINUTE;
    await alarmAt(outbox, last);
    const dropped = (await logged(outbox, 10)).filter(({ outcome }) => outcome === "dropped");
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
      await post(outbox, team, [known!]);
      await logged(outbox, from === "batch" ? 1 : 3);
      await setFormat(to);
      expect(await outbox.enqueue(team.id, [known!, ...more])).toEqual({ stored: 1 });
      await setFormat(from);
      expect(await outbox.enqueue(team.id, [known!, ...more])).toEqual({ stored: 0 });
      await outbox.deliver();
      const requests = await sent(receiver, from === "batch" && to === "resend" ? 4 : 6);
      expect(sorted(idsOf(requests))).toEqual(sorted([known!, ...more].flatMap(idsIn)));
    },
  );

  it("leaves posts under way as they are, and applies to every later post", async () => {
    const goesOn = Promise.withResolvers<void>();
    receiver.answer = async () => {
      await goesOn.promise;
      return YES();
    };
    const batches = newBatches(7);
    await post(outbox, team, batches);
    await sent(receiver, 5);
    await setFormat("resend");
    goesOn.resolve();
    const requests = await sent(receiver, 5 + 2 * 3);
    expect(requests.map(({ headers }) => "svix-id" in headers)).toEqual([
      ...Array<boolean>(5).fill(false),
      ...Array<boolean>(6).fill(true),
    ]);
    expect(sorted(idsOf(requests))).toEqual(sorted(batches.flatMap(idsIn)));
  });

  it("outlives a restart at any moment", async () => {
    const batches = newBatches(4);
    receiver.answer = () => new Promise(() => undefined);
    await post(outbox, team, batches);
    await sent(receiver, 4);
    await setFormat("resend");
    await abortAllDurableObjects();
    outbox = outboxOf(webhook);
    receiver.received.length = 0;
    await alarmAt(outbox, (await alarmOf(outbox))!);
    await sent(receiver, 5);
    await abortAllDurableObjects();
    outbox = outboxOf(webhook);
    receiver.received.length = 0;
    receiver.answer = YES;
    setClock(NOON + 2 * MINUTE);
    await alarmAt(outbox, NOON + 2 * MINUTE);
    expect(sorted(idsOf(await sent(receiver, 12)))).toEqual(sorted(batches.flatMap(idsIn)));
  });
});
