// Tests a replay (src/resources/webhooks/replay/webhook-replay.ts, docs/webhooks.md §Replay) with
// the real history, outbox and queue, and with fake receivers.
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { newId } from "../../../../src/lib/ids.ts";
import { HOUR_MS as HOUR, MINUTE_MS as MINUTE, WEBHOOK_REPLAYS } from "../../../../src/limits.ts";
import type { EventRecord } from "../../../../src/rpc/event-records.ts";
import { EVENT_TYPES } from "../../../../src/rpc/event-types.ts";
import { toWebhookEvent } from "../../../../src/resources/webhooks/event.ts";
import { fanOut } from "../../../../src/resources/webhooks/fan-out.ts";
import { bindings, busyTeam, type TestTeam, errorsOf } from "../../../support/api.ts";
import { FakeReceiver } from "../../../support/fakes/fake-receiver.ts";
import { create } from "../../../support/test-webhooks.ts";
import { anEvent, write } from "../events/sample-events.ts";
import { ON_SHARD_0 } from "../../../support/shard-bindings.ts";
import { writePast } from "../events/past-events.ts";
import { holdBack } from "./held-answers.ts";

interface Body {
  readonly batch_id: string;
  readonly timestamp: number;
  readonly events: ReturnType<typeof toWebhookEvent>[];
}

let receiver: FakeReceiver;
let team: TestTeam;
let now: number;
/**
 * The webhook's URL. Each test has another one, so that late deliveries of the test before do not
 * reach its receiver.
 */
let url: string;

beforeEach(async () => {
  url = `https://hooks.example.com/${crypto.randomUUID()}`;
  receiver = new FakeReceiver().install();
  team = await busyTeam();
  now = Date.now();
});
const replaysOf = (webhookId: string) => bindings.WEBHOOK_REPLAY.getByName(webhookId);
const outboxOf = (webhookId: string) => bindings.WEBHOOK_OUTBOX.getByName(webhookId);
const requests = () => receiver.received.filter((request) => request.url === url);
const bodies = () => requests().map(({ body }) => JSON.parse(body) as Body);
const received = () => bodies().flatMap(({ events }) => events);
const receivedIds = () => received().map(({ id }) => id);
const sorted = (ids: readonly string[]) => ids.toSorted((left, right) => (left < right ? -1 : 1));
const idsOf = (events: readonly { readonly id: string }[]) => sorted(events.map(({ id }) => id));
const webhook = (events: readonly string[] = EVENT_TYPES) =>
  create(team, { name: "Replays", url, events });
const underWay = (webhookId: string) =>
  runInDurableObject(
    replaysOf(webhookId),
    (_, { storage }) => storage.sql.exec("SELECT id FROM replays").toArray().length,
  );
/** Hands the events to the webhook as new ones. */
const deliver = (id: string, events: readonly EventRecord[]) =>
  fanOut(
    bindings,
    team.id,
    events,
    [{ id, status: "active", events: EVENT_TYPES, format: "batch", autoReplies: false }],
    5_000,
  );
const arrived = (events: readonly EventRecord[]) =>
  vi.waitFor(() => expect(sorted(receivedIds())).toEqual(idsOf(events)));

const past = (count: number, given: Partial<EventRecord> = {}, from = now - MINUTE) =>
  writePast(team, count, from, given);

const ask = (webhookId: string, body: unknown) =>
  team.post(`/v1/webhooks/${webhookId}/replay`, body);

async function replay(
  webhookId: string,
  wish: Record<string, unknown> = { start: new Date(now - 20 * HOUR).toISOString() },
): Promise<void> {
  expect((await ask(webhookId, wish)).status).toBe(202);
}

