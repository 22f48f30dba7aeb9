// The rows of one webhook's outbox (docs/storage.md): batches that wait, those that have ended, known by their ids so that none is taken twice, and the log of
// attempts. Keys are times with a counter in them: rows stand in the order of time, and what is too old is a range.
import { WEBHOOK_LOG_ENTRIES, WEBHOOK_LOG_MS, WEBHOOK_WAITING_CHARACTERS } from "../../limits.ts";
import type { Gauges } from "../../metrics/contract.ts";
import type { DeliveryError, DeliveryOutcome, LoggedDelivery, NewBatch } from "./outbox-contract.ts";

/**
 * `due_at` is null, and the body gone, once a batch has ended; `size` is its body's, in UTF-16 units. Bodies are a table of their own, so that an end rewrites a short
 * row and frees pages, and does not rewrite a long one.
 */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS batches (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, events INTEGER NOT NULL, size INTEGER NOT NULL, attempts INTEGER NOT NULL,
    due_at INTEGER, expires_at INTEGER NOT NULL, ended_at INTEGER
  );
  CREATE TABLE IF NOT EXISTS bodies (seq INTEGER PRIMARY KEY, body TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS batches_due ON batches (due_at) WHERE due_at IS NOT NULL;
  CREATE TABLE IF NOT EXISTS attempts (
    seq INTEGER PRIMARY KEY, batch_id TEXT NOT NULL, attempt INTEGER NOT NULL, outcome TEXT NOT NULL, status INTEGER, latency INTEGER, error TEXT,
    events INTEGER NOT NULL, next_at INTEGER
  );
`;

const LOG = `
  INSERT INTO attempts
  SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7, value ->> 8 FROM json_each(?)
`;

const KEYS_PER_MS = 1_000;
const SELECT = "SELECT seq, id, events, attempts, expires_at, body FROM batches CROSS JOIN bodies USING (seq)";
/** How many batches are given up in one go. */
export const EXPIRIES_PER_ROUND = 2_000;
/** A last attempt is placed at the end of its batch's time; so late it may still begin. */
const LATENESS_MS = 60_000;

type LogEntry = Omit<LoggedDelivery, "attemptedAt">;

/** A batch with the body to post. */
export interface Waiting {
  readonly seq: number;
  readonly id: string;
  readonly eventCount: number;
  /** That ended before. */
  readonly attempts: number;
  /** Unix milliseconds. Before the first attempt: how long it is kept; then: how long it is tried. */
  readonly expiresAt: number;
  readonly body: string;
}

interface WaitingRow extends Record<string, SqlStorageValue> {
  readonly seq: number;
  readonly id: string;
  readonly events: number;
  readonly attempts: number;
  readonly expires_at: number;
  readonly body: string;
}

interface LogRow extends Record<string, SqlStorageValue> {
  readonly seq: number;
  readonly batch_id: string;
  readonly attempt: number;
  readonly outcome: string;
  readonly status: number | null;
  readonly latency: number | null;
  readonly error: string | null;
  readonly events: number;
  readonly next_at: number | null;
}

export class OutboxRows {
  readonly #sql: SqlStorage;
  #lastBatch: number;
  #lastAttempt: number;
  #waiting = 0;
  #waitingSize = 0;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(SCHEMA);
    this.#lastBatch = this.#number("SELECT max(seq) AS value FROM batches");
    this.#lastAttempt = this.#number("SELECT max(seq) AS value FROM attempts");
    this.#waiting = this.#number("SELECT count(*) AS value FROM batches WHERE due_at IS NOT NULL");
    this.#waitingSize = this.#number("SELECT sum(size) AS value FROM batches WHERE due_at IS NOT NULL");
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** `kept` unless its id is known. `refused`: there is no room for it. */
  insert({ id, eventCount, body }: NewBatch, now: number, expiresAt: number): "kept" | "known" | "refused" {
    const hasRoom = this.#waitingSize + body.length <= WEBHOOK_WAITING_CHARACTERS;
    this.#lastBatch = Math.max(this.#lastBatch + 1, now * KEYS_PER_MS);
    const row = [this.#lastBatch, id, eventCount, body.length, hasRoom ? now : null, expiresAt, hasRoom ? null : now];
    const inserted = this.#sql.exec("INSERT INTO batches VALUES (?, ?, ?, ?, 0, ?, ?, ?) ON CONFLICT (id) DO NOTHING", ...row);
    if (inserted.rowsWritten === 0) return "known";
    if (!hasRoom) return "refused";
    this.#sql.exec("INSERT INTO bodies VALUES (?, ?)", this.#lastBatch, body);
    this.#waiting += 1;
    this.#waitingSize += body.length;
    return "kept";
  }

  /** What is due, the longest first, but for `exclude`. */
  due(now: number, exclude: Iterable<number>, limit: number): Waiting[] {
    return this.#sql
      .exec<WaitingRow>(
        `${SELECT} WHERE due_at <= ? AND expires_at > ? AND seq NOT IN (SELECT value FROM json_each(?)) ORDER BY due_at, seq LIMIT ?`,
        now,
        now - LATENESS_MS,
        JSON.stringify([...exclude]),
        limit,
      )
      .toArray()
      .map(toWaiting);
  }

  /** The batch that was taken first of all that wait, due or not. */
  oldest(now: number): Waiting | undefined {
    const [row] = this.#sql
      .exec<WaitingRow>(
        `${SELECT} WHERE seq = (SELECT min(seq) FROM batches INDEXED BY batches_due WHERE due_at IS NOT NULL AND expires_at > ?)`,
        now - LATENESS_MS,
      )
      .toArray();
    return row && toWaiting(row);
  }

  /** For the metrics: how many wait, and since when the longest; null: none waits. */
  gauges(): Gauges | null {
    if (this.#waiting === 0) return null;
    const oldest = this.#number("SELECT min(seq) AS value FROM batches INDEXED BY batches_due WHERE due_at IS NOT NULL");
    return { webhookPending: this.#waiting, webhookOldestAt: timeOf(oldest) };
  }

  /** When the next batch is due; Infinity: none waits. */
  nextDue(): number {
    return this.#number("SELECT min(due_at) AS value FROM batches WHERE due_at IS NOT NULL", Number.POSITIVE_INFINITY);
  }

  /** They are delivered or given up. Returns those that had not ended before. */
  end<Batch extends { readonly seq: number }>(batches: readonly Batch[], now: number): Batch[] {
    const seqs = JSON.stringify(batches.map(({ seq }) => seq));
    const ended = this.#sql
      .exec<{ seq: number; size: number }>(
        "UPDATE batches SET due_at = NULL, ended_at = ? WHERE seq IN (SELECT value FROM json_each(?)) AND due_at IS NOT NULL RETURNING seq, size",
        now,
        seqs,
      )
      .toArray();
    this.#sql.exec("DELETE FROM bodies WHERE seq IN (SELECT value FROM json_each(?))", seqs);
    this.#waiting -= ended.length;
    for (const { size } of ended) this.#waitingSize -= size;
    const known = new Set(ended.map(({ seq }) => seq));
    return batches.filter(({ seq }) => known.has(seq));
  }

  /** It failed and is tried again. False: it had ended before. */
  postpone(seq: number, attempts: number, dueAt: number, expiresAt: number): boolean {
    const updated = this.#sql.exec(
      "UPDATE batches SET attempts = ?, due_at = ?, expires_at = ? WHERE seq = ? AND due_at IS NOT NULL",
      attempts,
      dueAt,
      expiresAt,
      seq,
    );
    return updated.rowsWritten > 0;
  }

  /** Everything that waits is due. */
  release(now: number): void {
    this.#sql.exec("UPDATE batches SET due_at = ? WHERE due_at > ?", now, now);
  }

  /** What has waited too long, a round's worth at most. */
  expired(now: number): Omit<Waiting, "body" | "expiresAt">[] {
    return this.#sql
      .exec<Pick<WaitingRow, "seq" | "id" | "events" | "attempts">>(
        "SELECT seq, id, events, attempts FROM batches WHERE due_at IS NOT NULL AND expires_at <= ? LIMIT ?",
        now - LATENESS_MS,
        EXPIRIES_PER_ROUND,
      )
      .toArray()
      .map(({ seq, id, events, attempts }) => ({ seq, id, eventCount: events, attempts }));
  }

  /** A position in the log for an attempt that begins now: those that began later come after it. */
  nextPosition(now: number): number {
    this.#lastAttempt = Math.max(this.#lastAttempt + 1, now * KEYS_PER_MS);
    return this.#lastAttempt;
  }

  log(entries: readonly LogEntry[]): void {
    const rows = entries.map(({ position, batchId, attempt, outcome, statusCode, latencyMs, error, eventCount, nextAttemptAt }) => {
      return [position, batchId, attempt, outcome, statusCode, latencyMs, error, eventCount, nextAttemptAt];
    });
    this.#sql.exec(LOG, JSON.stringify(rows));
  }

  logDropped(batches: readonly Pick<Waiting, "id" | "eventCount" | "attempts">[], error: DeliveryError, now: number): void {
    const nothing = { statusCode: null, latencyMs: null, nextAttemptAt: null };
    this.log(
      batches.map(({ id, eventCount, attempts }) => {
        const position = this.nextPosition(now);
        return { ...nothing, position, batchId: id, attempt: attempts, outcome: "dropped", error, eventCount };
      }),
    );
  }

  /** Newest first, `limit` entries of the last three days that stand before `before`. */
  logged(limit: number, before: number | null, now: number): LoggedDelivery[] {
    return this.#sql
      .exec<LogRow>(
        "SELECT * FROM attempts WHERE seq < ? AND seq >= ? ORDER BY seq DESC LIMIT ?",
        before ?? Number.MAX_SAFE_INTEGER,
        oldestKept(now),
        limit,
      )
      .toArray()
      .map(toLogged);
  }

  /** When something was last delivered, Unix milliseconds; null: nothing in the log was. */
  lastDelivery(): number | null {
    const [row] = this.#sql.exec<LogRow>("SELECT * FROM attempts WHERE outcome = 'delivered' ORDER BY seq DESC LIMIT 1").toArray();
    return row ? timeOf(row.seq) + (row.latency ?? 0) : null;
  }

  /** Forgets attempts and ended batches that are too old, or too many. */
  sweep(now: number): void {
    const overflow = this.#number(`SELECT seq AS value FROM attempts ORDER BY seq DESC LIMIT 1 OFFSET ${WEBHOOK_LOG_ENTRIES}`);
    this.#sql.exec("DELETE FROM attempts WHERE seq < ?", Math.max(oldestKept(now), overflow + 1));
    this.#sql.exec("DELETE FROM batches WHERE seq < ? AND due_at IS NULL AND ended_at < ?", oldestKept(now), now - WEBHOOK_LOG_MS);
  }

  isEmpty(): boolean {
    return this.#number("SELECT EXISTS (SELECT 1 FROM batches) + EXISTS (SELECT 1 FROM attempts) AS value") === 0;
  }

  #number(query: string, otherwise = 0): number {
    const [row] = this.#sql.exec<{ value: number | null }>(query).toArray();
    return row?.value ?? otherwise;
  }
}

function oldestKept(now: number): number {
  return (now - WEBHOOK_LOG_MS) * KEYS_PER_MS;
}

function timeOf(position: number): number {
  return Math.floor(position / KEYS_PER_MS);
}

function toWaiting({ seq, id, events, attempts, expires_at: expiresAt, body }: WaitingRow): Waiting {
  return { seq, id, eventCount: events, attempts, expiresAt, body };
}

function toLogged(row: LogRow): LoggedDelivery {
  return {
    position: row.seq,
    batchId: row.batch_id,
    attempt: row.attempt,
    attemptedAt: timeOf(row.seq),
    outcome: row.outcome as DeliveryOutcome,
    statusCode: row.status,
    latencyMs: row.latency,
    error: row.error as DeliveryError | null,
    eventCount: row.events,
    nextAttemptAt: row.next_at,
  };
}
