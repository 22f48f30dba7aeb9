// The tables of one webhook's outbox (docs/storage.md). A key is a time with a counter. So rows are
// sorted by time, and all old rows are in one range of keys.

/**
 * A batch's row has one of three states. A fresh row has `body`, and is only in the index of ids,
 * so that most batches need only two writes, at arrival and at delivery. A waiting row has
 * `due_at`, which is indexed. Its body is in another table, so that a new due time rewrites only a
 * short row. An ended row has `ended_at` and no body. `size` is the body's size in UTF-16 units.
 * `begun`, `status` and `latency` are the log entry of a batch that was delivered at once. The
 * table `attempts` has all other entries. `reply` is the beginning of the response to a failed
 * attempt.
 */
const TABLES = `
  CREATE TABLE IF NOT EXISTS batches (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, events INTEGER NOT NULL,
    size INTEGER NOT NULL, attempts INTEGER NOT NULL,
    due_at INTEGER, expires_at INTEGER NOT NULL, ended_at INTEGER, begun INTEGER, status INTEGER,
    latency INTEGER, body TEXT
  );
  CREATE TABLE IF NOT EXISTS bodies (seq INTEGER PRIMARY KEY, body TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS batches_due ON batches (due_at) WHERE due_at IS NOT NULL;
  CREATE TABLE IF NOT EXISTS attempts (
    seq INTEGER PRIMARY KEY, batch_id TEXT NOT NULL, attempt INTEGER NOT NULL,
    outcome TEXT NOT NULL, status INTEGER, latency INTEGER, error TEXT,
    events INTEGER NOT NULL, next_at INTEGER, reply TEXT
  );
`;

/** A batch with the body to post. */
export interface WaitingWebhookBatch {
  readonly seq: number;
  readonly id: string;
  readonly eventCount: number;
  /** Number of attempts that have ended. */
  readonly attempts: number;
  /** When the batch may be posted next, Unix milliseconds. */
  readonly dueAt: number;
  /**
   * The batch's expiry, Unix milliseconds. At this time, a batch without an attempt is dropped
   * unsent, and the retries of any other batch end.
   */
  readonly expiresAt: number;
  readonly body: string;
}

const KEYS_PER_MS = 1_000;

export function openTables(sql: SqlStorage): void {
  sql.exec(TABLES);
}

/** Returns the first key of a time in Unix milliseconds. */
export function keyAt(ms: number): number {
  return ms * KEYS_PER_MS;
}

/** Returns the time in a key, in Unix milliseconds. */
export function timeOf(key: number): number {
  return Math.floor(key / KEYS_PER_MS);
}
