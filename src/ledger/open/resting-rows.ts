// Finds and writes the rows of resting messages, and finds the messages that were in flight at a
// restart (docs/storage.md §Open messages). A resting message is only on disk. Its row has the time
// at which the alarm must examine it. So a ledger that starts reads only messages that are due or
// in flight, however many messages are open.
import { idsBelow } from "../newest-messages.ts";
import { LOG_GAP, RESTS } from "../ledger-table.ts";
import { type JobCounts, packCounts, HAS_LEASED, PACKED_SUMS } from "./job-counts.ts";
import type { Jobs } from "./job.ts";

const COLUMNS =
  "ledger.seq, id, accepted_at, recipients, ledger.stream, jobs, content_key, wake_at, since, states, others";
const CLEAR = "UPDATE ledger SET wake_at = NULL, states = NULL, others = NULL WHERE seq = ?";
const NO_ROW_BEFORE = [-1, -1] as const;

/** An open message as it is read from its row. */
export interface OpenMessageRow extends Record<string, SqlStorageValue> {
  seq: number;
  id: string;
  accepted_at: number;
  recipients: number;
  /** The stream in which jobs of the message wait. Null means that all its jobs are released. */
  stream: string | null;
  jobs: string;
  content_key: string | null;
  wake_at: number | null;
  /**
   * The time at which jobs of the message were last released, in Unix milliseconds. Null means that
   * the row never had a wake time.
   */
  since: number | null;
  /** The packed counts of the message's jobs. Null means that the row has no wake time. */
  states: number | null;
  others: number | null;
}

/** The facts that a row gets together with a wake time. */
export interface Rest {
  readonly jobs: Jobs;
  readonly counts: JobCounts;
  /** The wake time, a whole number of Unix milliseconds. */
  readonly wakeAt: number;
  readonly since: number;
  /** True if all jobs are released, so that the message leaves its stream. */
  readonly leavesStream: boolean;
}

/**
 * SQL that selects released messages without a wake time: messages that were never in a stream, and
 * messages before the cursors of their streams. The first part of the query jumps from stream to
 * stream in the index. Takes the number of the first message that was never in a stream.
 */
const UNDER_WAY = `
  WITH RECURSIVE names (name) AS (
    SELECT min(stream) FROM ledger WHERE stream IS NOT NULL
    UNION ALL
    SELECT (SELECT min(stream) FROM ledger WHERE stream > name AND stream IS NOT NULL)
    FROM names WHERE name IS NOT NULL
  ), cursors AS (
    SELECT name, coalesce(streams.seq + (streams.recipient > 0), ${LOG_GAP}) AS until
    FROM names LEFT JOIN streams ON streams.stream = name WHERE name IS NOT NULL
  )
  SELECT ${COLUMNS} FROM cursors CROSS JOIN ledger ON ledger.stream = name AND ledger.seq < until
    WHERE ledger.stream IS NOT NULL AND wake_at IS NULL
  UNION ALL
  SELECT ${COLUMNS} FROM ledger
    WHERE ledger.seq >= ? AND ledger.seq < ${LOG_GAP} AND stream IS NULL AND wake_at IS NULL`;

export class RestingRows {
  readonly #sql: SqlStorage;
  /** takeDue() has taken all messages up to this wake time and number. */
  #taken: readonly [wakeAt: number, seq: number] = NO_ROW_BEFORE;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Counts the resting messages, and their jobs by state. */
  count(): JobCounts & { readonly messages: number } {
    return this.#sql
      .exec<Record<keyof JobCounts | "messages", number>>(
        `SELECT count(*) AS messages, ${PACKED_SUMS} FROM ledger WHERE ${RESTS}`,
      )
      .one();
  }

  /**
   * Reads the messages that were in flight at a restart. Leaves out messages that were never in a
   * stream and have a number below `from`.
   */
  underWay(from: number): OpenMessageRow[] {
    return this.#sql.exec<OpenMessageRow>(UNDER_WAY, from).toArray();
  }

