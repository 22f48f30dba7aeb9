// The table of a ledger's open messages and of its log's rows (docs/storage.md §The log), and the
// numbers of its rows. Both kinds of rows share one counter, so that a log row can replace the row
// of a finished message, which costs one row write and not two. A log row adds LOG_GAP to its
// number, so all log rows follow all open messages. A ledger that starts can therefore read the log
// rows without an index. An index would cost one more billed write for each row.

/** The number of a log row is the counter of rows plus this constant. */
export const LOG_GAP = 2 ** 40;

/** SQL condition for a resting message, which is an open message whose row has a wake time. */
export const RESTS = "wake_at IS NOT NULL AND day IS NULL";

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS ledger (
    seq INTEGER PRIMARY KEY, id TEXT, accepted_at INTEGER, recipients INTEGER, stream TEXT, jobs TEXT, content_key TEXT, meta TEXT, content TEXT,
    day TEXT, at INTEGER, count INTEGER, oldest INTEGER, newest INTEGER, characters INTEGER, events TEXT,
    wake_at INTEGER, since INTEGER, states INTEGER, others INTEGER,
    CHECK (iif(day IS NULL, id IS NOT NULL AND jobs IS NOT NULL AND meta IS NOT NULL, at IS NOT NULL AND events IS NOT NULL))
  );
  CREATE INDEX IF NOT EXISTS ledger_waiting ON ledger (stream, seq, recipients) WHERE stream IS NOT NULL;
  CREATE INDEX IF NOT EXISTS ledger_waiting_id ON ledger (id) WHERE stream IS NOT NULL;
  CREATE INDEX IF NOT EXISTS ledger_resting ON ledger (wake_at, seq, states, others) WHERE ${RESTS};
  CREATE INDEX IF NOT EXISTS ledger_resting_id ON ledger (id) WHERE ${RESTS};
`;

export function createLedgerTable(sql: SqlStorage): void {
  sql.exec(SCHEMA);
}

/** Returns the highest counter value that a row has. */
export function lastNumber(sql: SqlStorage): number {
  const highest = (condition: string): number | null =>
    sql
      .exec<{ seq: number | null }>(
        `SELECT max(seq) AS seq FROM ledger WHERE seq ${condition} ?`,
        LOG_GAP,
      )
      .one().seq;
  return Math.max(highest("<") ?? 0, (highest(">=") ?? LOG_GAP) - LOG_GAP);
}
