// Keeps the team's log (docs/storage.md §The log): events in the order in which they were appended,
// a few dozen per row. A row stays until its events are in a chunk in D1 and were handed over to
// suppressions and webhooks. Open messages and log rows share one table and one counter, so that a
// log row can replace the row of a finished message: this writes one row, not two.
import type { Day } from "../../rpc/shard-types.ts";
import type { MessageRecord } from "../../rpc/event-records.ts";
import type { LoggedMessage } from "../../rpc/ledger-calls.ts";
import { toLogRows, withoutSuppressions } from "./log-rows.ts";
import { type LogRow, type ChunkPlan, ChunkPlans } from "./chunk-plans.ts";
import type { RecentRows } from "./recent-events.ts";

/**
 * A row of the table. With a `day`, the row has events of the log (JSON of LoggedMessage[]).
 * Without a `day`, the row is an open message. `at`: when the row was appended; no two rows have
 * the same `at`.
 */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS ledger (
    seq INTEGER PRIMARY KEY, id TEXT, accepted_at INTEGER, recipients INTEGER, stream TEXT, jobs TEXT, content_key TEXT, meta TEXT, content TEXT,
    day TEXT, at INTEGER, count INTEGER, oldest INTEGER, newest INTEGER, characters INTEGER, events TEXT,
    CHECK (iif(day IS NULL, id IS NOT NULL AND jobs IS NOT NULL AND meta IS NOT NULL, at IS NOT NULL AND events IS NOT NULL))
  );
  CREATE INDEX IF NOT EXISTS ledger_waiting ON ledger (stream, seq, recipients) WHERE stream IS NOT NULL;
  CREATE INDEX IF NOT EXISTS ledger_waiting_id ON ledger (id) WHERE stream IS NOT NULL;
  CREATE TABLE IF NOT EXISTS log_state (id INTEGER PRIMARY KEY CHECK (id = 1), state TEXT NOT NULL);
