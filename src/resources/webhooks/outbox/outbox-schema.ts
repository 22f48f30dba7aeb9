// The tables of one webhook's outbox (docs/storage.md). Keys are times with a counter in them: rows
// stand in the order of time, and what is too old is a range.

/**
 * A batch's row is in one of three states. Fresh: with its `body`, in no index but that of ids, so
 * that most batches are written once when they come and once when they are delivered. Waiting: with
 * `due_at`, by which it is found; its body is in a table of its own then, so that another time
 * rewrites a short row. Ended: with `ended_at`, and without a body. `size` is the body's, in UTF-16
 * units.
 *
 * `begun`, `status` and `latency` are the log's entry of a batch that was delivered at once;
 * `attempts` has all others.
 */
const TABLES = `
  CREATE TABLE IF NOT EXISTS batches (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, events INTEGER NOT NULL, size INTEGER NOT NULL, attempts INTEGER NOT NULL,
    due_at INTEGER, expires_at INTEGER NOT NULL, ended_at INTEGER, begun INTEGER, status INTEGER, latency INTEGER, body TEXT
  );
  CREATE TABLE IF NOT EXISTS bodies (seq INTEGER PRIMARY KEY, body TEXT NOT NULL);
  CREATE INDEX IF NOT EXISTS batches_due ON batches (due_at) WHERE due_at IS NOT NULL;
  CREATE TABLE IF NOT EXISTS attempts (
    seq INTEGER PRIMARY KEY, batch_id TEXT NOT NULL, attempt INTEGER NOT NULL, outcome TEXT NOT NULL, status INTEGER, latency INTEGER, error TEXT,
    events INTEGER NOT NULL, next_at INTEGER
  );
`;

/** A batch with the body to post. */
export interface WaitingBatch {
  readonly seq: number;
  readonly id: string;
  readonly eventCount: number;
  /** That ended before. */
  readonly attempts: number;
  /** Unix milliseconds, as is `expiresAt`. */
  readonly dueAt: number;
  /** Before the first attempt: how long it is kept; then: how long it is tried. */
  readonly expiresAt: number;
  readonly body: string;
}

const KEYS_PER_MS = 1_000;

export function openTables(sql: SqlStorage): void {
  sql.exec(TABLES);
}

/** The first key of that time, Unix milliseconds. */
export function keyAt(ms: number): number {
  return ms * KEYS_PER_MS;
}

/** Of a key, Unix milliseconds. */
export function timeOf(key: number): number {
  return Math.floor(key / KEYS_PER_MS);
}
