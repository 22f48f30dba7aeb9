// The table of a ledger's open messages and of its log's rows (docs/storage.md §The log), and the
// numbers of its rows. Both kinds of rows share one counter, so that a log row can replace the row
// of a finished message, which costs one row write and not two. A log row adds LOG_GAP to its
// number, so all log rows follow all open messages, and a start reads the log rows without an
// index. An index would cost one more billed write for each row.
//
// The worker's previous version (decision 0022) mixes both kinds of rows, and stores no wake time
// for messages that are only on disk (resting-rows.ts). It creates the table `stuck` at each start,
// so the existence of `stuck` shows that the rows need a conversion. `convertTo` is the highest
// number that the previous version may have written.
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS ledger (
    seq INTEGER PRIMARY KEY, id TEXT, accepted_at INTEGER, recipients INTEGER, stream TEXT, jobs TEXT, content_key TEXT, meta TEXT, content TEXT,
    day TEXT, at INTEGER, count INTEGER, oldest INTEGER, newest INTEGER, characters INTEGER, events TEXT,
    wake_at INTEGER, since INTEGER, states INTEGER, others INTEGER,
    CHECK (iif(day IS NULL, id IS NOT NULL AND jobs IS NOT NULL AND meta IS NOT NULL, at IS NOT NULL AND events IS NOT NULL))
  );
`;
const NEW_COLUMNS = ["wake_at", "since", "states", "others"];

/** SQL condition for a resting message, which is an open message whose row has a wake time. */
export const RESTS = "wake_at IS NOT NULL AND day IS NULL";

/** SQL condition of the index that finds messages which are not converted yet. */
export const UNCONVERTED = "day IS NULL AND stream IS NULL";

const INDEXES = `
  CREATE INDEX IF NOT EXISTS ledger_waiting ON ledger (stream, seq, recipients) WHERE stream IS NOT NULL;
  CREATE INDEX IF NOT EXISTS ledger_waiting_id ON ledger (id) WHERE stream IS NOT NULL;
  CREATE INDEX IF NOT EXISTS ledger_resting ON ledger (wake_at, seq, states, others) WHERE ${RESTS};
  CREATE INDEX IF NOT EXISTS ledger_resting_id ON ledger (id) WHERE ${RESTS};
  CREATE TABLE IF NOT EXISTS ledger_layout (id INTEGER PRIMARY KEY CHECK (id = 1), log_from INTEGER NOT NULL, converted INTEGER NOT NULL, convert_to INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS earlier_log_rows (seq INTEGER PRIMARY KEY);
  CREATE TABLE IF NOT EXISTS stuck_messages (id TEXT PRIMARY KEY, since INTEGER NOT NULL, jobs INTEGER NOT NULL) WITHOUT ROWID;
`;

/** The difference between the number of a log row and the counter of rows. */
export const LOG_GAP = 2 ** 40;

interface Layout extends Record<string, SqlStorageValue> {
  log_from: number;
  converted: number;
  convert_to: number;
}

export class LedgerTable {
  readonly sql: SqlStorage;
  /** The lowest number of a log row, except for the rows in the table earlier_log_rows. */
  readonly logFrom: number;
  readonly convertTo: number;
  /** All open messages up to this number are converted to the current layout. */
  #converted: number;

  constructor(sql: SqlStorage) {
    this.sql = sql;
    const isNew = !hasTable(sql, "ledger");
    sql.exec(SCHEMA);
    if (!isNew) addColumns(sql);
    sql.exec(INDEXES);
    if (hasTable(sql, "stuck")) adoptRows(sql);
    else sql.exec("INSERT OR IGNORE INTO ledger_layout VALUES (1, ?, 0, 0)", LOG_GAP);
    const layout = sql
      .exec<Layout>("SELECT log_from, converted, convert_to FROM ledger_layout")
      .one();
    this.logFrom = layout.log_from;
    this.convertTo = layout.convert_to;
    this.#converted = layout.converted;
  }

  get converted(): number {
    return this.#converted;
  }

  get isConverted(): boolean {
    return this.#converted >= this.convertTo;
  }

  noteConverted(seq: number): void {
    this.#converted = seq;
    this.sql.exec("UPDATE ledger_layout SET converted = ?", seq);
    if (this.isConverted) this.sql.exec("DROP INDEX IF EXISTS ledger_unconverted_id");
  }

  /** The highest counter value that a row has. */
  lastNumber(): number {
    const highest = (condition: string): number | null =>
      this.sql
        .exec<{ seq: number | null }>(
          `SELECT max(seq) AS seq FROM ledger WHERE seq ${condition} ?`,
          this.logFrom,
        )
        .one().seq;
    const [open, logged] = [highest("<"), highest(">=")];
    return Math.max(this.logFrom - LOG_GAP, open ?? 0, (logged ?? LOG_GAP) - LOG_GAP);
  }
}

/**
 * Begins the conversion of the rows that the worker's previous version wrote. Records which of them
 * are log rows, and which messages were reported as stuck.
 */
function adoptRows(sql: SqlStorage): void {
  const { last } = sql
    .exec<{ last: number }>(
      `SELECT max(coalesce(max(seq), 0), (SELECT coalesce(max(state ->> '$.lastSeq'), 0)
       FROM log_state)) AS last FROM ledger`,
    )
    .one();
  sql.exec("INSERT OR REPLACE INTO ledger_layout VALUES (1, ?, 0, ?)", last + LOG_GAP, last);
  sql.exec(`
    INSERT OR IGNORE INTO earlier_log_rows SELECT seq FROM ledger WHERE day IS NOT NULL;
    CREATE INDEX IF NOT EXISTS ledger_unconverted_id ON ledger (id) WHERE ${UNCONVERTED};
    INSERT OR REPLACE INTO stuck_messages SELECT id, since, jobs FROM stuck;
    DROP TABLE stuck;
  `);
}

function addColumns(sql: SqlStorage): void {
  const has = new Set(
    Array.from(
      sql.exec<{ name: string }>("SELECT name FROM pragma_table_info('ledger')"),
      ({ name }) => name,
    ),
  );
  for (const name of NEW_COLUMNS)
    if (!has.has(name)) sql.exec(`ALTER TABLE ledger ADD COLUMN ${name} INTEGER`);
}

export function hasTable(sql: SqlStorage, name: string): boolean {
  const found = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?";
  return sql.exec(found, name).toArray().length > 0;
}