describe("a replay", () => {
  it("sends the events as they were sent the first time, ids and headers included, to its webhook alone", async () => {
    const own = await past(3, { attempt: 1, tags: ["a"], topic: "receipts" });
    const words = { smtpCode: 550, smtpResponse: "550 5.1.1 No such user" };
    const bounce = { type: "permanent", classification: "InvalidRecipient", ...words } as const;
    const complaint = { feedbackType: "abuse", userAgent: null, reportedAt: now - HOUR };
    const suppression = { reason: "manual", topic: "*", classification: null };
    const others: Partial<EventRecord>[] = [
      { type: "email.bounced", attempt: 1, smtpCode: 550, bounce },
      { type: "email.complained", complaint },
      { type: "email.suppressed", suppression },
      { type: "email.opened", tracking: { user_agent: "Mozilla/5.0" } },
    ];
    for (const [hours, given] of others.entries())
      own.push(...(await past(1, given, now - (hours + 1) * HOUR)));
    const { id } = await webhook();
    const elsewhere = "https://hooks.example.com/other";
    await create(team, { name: "Other", url: elsewhere, events: [...EVENT_TYPES] });
    await replay(id);
    await arrived(own);
    const byId = (events: Body["events"]) =>
      events.toSorted((left, right) => (left.id < right.id ? -1 : 1));
    expect(byId(received())).toEqual(byId(own.map(toWebhookEvent)));
    expect(receiver.received.filter((request) => request.url === elsewhere)).toEqual([]);
    expect(requests()[0]?.headers["webhook-id"]).toBe(bodies()[0]?.batch_id);
    expect(requests()).toHaveLength(1);
  });

  it("sends a long history in batches of at most 100, each with its oldest event first, and ends", async () => {
    const events = await past(330);
    const { id } = await webhook();
    await replay(id);
    await arrived(events);
    for (const { events: batch } of bodies()) {
      expect(batch.length).toBeLessThanOrEqual(100);
      const times = batch.map((event) => event.occurred_at);
      expect(times).toEqual(times.toSorted());
    }
    await expect.poll(() => underWay(id)).toBe(0);
    expect(await runDurableObjectAlarm(replaysOf(id))).toBe(true);
    await arrived(events);
  });

  it("includes the window's start and excludes its end", async () => {
    const [last, ...inside] = await past(5);
    const oldest = inside.at(-1);
    await past(2, {}, now - HOUR);
    const { id } = await webhook();
    await replay(id, {
      start: new Date(oldest?.occurredAt ?? 0).toISOString(),
      end: new Date(last?.occurredAt ?? 0).toISOString(),
    });
    await arrived(inside);
  });

  it("sends the types that it names, or else those of the webhook", async () => {
    const bounced = await past(2, {
      type: "email.bounced",
      bounce: { type: "expired", classification: null, smtpCode: null, smtpResponse: null },
    });
    const delivered = await past(3, {}, now - HOUR);
    const opened = await past(1, { type: "email.opened", tracking: {} }, now - 2 * HOUR);
    const { id } = await webhook(["email.bounced", "email.opened"]);
    await replay(id);
    await arrived([...bounced, ...opened]);
    receiver.received.length = 0;
    const start = new Date(now - 20 * HOUR).toISOString();
    await replay(id, { start, event_types: ["email.delivered"] });
    await arrived(delivered);
  });

  it("is delivered at each request, even if the same events were just delivered", async () => {
    const events = await past(3);
    const { id } = await webhook();
    await deliver(id, events);
    await arrived(events);
    await replay(id);
    await arrived([...events, ...events]);
    await replay(id);
    await arrived([...events, ...events, ...events]);
    expect(new Set(bodies().map(({ batch_id }) => batch_id)).size).toBe(3);
  });

  it("uses the webhook's present format, and the events keep their ids in any format", async () => {
    const events = await past(3);
    const { id, name, status } = await webhook();
    await replay(id);
    await arrived(events);
    const change = { name, url, events: EVENT_TYPES, status, format: "resend" };
    await team.patch(`/v1/webhooks/${id}`, change);
    for (const times of [1, 2]) {
      await replay(id);
      const ids = () => requests().flatMap(({ headers }) => headers["svix-id"] ?? []);
      await expect.poll(() => ids().length).toBe(3 * times);
      expect(sorted([...new Set(ids())])).toEqual(idsOf(events));
    }
    const names = requests().map(({ headers }) => headers["service-batch-id"]);
    expect(new Set(names).size).toBe(7);
  });

  it("contains no events of another team", async () => {
    const own = await past(1);
    const neighbour = newId("team");
    await write({ id: neighbour, number: 1_999_999, shards: ON_SHARD_0 }, [
      anEvent(neighbour, { occurredAt: now - MINUTE }),
    ]);
    const { id } = await webhook();
    await replay(id);
    await arrived(own);
  });

  it("begins at the primary, and then reads only replicas that are up to date", async () => {
    const sessions = vi.spyOn(Object.getPrototypeOf(bindings.SHARD_0) as D1Database, "withSession");
    const events = await past(250);
    const { id } = await webhook();
    await replay(id);
    await arrived(events);
    const begun = sessions.mock.calls
      .filter((_, index) => sessions.mock.contexts[index] === bindings.SHARD_0)
      .map(([text]) => text);
    expect(begun).toEqual([
      "first-primary",
      expect.stringMatching(/^[0-9a-f-]+$/),
      expect.stringMatching(/^[0-9a-f-]+$/),
    ]);
    expect(received().every(({ data }) => data.headers?.["x_order"] !== undefined)).toBe(true);
  });
});

