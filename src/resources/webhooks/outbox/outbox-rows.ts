// Stores the batches of one webhook's outbox (docs/storage.md): waiting batches and ended batches.
// The rows of ended batches keep the ids, so that no batch is accepted twice. Newly arrived batches
// are read from memory (fresh-webhook-batches.ts).
import { WEBHOOK_LOG_MS, WEBHOOK_WAITING_CHARACTERS } from "../../../limits.ts";
import type { Gauges } from "../../../rpc/metrics-calls.ts";
import type { NewWebhookBatch } from "../../../rpc/outbox-calls.ts";
import { FreshWebhookBatches } from "./fresh-webhook-batches.ts";
import { isInWebhookBatchRow, type LogEntry } from "./outbox-log.ts";
import { keyAt, timeOf, type WaitingWebhookBatch } from "./outbox-schema.ts";

const COLUMNS =
  "seq, id, events AS eventCount, attempts, due_at AS dueAt, expires_at AS expiresAt, bodies.body";
/**
 * Parameters: ?1 now, ?2 the time after which a batch must expire, ?3 keys to skip, ?4 the maximum
 * number, ?5 the maximum total of characters.
 */
const SELECT_DUE = `
  SELECT ${COLUMNS} FROM (
    SELECT *, sum(size) OVER (ORDER BY due_at, seq) AS total FROM (
      SELECT seq, id, events, attempts, due_at, expires_at, size FROM batches
      WHERE due_at <= ?1 AND expires_at > ?2 AND seq NOT IN (SELECT value FROM json_each(?3))
      ORDER BY due_at, seq LIMIT ?4
    )
  ) CROSS JOIN bodies USING (seq) WHERE total - size < ?5 ORDER BY due_at, seq
`;
/**
 * Each `value` has the key of a batch that ends. If the batch's row stores the log entry, the
 * entry's values follow the key.
 */
const END = `
  UPDATE batches SET due_at = NULL, body = NULL, ended_at = ?, begun = value ->> 1,
    status = value ->> 2, latency = value ->> 3 FROM json_each(?)
  WHERE seq = value ->> 0 AND ended_at IS NULL RETURNING seq, size
`;
/** Maximum number of expired batches that one sweep ends. */
export const EXPIRIES_PER_ROUND = 2_000;
/** A batch's last attempt is planned for the batch's expiry, and may begin this much later. */
const LATENESS_MS = 60_000;
/** Maximum total number of characters of the bodies in one read. */
const READ_CHARACTERS = 1024 * 1024;
/** A batch as a type alias, because exec() does not accept interfaces. */
type WaitingRow = Pick<WaitingWebhookBatch, keyof WaitingWebhookBatch>;

