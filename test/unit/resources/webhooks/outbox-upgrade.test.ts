// An outbox that was filled by a version before this one goes on (src/resources/webhooks/outbox-schema.ts): what waits is posted, what was delivered is known, and
// the log is one.
import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { TestTeam } from "../../../support/api.ts";
import {
  alarmAt,
  batchIdOf,
  logged,
  newBatches,
  NOON,
  type Outbox,
  outboxOf,
  post,
  rowsOf,
  sent,
  setClock,
} from "../../../support/outbox.ts";
import { Receiver } from "../../../support/receiver.ts";
import { busyTeam, create } from "../../../support/webhooks.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const TABLES = `
  CREATE TABLE batches (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, events INTEGER NOT NULL, size INTEGER NOT NULL, attempts INTEGER NOT NULL,
    due_at INTEGER, expires_at INTEGER NOT NULL, ended_at INTEGER
  );
  CREATE TABLE bodies (seq INTEGER PRIMARY KEY, body TEXT NOT NULL);
  CREATE INDEX batches_due ON batches (due_at) WHERE due_at IS NOT NULL;
  CREATE TABLE attempts (
    seq INTEGER PRIMARY KEY, batch_id TEXT NOT NULL, attempt INTEGER NOT NULL, outcome TEXT NOT NULL, status INTEGER, latency INTEGER, error TEXT,
    events INTEGER NOT NULL, next_at INTEGER
  );
`;
const [DELIVERED, FAILED, WAITING] = ["wb_delivered", "wb_failed", "wb_waiting"];

let receiver: Receiver;
let team: TestTeam;
let outbox: Outbox;

beforeEach(async () => {
  team = await busyTeam();
  outbox = outboxOf(await create(team));
  receiver = new Receiver().install();
  setClock(NOON);
  await runInDurableObject(outbox, (_, { storage: { sql, kv } }) => {
    const key = (NOON - MINUTE) * 1_000;
    sql.exec(TABLES);
    const insert = "INSERT INTO batches VALUES (?, ?, 1, 2, ?, ?, ?, ?)";
    sql.exec(insert, key, DELIVERED, 0, null, NOON + DAY, NOON - MINUTE);
    sql.exec(insert, key + 1, FAILED, 1, NOON - 1, NOON + DAY, null);
    sql.exec(insert, key + 2, WAITING, 0, NOON - MINUTE, NOON + DAY, null);
    sql.exec("INSERT INTO bodies VALUES (?, '{}1'), (?, '{}2')", key + 1, key + 2);
    sql.exec("INSERT INTO attempts VALUES (?, ?, 1, 'delivered', 200, 5, NULL, 1, NULL)", key + 3, DELIVERED);
    sql.exec("INSERT INTO attempts VALUES (?, ?, 1, 'failed', 500, 6, NULL, 1, ?)", key + 4, FAILED, NOON - 1);
    const standing = { circuit: { kind: "closed", failures: 1 }, published: true, url: null, status: null };
    kv.put("state", { teamId: team.id, standing });
  });
  await evictDurableObject(outbox);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("an outbox of an earlier version", () => {
  it("posts what waits, and takes more", async () => {
    const more = newBatches(3);
    expect(await outbox.enqueue(team.id, [...more, { id: DELIVERED, eventCount: 1, body: "{}" }])).toMatchObject({ stored: 3 });
    await outbox.deliver();
    const requests = await sent(receiver, 5);
    expect(requests.map(batchIdOf).toSorted()).toEqual([FAILED, WAITING, ...more.map(({ id }) => id)].toSorted());
    expect(requests.find((one) => batchIdOf(one) === FAILED)?.body).toBe("{}1");
    expect(requests.find((one) => batchIdOf(one) === WAITING)?.body).toBe("{}2");
    const entries = await logged(outbox, 7);
    expect(entries.slice(0, 2)).toMatchObject([
      { batchId: DELIVERED, outcome: "delivered", attemptedAt: NOON - MINUTE },
      { batchId: FAILED, outcome: "failed", attempt: 1, statusCode: 500, nextAttemptAt: NOON - 1 },
    ]);
    expect(entries.find(({ batchId, attempt }) => batchId === FAILED && attempt === 2)).toMatchObject({ outcome: "delivered" });
    expect(await rowsOf(outbox)).toEqual({ batches: 6, waiting: 0, attempts: 7 });
    await evictDurableObject(outbox);
    expect((await outbox.deliveries(100, null)).toReversed()).toEqual(entries);
  });

  it("forgets what is old after three days", async () => {
    await post(outbox, team, newBatches(1));
    await logged(outbox, 5);
    await alarmAt(outbox, NOON + 3 * DAY + 2 * 60 * MINUTE);
    expect(await rowsOf(outbox)).toEqual({ batches: 0, waiting: 0, attempts: 0 });
  });
});