describe("a replay to a receiver that is slow", () => {
  /**
   * Long headers, so that a batch has some 25 events. A replay then reads some 250 events from the
   * history in advance.
   */
  const headers = { x_long: "x".repeat(4_500) };
  const MANY = 600;
  const pastMany = () => past(MANY, { headers });

  const busy = () => vi.waitFor(() => expect(requests()).not.toEqual([]), { interval: 5 });
  /** Runs the replay's alarm without the replay's pauses, until nothing is left to do. */
  const runToEnd = (id: string) =>
    vi.waitFor(async () => {
      await runDurableObjectAlarm(replaysOf(id));
      expect(await underWay(id)).toBe(0);
    });

  it("has only a few batches in the outbox at once, and lets new events through in between", async () => {
    const events = await pastMany();
    const { id } = await webhook();
    const letGo = holdBack(receiver);
    await replay(id);
    await busy();
    // No alarm is set while one runs, so two more alarms mean that two turns have ended.
    for (const _ of [1, 2])
      await vi.waitFor(async () => expect(await runDurableObjectAlarm(replaysOf(id))).toBe(true));
    expect(await outboxOf(id).waiting()).toBeLessThanOrEqual(14);
    const [fresh] = await past(1, {}, now - 20 * 24 * HOUR);
    await deliver(id, [fresh!]);
    letGo();
    await runToEnd(id);
    await arrived([...events, fresh!]);
    const place = receivedIds().indexOf(fresh!.id);
    expect(place).toBeGreaterThan(0);
    expect(place).toBeLessThan(MANY - 20);
  });

  it("continues after a kill where it was", async () => {
    const events = await pastMany();
    const { id } = await webhook();
    const letGo = holdBack(receiver);
    await replay(id);
    await busy();
    await evictDurableObject(replaysOf(id));
    letGo();
    await runToEnd(id);
    await arrived(events);
  });
});

it("a webhook has at most ten replays under way", async () => {
  const { id } = await webhook();
  await runInDurableObject(replaysOf(id), (_, { storage }) => {
    for (let index = 0; index < WEBHOOK_REPLAYS; index += 1)
      storage.sql.exec(
        "INSERT INTO replays (id, team_id, types, start, at, event_id) VALUES (?, ?, '[]', " +
          "0, 1, '')",
        `rpl_${index}`,
        team.id,
      );
  });
  expect(await errorsOf(ask(id, { start: new Date(now - HOUR).toISOString() }))).toEqual({
    replays: [expect.stringMatching(/^are limited to 10 at a time/)],
  });
  expect(await underWay(id)).toBe(WEBHOOK_REPLAYS);
});
