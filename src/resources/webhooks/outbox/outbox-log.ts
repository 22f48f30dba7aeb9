// Stores the log of one webhook's attempts (docs/webhooks.md §The delivery log). Most batches are
// delivered by their first attempt, right after they arrive. The batch's row stores the entry of
// such an attempt, because this row is written at that time anyway. Every other entry has its own
// row.
import { WEBHOOK_LOG_ENTRIES, WEBHOOK_LOG_MS } from "../../../limits.ts";
import type {
  WebhookDeliveryReply,
  WebhookDeliveryError,
  WebhookDeliveryEntry,
} from "../../../rpc/outbox-calls.ts";
import { keyAt, timeOf } from "./outbox-schema.ts";

const INSERT = `
  INSERT INTO attempts
  SELECT value ->> 'position', value ->> 'batchId', value ->> 'attempt', value ->> 'outcome',
    value ->> 'statusCode', value ->> 'latencyMs', value ->> 'error', value ->> 'eventCount',
    value ->> 'nextAttemptAt', value ->> 'reply' FROM json_each(?)
`;

const COLUMNS = `seq AS position, batch_id AS batchId, attempt, outcome, status AS statusCode,
  latency AS latencyMs, error, events AS eventCount, next_at AS nextAttemptAt`;
/**
 * Selects both kinds of entries as rows of `attempts`. ?1 (before) and ?2 (from) limit the
 * positions. ?3 and ?4 limit the keys of batches.
 */
const SELECT = `
  SELECT * FROM (SELECT ${COLUMNS} FROM attempts WHERE seq < ?1 AND seq >= ?2
    ORDER BY seq DESC LIMIT ?5)
  UNION ALL
  SELECT * FROM (
    SELECT begun, id, 1, 'delivered', status, latency, NULL, events, NULL FROM batches
    WHERE seq <= ?3 AND seq >= ?4 AND begun < ?1 AND begun >= ?2 ORDER BY begun DESC LIMIT ?5
  )
  ORDER BY 1 DESC LIMIT ?5 OFFSET ?6
`;

/** Selects the entries of batch ?1. Their positions are higher than the batch's key. */
const SELECT_BATCH = `
  SELECT ${COLUMNS}, reply FROM attempts
  WHERE batch_id = ?1 AND seq >= (SELECT seq FROM batches WHERE id = ?1) AND seq >= ?2
  UNION ALL
  SELECT begun, id, 1, 'delivered', status, latency, NULL, events, NULL, NULL FROM batches
  WHERE id = ?1 AND begun >= ?2
  ORDER BY 1
`;

/**
 * Maximum time between a batch's arrival and an attempt whose entry is in the batch's row, as a
 * difference of keys. After this time, an attempt's entry gets its own row. Rows are in the order
 * of arrival, so this difference limits the search for an entry.
 */
const NEAR = keyAt(10_000);
/**
 * The name of a stored value: the position of the oldest entry that the log shows. Entries before
 * it are hidden, because the log had too many entries.
 */
const FROM = "log_from";

export type LogEntry = LogRow & {
  readonly reply?: string | null;
};

type LogRow = Omit<WebhookDeliveryEntry, "attemptedAt">;

interface Delivered extends Record<string, SqlStorageValue> {
  readonly seq: number;
  readonly latency: number | null;
}

/** Returns whether the entry is stored in the row of its batch. `seq` is the key of that batch. */
export function isInWebhookBatchRow(
  seq: number,
  { outcome, attempt, position }: LogEntry,
): boolean {
  return outcome === "delivered" && attempt === 1 && position >= seq && position <= seq + NEAR;
}

export class OutboxLog {
  readonly #sql: SqlStorage;
  readonly #kv: SyncKvStorage;
  #from: number;
  #lastPosition: number;
  /**
   * The key of the last batch whose row has an entry. Searches begin at this key, because many
   * batches without an entry may have arrived after it.
   */
  #lastInRow: number;