  /**
   * Takes up to `limit` messages that are due, the earliest first. The caller keeps them in memory.
   */
  takeDue(now: number, limit: number): OpenMessageRow[] {
    const rows = this.#untaken("AND wake_at <= ? ORDER BY wake_at, seq LIMIT ?", now, limit);
    const last = rows.at(-1);
    if (last) this.#taken = [last.wake_at!, last.seq];
    return rows;
  }

  /** The earliest wake time that a row may get, so that takeDue() finds the row. */
  get earliest(): number {
    return this.#taken[0] + 1;
  }

  /**
   * The time at which the next message is due for takeDue(), in Unix milliseconds. Infinity means
   * that takeDue() has taken all messages.
   */
  nextWake(): number {
    const [row] = this.#sql
      .exec<{ wake_at: number }>(
        `SELECT wake_at FROM ledger WHERE ${RESTS} AND (wake_at, seq) > (?, ?)
         ORDER BY wake_at, seq LIMIT 1`,
        ...this.#taken,
      )
      .toArray();
    return row?.wake_at ?? Number.POSITIVE_INFINITY;
  }

  write(seq: number, { jobs, counts, wakeAt, since, leavesStream }: Rest): void {
    const { states, others } = packCounts(counts);
    this.#sql.exec(
      "UPDATE ledger SET jobs = ?, states = ?, others = ?, wake_at = ?, since = ?" +
        `${leavesStream ? ", stream = NULL" : ""} WHERE seq = ?`,
      JSON.stringify(jobs),
      states,
      others,
      wakeAt,
      since,
      seq,
    );
  }

  /**
   * Writes a message's jobs. `counts` has the numbers of these jobs by state. It is null if the
   * message's row has no wake time.
   */
  saveJobs(seq: number, jobs: Jobs, counts: JobCounts | null): void {
    const json = JSON.stringify(jobs);
    if (counts === null) this.#sql.exec("UPDATE ledger SET jobs = ? WHERE seq = ?", json, seq);
    else {
      const { states, others } = packCounts(counts);
      const update = "UPDATE ledger SET jobs = ?, states = ?, others = ? WHERE seq = ?";
      this.#sql.exec(update, json, states, others, seq);
    }
  }

  /**
   * Removes the wake time from a message's row, because the ledger releases further jobs of the
   * message.
   */
  clear(seq: number): void {
    this.#sql.exec(CLEAR, seq);
  }

  /** Finds an open message on disk by its id, even if all its jobs are in the backlog. */
  find(emailId: string): OpenMessageRow | undefined {
    return (
      this.#findWhere(`id = ? AND ${RESTS}`, emailId) ??
      this.#findWhere("id = ? AND stream IS NOT NULL", emailId)
    );
  }

  read(seq: number): OpenMessageRow {
    return this.#findWhere("ledger.seq = ?", seq)!;
  }

  /** Returns up to `limit` ids of resting messages: the highest ids below `before`. */
  idsBelow(before: string, limit: number): string[] {
    return idsBelow(this.#sql, `ledger WHERE ${RESTS} AND`, before, limit);
  }

  /**
   * Reads up to `limit` resting messages that takeDue() has not taken and that may have a copy at a
   * gateway. Such a row has a lease, or its wake time came before the restart.
   */
  handedOver(restartedAt: number, limit: number): OpenMessageRow[] {
    return this.#untaken(`AND (${HAS_LEASED} OR wake_at <= ?) LIMIT ?`, restartedAt, limit);
  }

  /** Reads all resting messages that takeDue() has not taken. Only a test build may do so. */
  others(): OpenMessageRow[] {
    return this.#untaken("");
  }

  /**
   * Reads the resting messages that takeDue() has not taken. `rest` is the end of the SQL
   * statement.
   */
  #untaken(rest: string, ...values: readonly number[]): OpenMessageRow[] {
    const select = `SELECT ${COLUMNS} FROM ledger WHERE ${RESTS} AND (wake_at, seq) > (?, ?) ${rest}`;
    return this.#sql.exec<OpenMessageRow>(select, ...this.#taken, ...values).toArray();
  }

  #findWhere(condition: string, value: string | number): OpenMessageRow | undefined {
    return this.#sql
      .exec<OpenMessageRow>(`SELECT ${COLUMNS} FROM ledger WHERE ${condition}`, value)
      .toArray()[0];
  }
}