export class OutboxRows {
  readonly #sql: SqlStorage;
  readonly #fresh: FreshWebhookBatches;
  #lastBatch: number;
  #waiting: number;
  #waitingSize: number;
  #isEmpty: boolean;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    this.#lastBatch = this.#number("SELECT max(seq) AS value FROM batches");
    this.#fresh = new FreshWebhookBatches(storage, this.#lastBatch);
    this.#waiting = this.#number("SELECT count(*) AS value FROM batches WHERE due_at IS NOT NULL");
    this.#waitingSize = this.#number(
      "SELECT sum(size) AS value FROM batches WHERE due_at IS NOT NULL",
    );
    this.#isEmpty = this.#holdsNothing();
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** True if neither batches nor log entries are stored. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /**
   * Stores a batch. Returns `known` if a batch with this id was stored before, and `refused` if the
   * outbox is full. `isStopped`: deliveries are stopped, so the batch does not go out now.
   */
  insert(
    batch: NewWebhookBatch,
    now: number,
    expiresAt: number,
    isStopped: boolean,
  ): "kept" | "known" | "refused" {
    const { body } = batch;
    const hasRoom = this.#waitingSize + body.length <= WEBHOOK_WAITING_CHARACTERS;
    const waiting = { ...batch, seq: this.#nextKey(now), attempts: 0, dueAt: now, expiresAt };
    const isFresh = hasRoom && !isStopped && this.#fresh.hasRoomFor(body);
    const place = isFresh ? "fresh" : hasRoom ? "waiting" : "ended";
    if (!this.#insertRow(waiting, place)) return "known";
    return hasRoom ? "kept" : "refused";
  }

  /**
   * Replaces a waiting batch by parts of it. The parts have the batch's attempts and expiry, and
   * are stored even if the outbox is full. The batch becomes an ended batch without a log entry.
   */
  replace(
    batch: WaitingWebhookBatch,
    parts: readonly NewWebhookBatch[],
    now: number,
  ): WaitingWebhookBatch[] {
    const isReplaced = this.end([batch], now).has(batch.seq);
    return (isReplaced ? parts : [])
      .map((part) => ({ ...batch, ...part, seq: this.#nextKey(now), dueAt: now }))
      .filter((part) => this.#insertRow(part, "waiting"));
  }

  /**
   * Returns the batches with the earliest due times, except batches in `exclude`. Returns at most
   * `limit` batches, or fewer if they are large.
   */
  due(now: number, exclude: ReadonlySet<number>, limit: number): readonly WaitingWebhookBatch[] {
    const fresh = this.#fresh.list(exclude, limit);
    if (this.#waiting === this.#fresh.count) return fresh;
    const indexed = this.#sql
      .exec<WaitingRow>(
        SELECT_DUE,
        now,
        now - LATENESS_MS,
        JSON.stringify([...exclude]),
        limit,
        READ_CHARACTERS,
      )
      .toArray();
    if (fresh.length === 0) return indexed;
    return [...indexed, ...fresh]
      .toSorted((left, right) => left.dueAt - right.dueAt || left.seq - right.seq)
      .slice(0, limit);
  }

  /**
   * Returns the waiting batch that arrived first, even if it is not due. While deliveries are
   * stopped, this batch is the probe.
   */
  oldest(now: number): WaitingWebhookBatch | undefined {
    return this.#sql
      .exec<WaitingRow>(
        `SELECT ${COLUMNS} FROM batches CROSS JOIN bodies USING (seq)
          WHERE seq = (SELECT min(seq) FROM batches INDEXED BY batches_due
            WHERE due_at IS NOT NULL AND expires_at > ?)`,
        now - LATENESS_MS,
      )
      .toArray()[0];
  }

  /**
   * Returns the number of waiting batches for the metrics, and when the oldest batch began to wait.
   * Returns null if no batch waits.
   */
  gauges(): Gauges | null {
    if (this.#waiting === 0) return null;
    const fresh = this.#fresh.firstKey;
    const indexed = this.#number(
      "SELECT min(seq) AS value FROM batches INDEXED BY batches_due WHERE due_at IS NOT NULL",
      fresh,
    );
    return { webhookPending: this.#waiting, webhookOldestAt: timeOf(Math.min(fresh, indexed)) };
  }

  /** Returns when the next batch is due, Unix milliseconds, or Infinity if no batch waits. */
  nextDue(): number {
    const fresh = this.#fresh.firstDueAt;
    if (this.#waiting === this.#fresh.count) return fresh;
    return Math.min(
      fresh,
      this.#number("SELECT min(due_at) AS value FROM batches WHERE due_at IS NOT NULL", fresh),
    );
  }

  /**
   * Ends batches. Delivered batches have an `entry` for the log. Dropped batches do not. Returns
   * the keys of the batches that had not ended before.
   */
  end(
    batches: readonly { readonly seq: number; readonly entry?: LogEntry }[],
    now: number,
  ): ReadonlySet<number> {
    const values = batches.map(({ seq, entry }) =>
      entry && isInWebhookBatchRow(seq, entry)
        ? [seq, entry.position, entry.statusCode, entry.latencyMs]
        : [seq],
    );
    const ended = this.#sql
      .exec<{ seq: number; size: number }>(END, now, JSON.stringify(values))
      .toArray();
    const indexed = ended.map(({ seq }) => seq).filter((seq) => !this.#fresh.forget(seq));
    if (indexed.length > 0)
      this.#sql.exec(
        "DELETE FROM bodies WHERE seq IN (SELECT value FROM json_each(?))",
        JSON.stringify(indexed),
      );
    this.#waiting -= ended.length;
    for (const { size } of ended) this.#waitingSize -= size;
    return new Set(ended.map(({ seq }) => seq));
  }

  /** Postpones a batch after a failure. Returns false if the batch had already ended. */
  postpone(
    { seq, body }: Pick<WaitingWebhookBatch, "seq" | "body">,
    attempts: number,
    dueAt: number,
    expiresAt: number,
  ): boolean {
    const updated = this.#sql.exec(
      "UPDATE batches SET attempts = ?, due_at = ?, expires_at = ?, body = NULL WHERE seq = " +
        "? AND ended_at IS NULL",
      attempts,
      dueAt,
      expiresAt,
      seq,
    );
    if (this.#fresh.forget(seq)) this.#insertBody(seq, body);
    return updated.rowsWritten > 0;
  }

  /** Makes every waiting batch due at once. */
  release(now: number): void {
    this.#sql.exec("UPDATE batches SET due_at = ? WHERE due_at > ?", now, now);
  }

  /** Moves all batches from memory to the index, because they are not posted immediately. */
  indexFresh(): void {
    this.#fresh.indexAll();
  }

  /** Returns expired waiting batches, at most EXPIRIES_PER_ROUND. */
  expired(now: number): Pick<WaitingWebhookBatch, "seq" | "id" | "eventCount" | "attempts">[] {
    return this.#sql
      .exec<Pick<WaitingRow, "seq" | "id" | "eventCount" | "attempts">>(
        "SELECT seq, id, events AS eventCount, attempts FROM batches " +
          "WHERE due_at IS NOT NULL AND expires_at <= ? LIMIT ?",
        now - LATENESS_MS,
        EXPIRIES_PER_ROUND,
      )
      .toArray();
  }

  has(id: string): boolean {
    return this.#sql.exec("SELECT 1 FROM batches WHERE id = ?", id).toArray().length > 0;
  }

  /** Finds a batch by its id. `body` is null after the batch has ended. */
  find(id: string): { readonly events: number; readonly body: string | null } | undefined {
    return this.#sql
      .exec<{ events: number; body: string | null }>(
        "SELECT events, coalesce(batches.body, bodies.body) AS body FROM batches LEFT JOIN " +
          "bodies USING (seq) WHERE id = ?",
        id,
      )
      .toArray()[0];
  }

  /** Deletes old ended batches. The caller must sweep the log first. */
  sweep(now: number): void {
    const oldest = now - WEBHOOK_LOG_MS;
    this.#sql.exec("DELETE FROM batches WHERE seq < ? AND ended_at < ?", keyAt(oldest), oldest);
    this.#isEmpty = this.#holdsNothing();
  }

  #nextKey(now: number): number {
    this.#lastBatch = Math.max(this.#lastBatch + 1, keyAt(now));
    return this.#lastBatch;
  }

  /** Inserts a row. Returns false if a batch with this id was stored before. */
  #insertRow(batch: WaitingWebhookBatch, place: "fresh" | "waiting" | "ended"): boolean {
    const { seq, id, eventCount, attempts, dueAt, expiresAt, body } = batch;
    const inserted = this.#sql.exec(
      "INSERT INTO batches (seq, id, events, size, attempts, due_at, expires_at, ended_at, " +
        "body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
      seq,
      id,
      eventCount,
      body.length,
      attempts,
      place === "waiting" ? dueAt : null,
      expiresAt,
      place === "ended" ? dueAt : null,
      place === "fresh" ? body : null,
    );
    if (inserted.rowsWritten === 0) return false;
    this.#isEmpty = false;
    if (place !== "ended") {
      this.#waiting += 1;
      this.#waitingSize += body.length;
    }
    if (place === "fresh") this.#fresh.keep(batch);
    if (place === "waiting") this.#insertBody(seq, body);
    this.#fresh.countRow(this.#lastBatch);
    return true;
  }

  #insertBody(seq: number, body: string): void {
    this.#sql.exec("INSERT INTO bodies VALUES (?, ?)", seq, body);
  }

  #holdsNothing(): boolean {
    return (
      this.#number(
        "SELECT EXISTS (SELECT 1 FROM batches) + EXISTS (SELECT 1 FROM attempts) AS value",
      ) === 0
    );
  }

  #number(query: string, otherwise = 0): number {
    const [row] = this.#sql.exec<{ value: number | null }>(query).toArray();
    return row?.value ?? otherwise;
  }
}
