// Controls a webhook's outbox for tests: its batches, clock and alarm, its contents, and the
// requests that its receiver got.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { beforeEach, expect, vi } from "vitest";
import type { Env } from "../../src/env.ts";
import type { WebhookDeliveryEntry, NewWebhookBatch } from "../../src/rpc/outbox-calls.ts";
import type { WebhookOutbox } from "../../src/resources/webhooks/outbox/webhook-outbox.ts";
import { bindings, busyTeam, type TestTeam } from "./api.ts";
import type { ReceivedRequest } from "./delivery-harness.ts";
import { FakeReceiver } from "./fakes/fake-receiver.ts";
import { create, shown, type WebhookWithSecret } from "./test-webhooks.ts";

export type TestOutbox = DurableObjectStub<WebhookOutbox>;

/** A Wednesday noon in the far future, so that alarms relative to it never go off by themselves. */
export const NOON = Date.UTC(2031, 0, 15, 12);

export function outboxOf({ id }: { readonly id: string }): TestOutbox {
  return bindings.WEBHOOK_OUTBOX.getByName(id);
}

/** Answers a webhook's delivery with `status`. */
export const answering = (status: number) => () =>
  new Response(status === 204 ? null : "said", { status });

/** A team with one webhook: its outbox, its receiver, and a clock that stands at NOON. */
export class OutboxAtNoon {
  team!: TestTeam;
  webhook!: WebhookWithSecret;
  outbox!: TestOutbox;
  receiver!: FakeReceiver;

  async begin(): Promise<void> {
    vi.spyOn(console, "warn").mockImplementation(() => undefined);
    this.team = await busyTeam();
    this.webhook = await create(this.team);
    this.receiver = new FakeReceiver().install();
    this.outbox = outboxOf(this.webhook);
    setClock(NOON);
  }

  /** Forgets the stub of an object that was aborted, and the requests so far. */
  restart(): void {
    this.outbox = outboxOf(this.webhook);
    this.receiver.received.length = 0;
  }

  answer(status: number): void {
    this.receiver.answer = answering(status);
  }

  enqueue(batches: readonly NewWebhookBatch[]) {
    return this.outbox.enqueue(this.team.id, batches);
  }

  post(batches: readonly NewWebhookBatch[]): Promise<void> {
    return post(this.outbox, this.team, batches);
  }

  /** Posts new batches, and returns the log once it has `entries` entries. */
  async postNew(count: number, entries = count): Promise<WebhookDeliveryEntry[]> {
    await this.post(newBatches(count));
    return this.entries(entries);
  }

  alarmAt = (now: number): Promise<void> => alarmAt(this.outbox, now);
  alarm = (): Promise<number | null> => alarmOf(this.outbox);
  rows = () => rowsOf(this.outbox);
  entries = (count: number): Promise<WebhookDeliveryEntry[]> => logged(this.outbox, count);
  requests = (count: number) => sent(this.receiver, count);
  shown = () => shown(this.team, this.webhook.id);
  statusIs = (status: string) =>
    vi.waitFor(async () => expect(await this.shown()).toMatchObject({ status }), { interval: 20 });
}

/** Returns an outbox that begins anew before each test. */
export function outboxOfEachTest(): OutboxAtNoon {
  const own = new OutboxAtNoon();
  beforeEach(() => own.begin());
  return own;
}

let made = 0;

/** Makes batches with unique ids. */
export function newBatches(count: number, eventCount = 1): NewWebhookBatch[] {
  return Array.from({ length: count }, () => {
    made += 1;
    const id = `wb_${made}_${crypto.randomUUID()}`;
    const events = [{ id: `evt_${made}` }];
    return { id, eventCount, body: JSON.stringify({ batch_id: id, timestamp: made, events }) };
  });
}

/** Puts batches into the outbox and wakes it. */
export async function post(
  outbox: TestOutbox,
  team: TestTeam,
  batches: readonly NewWebhookBatch[],
): Promise<void> {
  await outbox.enqueue(team.id, batches);
  await outbox.deliver();
}

/** Sets the clock of the test and the object, but no timers. */
export function setClock(now: number): void {
  vi.setSystemTime(now);
}

/** Sets the clock to `now` and runs the object's alarm. */
export async function alarmAt(outbox: TestOutbox, now: number): Promise<void> {
  setClock(now);
  if (!(await runDurableObjectAlarm(outbox))) throw new Error("no alarm is set");
}

/** Returns the time of the outbox's next alarm. Null: no alarm is set. */
export function alarmOf(outbox: TestOutbox): Promise<number | null> {
  return runInDurableObject(outbox, (_, state) => state.storage.getAlarm());
}

/** Replaces settings of the Durable Object until it restarts. */
export function configure(outbox: TestOutbox, settings: Partial<Env>): Promise<void> {
  return runInDurableObject(outbox, (instance) => {
    const holder = instance as unknown as { env: unknown };
    holder.env = { ...bindings, ...settings };
  });
}

/**
 * Counts the outbox's known batches, its waiting batches, and the entries of its log. Null: the
 * outbox has made no tables yet.
 */
export function rowsOf(
  outbox: TestOutbox,
): Promise<{ batches: number; waiting: number; attempts: number } | null> {
  return runInDurableObject(outbox, (_, { storage: { sql } }) => {
    if (sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'batches'").toArray().length === 0)
      return null;
    return sql
      .exec<{ batches: number; waiting: number; attempts: number }>(
        "SELECT (SELECT count(*) FROM batches) AS batches, (SELECT count(*) FROM batches " +
          "WHERE ended_at IS NULL) AS waiting, (SELECT count(*) FROM attempts) + (SELECT " +
          "count(*) FROM batches WHERE begun IS NOT NULL) AS attempts",
      )
      .one();
  });
}

/** Waits for `count` entries of the log, and returns them oldest first. */
export async function logged(outbox: TestOutbox, count: number): Promise<WebhookDeliveryEntry[]> {
  return vi.waitFor(
    async () => {
      const entries = (await outbox.deliveries(1_000, null)).toReversed();
      if (entries.length !== count) throw new Error(`${entries.length} entries, not ${count}`);
      return entries;
    },
    { interval: 20 },
  );
}

/** Waits until the receiver got `count` requests. Returns the requests. */
async function sent(receiver: FakeReceiver, count: number): Promise<readonly ReceivedRequest[]> {
  return vi.waitFor(
    () => {
      if (receiver.received.length !== count)
        throw new Error(`${receiver.received.length} requests, not ${count}`);
      return receiver.received;
    },
    { interval: 20 },
  );
}

export function batchIdOf({ headers }: ReceivedRequest): string {
  return headers["webhook-id"] ?? "";
}