  constructor({ sql, kv }: DurableObjectStorage) {
    this.#sql = sql;
    this.#kv = kv;
    this.#from = kv.get<number>(FROM) ?? 0;
    this.#lastInRow =
      this.#number(
        "SELECT seq AS value FROM batches WHERE begun IS NOT NULL ORDER BY seq DESC LIMIT 1",
      ) ?? 0;
    const [inRow] = this.#newestInRow();
    this.#lastPosition = Math.max(
      inRow?.seq ?? 0,
      this.#number("SELECT max(seq) AS value FROM attempts") ?? 0,
    );
  }

  /**
   * Returns the position in the log for an attempt that begins now. The positions of attempts grow
   * in the order in which they begin.
   */
  nextPosition(now: number): number {
    this.#lastPosition = Math.max(this.#lastPosition + 1, keyAt(now));
    return this.#lastPosition;
  }

  /** Stores log entries in their own rows. */
  add(entries: readonly LogEntry[]): void {
    if (entries.length === 0) return;
    this.#sql.exec(INSERT, JSON.stringify(entries));
  }

  /** Records that the row of the batch with this key now has a log entry. */
  noteInRow(seq: number): void {
    this.#lastInRow = Math.max(this.#lastInRow, seq);
  }

  addDropped(
    batches: readonly { id: string; eventCount: number; attempts: number }[],
    error: WebhookDeliveryError,
    now: number,
  ): void {
    const common = { outcome: "dropped", error, statusCode: null, latencyMs: null } as const;
    this.add(
      batches.map(({ id, eventCount, attempts }) => ({
        ...common,
        position: this.nextPosition(now),
        batchId: id,
        attempt: attempts,
        eventCount,
        nextAttemptAt: null,
      })),
    );
  }

  /** Lists up to `limit` entries of the last three days before position `before`, newest first. */
  entries(limit: number, before: number | null, now: number): WebhookDeliveryEntry[] {
    return this.#read(limit, before ?? Number.MAX_SAFE_INTEGER, this.#oldestShown(now)).map(
      toLogged,
    );
  }

  /** Lists the entries of the last three days for one batch, oldest first. */
  entriesOf(batchId: string, now: number): WebhookDeliveryReply[] {
    return this.#sql
      .exec<LogRow & Pick<WebhookDeliveryReply, "reply">>(
        SELECT_BATCH,
        batchId,
        this.#oldestShown(now),
      )
      .toArray()
      .map(toLogged);
  }

  /** Returns when a batch was last delivered, Unix milliseconds. Null: the log has no delivery. */
  lastDelivery(): number | null {
    const apart = this.#sql
      .exec<Delivered>(
        "SELECT seq, latency FROM attempts WHERE outcome = 'delivered' ORDER BY seq DESC LIMIT 1",
      )
      .toArray();
    const [last] = [...apart, ...this.#newestInRow()].toSorted(
      (left, right) => right.seq - left.seq,
    );
    return last ? timeOf(last.seq) + (last.latency ?? 0) : null;
  }

  /**
   * Deletes old entries, and entries beyond the maximum number. Entries in batches' rows are
   * deleted with these rows.
   */
  sweep(now: number): void {
    const [overflow] = this.#read(
      WEBHOOK_LOG_ENTRIES + 1,
      Number.MAX_SAFE_INTEGER,
      this.#oldestShown(now),
      WEBHOOK_LOG_ENTRIES,
    );
    if (overflow) {
      this.#from = overflow.position + 1;
      this.#kv.put(FROM, this.#from);
    }
    this.#sql.exec("DELETE FROM attempts WHERE seq < ?", this.#oldestShown(now));
  }

  #oldestShown(now: number): number {
    return Math.max(keyAt(now - WEBHOOK_LOG_MS), this.#from);
  }

  /**
   * Reads entries at positions from `from` to before `before`, newest first. Skips the newest
   * `offset` entries, and returns at most `limit` entries.
   */
  #read(limit: number, before: number, from: number, offset = 0): LogRow[] {
    const nth = limit - 1;
    const apart = this.#number(
      "SELECT seq AS value FROM attempts WHERE seq < ? AND seq >= ? ORDER BY seq DESC LIMIT " +
        "1 OFFSET ?",
      before,
      from,
      nth,
    );
    const first = apart ?? from;
    const high = Math.min(before, this.#lastInRow);
    // The rows from this key on have enough entries. An entry is never older than its row, so rows
    // before this key have only older entries.
    const near = this.#number(
      "SELECT seq AS value FROM batches WHERE seq <= ? AND seq >= ? AND begun < ? AND begun " +
        ">= ? ORDER BY seq DESC LIMIT 1 OFFSET ?",
      high,
      first - NEAR,
      before,
      first,
      nth,
    );
    return this.#sql
      .exec<LogRow>(SELECT, before, first, high, (near ?? first) - NEAR, limit, offset)
      .toArray();
  }

  /** Returns the newest entry that is stored in a batch's row, or an empty list. */
  #newestInRow(): Delivered[] {
    return this.#sql
      .exec<Delivered>(
        "SELECT begun AS seq, latency FROM batches WHERE seq <= ? AND seq >= ? AND begun IS " +
          "NOT NULL ORDER BY begun DESC LIMIT 1",
        this.#lastInRow,
        this.#lastInRow - NEAR,
      )
      .toArray();
  }

  #number(query: string, ...values: readonly number[]): number | undefined {
    const [row] = this.#sql.exec<{ value: number | null }>(query, ...values).toArray();
    return row?.value ?? undefined;
  }
}

function toLogged<Row extends LogRow>(row: Row) {
  return { ...row, attemptedAt: timeOf(row.position) };
}