`;

const INSERT =
  "INSERT INTO ledger (seq, day, at, count, oldest, newest, characters, events) VALUES (?, " +
  "?, ?, ?, ?, ?, ?, ?)";
const TAKE_PLACE = `
  UPDATE ledger SET seq = ?, day = ?, at = ?, count = ?, oldest = ?, newest = ?, characters = ?, events = ?,
    id = NULL, accepted_at = NULL, recipients = NULL, stream = NULL, jobs = NULL, content_key = NULL, meta = NULL, content = NULL
  WHERE seq = ?`;
/** Statement that deletes the rows whose numbers are in a JSON array. */
const DELETE = "DELETE FROM ledger WHERE seq IN (SELECT value FROM json_each(?))";

/**
 * The part of the log's state that the rows do not show. It is written whenever rows are deleted,
 * so that numbers and times never go back, even if the log is empty.
 */
interface State {
  readonly lastSeq: number;
  readonly lastAt: number;
  /** All rows up to this number were handed over to suppressions and webhooks. */
  readonly delivered: number;
  /** The number of each day's last row in a chunk; all earlier rows are in chunks too. */
  readonly chunked: Readonly<Record<Day, number>>;
  readonly bookmarks: Readonly<Record<number, string>>;
}

const EMPTY_STATE: State = { lastSeq: 0, lastAt: 0, delivered: 0, chunked: {}, bookmarks: {} };

export class EventLog {
  readonly #sql: SqlStorage;
  readonly #rows = new Map<number, LogRow>();
  readonly #chunks: ChunkPlans;
  readonly #undelivered = new Set<number>();
  readonly #bookmarks: Record<number, string>;
  /** The newest row's number, from the last row or, if that row is deleted, from the state. */
  #lastSeq: number;
  #lastAt: number;
  /** The value of `delivered` on disk. A restart hands rows with higher numbers over again. */
  #savedDelivered: number;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(SCHEMA);
    const [saved] = sql.exec<{ state: string }>("SELECT state FROM log_state").toArray();
    const state = saved ? (JSON.parse(saved.state) as State) : EMPTY_STATE;
    this.#chunks = new ChunkPlans(state.chunked);
    this.#bookmarks = { ...state.bookmarks };
    const { last } = sql.exec<{ last: number | null }>("SELECT max(seq) AS last FROM ledger").one();
    this.#lastSeq = Math.max(state.lastSeq, last ?? 0);
    this.#lastAt = state.lastAt;
    this.#savedDelivered = state.delivered;
    const columns = "seq, day, at, count, oldest, newest, characters";
    const rows = sql.exec(
      `SELECT ${columns} FROM ledger WHERE day IS NOT NULL ORDER BY seq`,
    ) as unknown as Iterable<LogRow>;
    for (const row of rows) {
      this.#keep(row);
      if (row.seq > state.delivered) this.#undelivered.add(row.seq);
    }
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  nextSeq(): number {
    this.#lastSeq += 1;
    return this.#lastSeq;
  }

  /** Number of events that are not in a chunk yet. */
  get unpaged(): number {
    return this.#chunks.unpaged;
  }

  get hasUndelivered(): boolean {
    return this.#undelivered.size > 0;
  }

  /** Rows that were not handed over yet, oldest first. */
  get undelivered(): readonly LogRow[] {
    return Array.from(this.#undelivered, (seq) => this.#rows.get(seq)!);
  }

  /**
   * Appends events, and deletes the rows of finished messages. A new row replaces a deleted row
   * where possible. Returns the new rows.
   */
  append(messages: readonly LoggedMessage[], finished: readonly number[], now: number): LogRow[] {
    const reusable = [...finished];
    const appended = toLogRows(messages, now).map(({ text, ...row }): LogRow => {
      this.#lastAt = Math.max(now, this.#lastAt + 1);
      const kept = { ...row, seq: this.nextSeq(), at: this.#lastAt, characters: text.length };
      const { seq, day, at, count, oldest, newest, characters } = kept;
      const place = reusable.pop();
      const values = [seq, day, at, count, oldest, newest, characters, text];
      if (place === undefined) this.#sql.exec(INSERT, ...values);
      else this.#sql.exec(TAKE_PLACE, ...values, place);
      this.#keep(kept);
      this.#undelivered.add(seq);
      return kept;
    });
    if (reusable.length > 0) this.#delete(reusable);
    return appended;
  }

  read(seq: number): LoggedMessage[] {
    const { events } = this.#sql
      .exec<{ events: string }>("SELECT events FROM ledger WHERE seq = ? AND day IS NOT NULL", seq)
      .one();
    return JSON.parse(events) as LoggedMessage[];
  }

  /**
   * Drops the suppressions of an address from all rows that may still be handed over, for the first
   * time or again. Returns whether a row had such a suppression.
   */
  dropPendingSuppressions(email: string): boolean {
    const address = email.toLowerCase();
    let hasDropped = false;
    for (const { seq } of this.#rows.values()) {
      if (seq <= this.#savedDelivered) continue;
      const left = withoutSuppressions(this.read(seq), address);
      if (!left) continue;
      hasDropped = true;
      this.#sql.exec("UPDATE ledger SET events = ? WHERE seq = ?", JSON.stringify(left), seq);
    }
    return hasDropped;
  }

  /**
   * Remembers that a row was handed over. The next deletion of rows writes this to disk. If the
   * process is killed before that, the row is handed over again, which does no harm.
   */
  noteHandedOver(seq: number): void {
    this.#undelivered.delete(seq);
  }

  isChunkDue(now: number): boolean {
    return this.#chunks.isDue(now);
  }

  /** Plans the next chunk; undefined: no chunk is due. */
  nextChunk(now: number): ChunkPlan | undefined {
    return this.#chunks.next(this.#rows.values(), now);
  }

  /**
   * Notes that rows of the day up to `lastSeq` are in chunks. Deletes those that were handed over.
   */
  noteChunk(day: Day, lastSeq: number, shard: number, bookmark: string | null): void {
    this.#chunks.note(this.#rows.values(), day, lastSeq);
    if (bookmark !== null) this.#bookmarks[shard] = bookmark;
    this.#deleteHandledRows();
    this.#save();
  }

  /** Deletes rows that are in chunks and that were handed over only after that. */
  sweep(): void {
    if (this.#deleteHandledRows()) this.#save();
  }

  /** The rows that are not in a chunk yet. */
  get recent(): RecentRows {
    return {
      rows: Array.from(this.#rows.values()).filter((row) => !this.#chunks.isInChunk(row)),
      read: (seq) => this.read(seq),
      bookmarks: this.#bookmarks,
    };
  }

  /** Finds a message with an event that is not in a chunk yet. */
  find(emailId: string): MessageRecord | null {
    const holding = "SELECT seq, events FROM ledger WHERE day IS NOT NULL AND instr(events, ?) > 0";
    for (const { seq, events } of this.#sql.exec<{ seq: number; events: string }>(
      holding,
      emailId,
    )) {
      const row = this.#rows.get(seq);
      const found =
        row &&
        !this.#chunks.isInChunk(row) &&
        (JSON.parse(events) as LoggedMessage[]).find(({ message }) => message.emailId === emailId);
      if (found) return found.message;
    }
    return null;
  }

  #keep(row: LogRow): void {
    this.#rows.set(row.seq, row);
    this.#lastAt = Math.max(this.#lastAt, row.at);
    this.#chunks.count(row);
  }

  /** Returns whether rows were deleted. */
  #deleteHandledRows(): boolean {
    const handled = Array.from(this.#rows.values()).filter(
      (row) => this.#chunks.isInChunk(row) && !this.#undelivered.has(row.seq),
    );
    if (handled.length === 0) return false;
    for (const { seq } of handled) this.#rows.delete(seq);
    this.#sql.exec(DELETE, JSON.stringify(handled.map(({ seq }) => seq)));
    return true;
  }

  #delete(seqs: readonly number[]): void {
    this.#sql.exec(DELETE, JSON.stringify(seqs));
    // A restart reads the number from the last row or, without this row, from the state.
    if (seqs.includes(this.#lastSeq)) this.#save();
  }

  #save(): void {
    const first = this.#undelivered.values().next().value;
    const state: State = {
      lastSeq: this.#lastSeq,
      lastAt: this.#lastAt,
      delivered: first === undefined ? this.#lastSeq : first - 1,
      chunked: this.#chunks.chunkedDays(this.#rows.values()),
      bookmarks: this.#bookmarks,
    };
    this.#savedDelivered = state.delivered;
    this.#sql.exec("INSERT OR REPLACE INTO log_state VALUES (1, ?)", JSON.stringify(state));
  }
}
