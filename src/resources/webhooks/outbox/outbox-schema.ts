// The tables of one webhook's outbox (docs/storage.md). A key is a time with a counter. So rows are
// in the order of time, and outdated rows form one range.

/**
 * A batch's row is in one of three states. Fresh: it has its `body`, and only the index of ids
 * contains it, so that most batches are written only at arrival and at delivery. Waiting: it has
 * `due_at`, which is indexed. Its body is in a table of its own, so that a new due time rewrites
 * only a short row. Ended: it has `ended_at` and no body. `size` is the body's size in UTF-16
 * units. `begun`, `status` and `latency` are the log entry of a batch that was delivered at once;
 * the table `attempts` has all other entries. `reply` is the start of the reply to a failed
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
  /**
   * When the batch may be posted next, Unix milliseconds. `expiresAt` is in Unix milliseconds too.
   */
  readonly dueAt: number;
  /**
   * Unix milliseconds. Before the first attempt, this is the time at which the batch is dropped
   * unsent. After the first attempt, it is the time at which the retries end.
   */
  readonly expiresAt: number;
  readonly body: string;
}

const KEYS_PER_MS = 1_000;

export function openTables(sql: SqlStorage): void {
  sql.exec(TABLES);
}

/** Returns the first key of a moment, given in Unix milliseconds. */
export function keyAt(ms: number): number {
  return ms * KEYS_PER_MS;
}

/** Returns the time in a key, in Unix milliseconds. */
export function timeOf(key: number): number {
  return Math.floor(key / KEYS_PER_MS);
}
