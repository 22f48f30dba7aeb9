// Tests the log of a webhook's attempts and the rows of its batches
// (src/resources/webhooks/outbox/outbox-log.ts, outbox-rows.ts), in the storage of an object of
// their own. An entry is in the log or in a row. Both together must show the same entries as one
// row for each attempt would, in the order of time.
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import { DAY_MS as DAY, SECOND_MS as SECOND, WEBHOOK_LOG_ENTRIES } from "../../../../src/limits.ts";
import {
  isInWebhookBatchRow,
  type LogEntry,
  OutboxLog,
} from "../../../../src/resources/webhooks/outbox/outbox-log.ts";
import { OutboxRows } from "../../../../src/resources/webhooks/outbox/outbox-rows.ts";
import { openTables } from "../../../../src/resources/webhooks/outbox/outbox-schema.ts";
import { newBatches, NOON, outboxOf } from "../../../support/test-outbox.ts";

const NEVER = NOON + 365 * DAY;

/** The rows and the log of an outbox, over the same storage. */
class Outbox {
  readonly #storage: DurableObjectStorage;
  rows!: OutboxRows;
  log!: OutboxLog;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.restart();
  }

  restart(): void {
    openTables(this.#storage.sql);
    this.rows = new OutboxRows(this.#storage);
    this.log = new OutboxLog(this.#storage);
  }

  /**
   * Puts a batch into the outbox at `takenAt`, and delivers it by an attempt that begins at
   * `begunAt`.
   */
  deliver(takenAt: number, begunAt: number, isHeld = false): LogEntry {
    return this.post(this.take(takenAt, isHeld), begunAt);
  }

  /** Delivers the batch `id` by an attempt that begins at `begunAt`. */
  post(id: string, begunAt: number): LogEntry {
    const batch = this.due(5_000).find((one) => one.id === id);
    if (!batch) throw new Error("it is not due");
    const entry = this.entryOf(id, begunAt, "delivered");
    this.end(batch.seq, entry);
    return entry;
  }

  due(most: number) {
    return this.rows.due(NEVER, new Set(), most);
  }

  take(now: number, isHeld = false): string {
    const [batch] = newBatches(1);
    if (!batch || this.rows.insert(batch, now, NEVER, isHeld) !== "kept")
      throw new Error("a batch was not taken");
    return batch.id;
  }

  end(seq: number, entry: LogEntry): void {
    expect(this.rows.end([{ seq, entry }], entry.position / 1_000)).toEqual(new Set([seq]));
    if (isInWebhookBatchRow(seq, entry)) this.log.noteInRow(seq);
    else this.log.add([entry]);
  }

  entryOf(batchId: string, begunAt: number, outcome: "delivered" | "failed"): LogEntry {
    const statusCode = outcome === "delivered" ? 200 + Math.floor(Math.random() * 5) : 500;
    const position = this.log.nextPosition(begunAt);
    const rest = { latencyMs: 7, error: null, eventCount: 1, nextAttemptAt: null };
    return { position, batchId, attempt: 1, outcome, statusCode, ...rest };
  }
}

function inStorage<Result>(work: (storage: DurableObjectStorage) => Result): Promise<Result> {
  return runInDurableObject(outboxOf({ id: `wh_${crypto.randomUUID()}` }), (_, { storage }) =>
    work(storage),
  );
}

const shown = (entries: readonly LogEntry[]) =>
  entries
    .toSorted((left, right) => right.position - left.position)
    .map((entry) => ({ ...entry, attemptedAt: Math.floor(entry.position / 1_000) }));

describe("the delivery log", () => {
  it("is in the order of attempts, whether entries are in batches' rows or apart, page by page and after a restart", async () => {
    await inStorage((storage) => {
      const outbox = new Outbox(storage);
      const entries: LogEntry[] = [];
      let now = NOON;
      for (let count = 0; count < 400; count += 1) {
        now += 1_700;
        // Seven steps repeat in turn. The delays repeat after three or five rounds, so each step
        // occurs with each of its delays.
        switch (count % 7) {
          case 0:
            outbox.take(now, count % 2 === 0);
            break;
          case 1: {
            const failed = outbox.entryOf(`wb_${count}`, now, "failed");
            outbox.log.add([failed]);
            entries.push(failed);
            break;
          }
          case 2: {
            // Two later batches overtake this one.
            const id = outbox.take(now);
            entries.push(outbox.deliver(now + 1, now + 1), outbox.deliver(now + 2, now + 2, true));
            now += (count % 5) * 3 * SECOND;
            entries.push(outbox.post(id, now));
            break;
          }
          case 3:
            entries.push(outbox.deliver(now, now + (count % 3) * 9 * SECOND, true));
            now += 18 * SECOND;
            break;
          default:
            entries.push(outbox.deliver(now, now + 20));
        }
        if (count % 90 === 89) outbox.restart();
      }
      const apart = countOf(storage, "attempts");
      expect(apart).toBeGreaterThan(50);
      expect(apart).toBeLessThan(entries.length - 50);
      const all = shown(entries);
      expect(outbox.log.entries(1_000, null, now)).toEqual(all);
      for (const limit of [1, 2, 7, 100]) {
        for (let at = 0; at < all.length; at += limit) {
          const before = all[at]?.position ?? 0;
          expect(outbox.log.entries(limit, before, now)).toEqual(all.slice(at + 1, at + 1 + limit));
        }
      }
      const last = all.find(({ outcome }) => outcome === "delivered");
      expect(outbox.log.lastDelivery()).toBe((last?.attemptedAt ?? 0) + 7);
      expect(outbox.log.nextPosition(0)).toBe((all[0]?.position ?? 0) + 1);
    });
  });

  it("also shows batches that were delivered late or by a second attempt", async () => {
    await inStorage((storage) => {
      const outbox = new Outbox(storage);
      const late = outbox.deliver(NOON, NOON + 3_600 * SECOND);
      outbox.take(NOON + 3_601 * SECOND);
      const [batch] = outbox.due(1);
      const { id, seq } = batch!;
      const failed = outbox.entryOf(id, NOON + 3_601 * SECOND, "failed");
      outbox.rows.postpone(batch!, 1, NOON + 3_602 * SECOND, NEVER);
      outbox.log.add([failed]);
      const second = { ...outbox.entryOf(id, NOON + 3_602 * SECOND, "delivered"), attempt: 2 };
      outbox.end(seq, second);
      expect(outbox.log.entries(10, null, NOON + 3_603 * SECOND)).toEqual(
        shown([late, failed, second]),
      );
    });
  });

  it("shows three days, and the newest 100,000 entries after a sweep", async () => {
    await inStorage((storage) => {
      const outbox = new Outbox(storage);
      const many = WEBHOOK_LOG_ENTRIES / 2 + 10;
      const numbers = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${many})`;
      const at = (i: string) => `${NOON * 1_000} + ${i} * 1000`;
      storage.sql.exec(
        `${numbers} INSERT INTO attempts SELECT ${at("i")}, 'wb_a' || i, 1, 'failed', 500, ` +
          "5, NULL, 1, NULL, NULL FROM n",
      );
      storage.sql.exec(
        `${numbers} INSERT INTO batches SELECT ${at("i")} + 1, 'wb_b' || i, 1, 9, 0, NULL, ` +
          `${NEVER}, ${NOON} + i, ${at("i")} + 2, 200, 5, NULL FROM n`,
      );
      outbox.restart();
      const now = NOON + DAY;
      const oldest = () => outbox.log.entries(100, NOON * 1_000 + 11_000, now);
      expect(oldest()).toHaveLength(20);
      outbox.log.sweep(now);
      outbox.rows.sweep(now);
      const idsBelow = (second: number, asked = now) =>
        outbox.log.entries(9, (NOON + second) * 1_000, asked).map(({ batchId }) => batchId);
      expect(idsBelow(12)).toEqual(["wb_b11", "wb_a11"]);
      expect(storage.sql.exec("SELECT min(seq) AS first FROM attempts").one()["first"]).toBe(
        NOON * 1_000 + 11_000,
      );
      outbox.restart();
      expect(oldest()).toEqual([]);
      // The outbox still knows a batch for three days after the batch's entries have left the log.
      expect(outbox.rows.insert({ id: "wb_b1", eventCount: 1, body: "" }, now, NEVER, false)).toBe(
        "known",
      );
      const end = NOON + 3 * DAY + many / 2;
      const inTime = ["wb_b25005", "wb_a25005"];
      expect(idsBelow(many / 2 + 1, end)).toEqual(inTime);
      outbox.log.sweep(end);
      outbox.rows.sweep(end);
      expect(countOf(storage, "batches")).toBe(many / 2 + 1);
      expect(idsBelow(many / 2 + 1, end)).toEqual(inTime);
    });
  });
});

describe("a batch that is delivered at once", () => {
  it("costs three rows: two when it comes, one when it is delivered", async () => {
    await inStorage((storage) => {
      const outbox = new Outbox(storage);
      const exec = vi.spyOn(Object.getPrototypeOf(storage.sql) as SqlStorage, "exec");
      outbox.deliver(NOON, NOON + SECOND);
      const cursors = exec.mock.results.map(({ value }) => value as SqlStorageCursor<never>);
      const written = cursors.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0);
      exec.mockRestore();
      expect(written).toBe(3);
    });
  });
});

describe("fresh batches", () => {
  it("are all found after a restart, however many came, and in their order", async () => {
    await inStorage((storage) => {
      const outbox = new Outbox(storage);
      const waiting: string[] = [];
      for (let count = 0; count < 3_500; count += 1) {
        if (count % 500 === 499) waiting.push(outbox.take(NOON + count));
        else outbox.deliver(NOON + count, NOON + count);
      }
      expect(outbox.rows.waiting).toBe(waiting.length);
      expect(outbox.due(100).map(({ id }) => id)).toEqual(waiting);
      outbox.restart();
      expect(outbox.rows.waiting).toBe(waiting.length);
      expect(idsAndBodies(outbox)).toEqual(waiting.map((id) => [id, id]));
      expect(outbox.rows.oldest(NOON)?.id).toBe(waiting[0]);
    });
  });

  it("are found by a restart without reading all rows", async () => {
    await inStorage((storage) => {
      const outbox = new Outbox(storage);
      for (let count = 0; count < 2_500; count += 1) outbox.deliver(NOON + count, NOON + count);
      expect(storage.kv.get("fresh_from")).toBeGreaterThan((NOON + 1_900) * 1_000);
    });
  });

  it("are posted in the order of their arrival among the other due batches", async () => {
    await inStorage((storage) => {
      const outbox = new Outbox(storage);
      const first = outbox.take(NOON);
      const others = [outbox.take(NOON + 1, true), outbox.take(NOON + 2)];
      const [batch] = outbox.due(1);
      outbox.rows.postpone(batch!, 1, NOON + 2 * SECOND, NEVER);
      const all = [...others, first, outbox.take(NOON + 3 * SECOND)];
      expect(outbox.due(10).map(({ id }) => id)).toEqual(all);
      expect(outbox.due(2).map(({ id }) => id)).toEqual(others);
      outbox.rows.indexFresh();
      expect(idsAndBodies(outbox)).toEqual(all.map((id) => [id, id]));
      expect(countOf(storage, "batches WHERE body IS NOT NULL")).toBe(0);
    });
  });

  it("are kept in memory up to a number and a size, and the others are read from their rows", async () => {
    await inStorage((storage) => {
      const outbox = new Outbox(storage);
      const ids = Array.from({ length: 1_200 }, (_, count) => outbox.take(NOON + count));
      expect(countOf(storage, "bodies")).toBe(200);
      expect(outbox.due(2_000).map(({ id }) => id)).toEqual(ids);
    });
  });
});

function idsAndBodies(outbox: Outbox): string[][] {
  return outbox
    .due(100)
    .map(({ id, body }) => [id, (JSON.parse(body) as { batch_id: string }).batch_id]);
}

function countOf({ sql }: DurableObjectStorage, rows: string): number {
  return sql.exec<{ count: number }>(`SELECT count(*) AS count FROM ${rows}`).one().count;
}
