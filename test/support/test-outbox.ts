// A webhook's outbox as tests reach it: batches of any text, the clock, the alarm, what it holds,
// and what its receiver was sent.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { vi } from "vitest";
import type { Env } from "../../src/env.ts";
import type { LoggedDelivery, NewBatch } from "../../src/contracts/outbox-contract.ts";
import type { WebhookOutbox } from "../../src/resources/webhooks/outbox/webhook-outbox.ts";
import { bindings, type TestTeam } from "./api.ts";
import type { ReceivedRequest } from "./delivery-harness.ts";
import type { FakeReceiver } from "./fake-receiver.ts";

export type TestOutbox = DurableObjectStub<WebhookOutbox>;

/**
 * A Wednesday noon far ahead: no alarm that is set relative to it goes off by itself while tests
 * run.
 */
export const NOON = Date.UTC(2031, 0, 15, 12);

export function outboxOf({ id }: { readonly id: string }): TestOutbox {
  return bindings.WEBHOOK_OUTBOX.getByName(id);
}

let made = 0;

/** Batches unlike any other. */
export function newBatches(count: number, eventCount = 1): NewBatch[] {
  return Array.from({ length: count }, () => {
    made += 1;
    const id = `wb_${made}_${crypto.randomUUID()}`;
    return {
      id,
      eventCount,
      body: JSON.stringify({ batch_id: id, timestamp: made, events: [{ id: `evt_${made}` }] }),
    };
  });
}

/** Puts batches into the outbox and wakes it. */
export async function post(
  outbox: TestOutbox,
  team: TestTeam,
  batches: readonly NewBatch[],
): Promise<void> {
  await outbox.enqueue(team.id, batches);
  await outbox.deliver();
}

/** Sets the clock of test and object alike, leaving timers alone. */
export function setClock(now: number): void {
  vi.useFakeTimers({ toFake: ["Date"], now });
}

/** Lets the object's alarm go off at `now`. */
export async function alarmAt(outbox: TestOutbox, now: number): Promise<void> {
  setClock(now);
  if (!(await runDurableObjectAlarm(outbox))) throw new Error("no alarm is set");
}

/** When the alarm goes off next; null: never. */
export function alarmOf(outbox: TestOutbox): Promise<number | null> {
  return runInDurableObject(outbox, (_, state) => state.storage.getAlarm());
}

/** Changes the settings that the object runs with, until it restarts. */
export function configure(outbox: TestOutbox, settings: Partial<Env>): Promise<void> {
  return runInDurableObject(outbox, (instance) => {
    const holder = instance as unknown as { env: unknown };
    holder.env = { ...bindings, ...settings };
  });
}

/**
 * How many batches are known, how many of them wait, and how many entries the log has; null: there
 * are no tables.
 */
export function rowsOf(
  outbox: TestOutbox,
): Promise<{ batches: number; waiting: number; attempts: number } | null> {
  return runInDurableObject(outbox, (_, { storage: { sql } }) => {
    if (sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'batches'").toArray().length === 0)
      return null;
    return sql
      .exec<{ batches: number; waiting: number; attempts: number }>(
        "SELECT (SELECT count(*) FROM batches) AS batches, (SELECT count(*) FROM batches WHERE ended_at IS NULL) AS waiting, (SELECT count(*) FROM attempts) + (SELECT count(*) FROM batches WHERE begun IS NOT NULL) AS attempts",
      )
      .one();
  });
}

/** The log's entries, the oldest first, once there are `count` of them. */
export async function logged(outbox: TestOutbox, count: number): Promise<LoggedDelivery[]> {
  return vi.waitFor(
    async () => {
      const entries = (await outbox.deliveries(1_000, null)).toReversed();
      if (entries.length !== count) throw new Error(`${entries.length} entries, not ${count}`);
      return entries;
    },
    { timeout: 10_000, interval: 20 },
  );
}

/** What the receiver was sent, once it is `count` requests. */
export async function sent(
  receiver: FakeReceiver,
  count: number,
): Promise<readonly ReceivedRequest[]> {
  return vi.waitFor(
    () => {
      if (receiver.received.length !== count)
        throw new Error(`${receiver.received.length} requests, not ${count}`);
      return receiver.received;
    },
    { timeout: 10_000, interval: 20 },
  );
}

export function batchIdOf({ headers }: ReceivedRequest): string {
  return headers["webhook-id"] ?? "";
}
