// Stores the team's log (docs/storage.md §The log): events in the order in which they were
// appended, a few dozen per row. A row stays until its events are in a chunk in D1 and are
// dispatched to suppressions and webhooks. ledger-table.ts has the table, which log rows share with
// open messages.
import type { Day } from "../../rpc/shard-types.ts";
import type { MessageRecord } from "../../rpc/event-records.ts";
import type { LoggedMessage } from "../../rpc/ledger-calls.ts";
import { lastNumber, LOG_GAP } from "../ledger-table.ts";
import { toLogRows, withoutSuppressions } from "./log-rows.ts";
import { type LogRow, type ChunkPlan, ChunkPlans } from "./chunk-plans.ts";
import type { RecentRows } from "./recent-events.ts";

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS log_state (id INTEGER PRIMARY KEY CHECK (id = 1), state TEXT NOT NULL);
`;

const INSERT =
  "INSERT INTO ledger (seq, day, at, count, oldest, newest, characters, events) VALUES (?, " +
  "?, ?, ?, ?, ?, ?, ?)";
const TAKE_PLACE = `
  UPDATE ledger SET seq = ?, day = ?, at = ?, count = ?, oldest = ?, newest = ?, characters = ?, events = ?,
    id = NULL, accepted_at = NULL, recipients = NULL, stream = NULL, jobs = NULL, content_key = NULL, meta = NULL, content = NULL,
    wake_at = NULL, since = NULL, states = NULL, others = NULL
  WHERE seq = ?`;
const AFTER = "seq > ?";
const COLUMNS = "seq, day, at, count, oldest, newest, characters";
/**
 * Maximum number of rows in memory, some 200 bytes each. Usually there are a few dozen. The number
 * grows while D1 or a webhook's outbox is down. Rows beyond the maximum are only on disk until
 * older rows are done.
 */
const ROWS_MOST = 100_000;
/** The state is written after this many new rows, if no other change writes it. */
const NUMBERS_PER_SAVE = 5_000;
/** Statement that deletes the rows whose numbers are in a JSON array. */
const DELETE = "DELETE FROM ledger WHERE seq IN (SELECT value FROM json_each(?))";

/**
 * The part of the log's state that the rows do not show. Each deletion of rows writes it, so that
 * numbers and times never go back, even if the log is empty.
 */
interface State {
  /** The counter of rows. */
  readonly lastSeq: number;
  /** The number from which a restart searches for messages in flight (open/resting-rows.ts). */
  readonly underWayFrom: number;
  readonly lastAt: number;
  /** All rows up to this number are dispatched to suppressions and webhooks. */
  readonly delivered: number;
  /** The number of each day's last row that is in a chunk. Earlier rows are in chunks too. */
  readonly chunked: Readonly<Record<Day, number>>;
  readonly bookmarks: Readonly<Record<number, string>>;
}

const EMPTY_STATE: State = {
  lastSeq: 0,
  underWayFrom: 0,
  lastAt: 0,
  delivered: 0,
  chunked: {},
  bookmarks: {},
};

export class EventLog {
  readonly #sql: SqlStorage;
  readonly #most: number;
  /** The oldest rows in the log, by number. Newer rows may be only on disk. */
  readonly #rows = new Map<number, LogRow>();
  /** The number of rows that are only on disk, and the number of their events. */
  #later = { rows: 0, events: 0 };
  /** The number of the last row that came into memory. */
  #lastKept = 0;
  readonly #chunks: ChunkPlans;
  readonly #undelivered = new Set<number>();
  readonly #bookmarks: Record<number, string>;
  /** See State. */
  readonly underWayFrom: number;
  /** The counter of rows. It comes from the last row or, if that row is deleted, from the state. */
  #lastNumber: number;
  #savedNumber: number;
  #lastAt: number;
  /** The value of `delivered` on disk. A restart dispatches rows with higher numbers again. */
  #savedDelivered: number;
  #firstUnderWay = (): number => 0;

  constructor(sql: SqlStorage, most = ROWS_MOST) {
    this.#sql = sql;
    this.#most = most;
    sql.exec(SCHEMA);
    const [saved] = sql.exec<{ state: string }>("SELECT state FROM log_state").toArray();
    const state = saved ? (JSON.parse(saved.state) as State) : EMPTY_STATE;
    this.#chunks = new ChunkPlans(state.chunked);
    this.#bookmarks = { ...state.bookmarks };
    this.#lastNumber = Math.max(state.lastSeq, lastNumber(sql));
    this.#savedNumber = state.lastSeq;
    this.underWayFrom = state.underWayFrom;
    this.#lastAt = state.lastAt;
    this.#savedDelivered = state.delivered;
    this.#fill();
  }

  get lastNumber(): number {
    return this.#lastNumber;
  }

  nextNumber(): number {
    this.#lastNumber += 1;
    return this.#lastNumber;
  }

  /** Sets the function that returns the lowest number of a message in flight, or Infinity. */
  watchUnderWay(first: () => number): void {
    this.#firstUnderWay = first;
  }

  /** Writes the state if many rows got numbers since the last write of the state. */
  saveSometimes(): void {
    if (this.#lastNumber - this.#savedNumber >= NUMBERS_PER_SAVE) this.#save();
  }

  /** Number of events that are not in a chunk yet. */
  get unpaged(): number {
    return this.#chunks.unpaged + this.#later.events;
  }

  get hasUndelivered(): boolean {
    return this.#undelivered.size + this.#later.rows > 0;
  }

  /** Number of events that are only on disk. They are not dispatched yet. */
  get laterEvents(): number {
    return this.#later.events;
  }

  /** The rows in memory that are not dispatched yet, oldest first. */
  get undelivered(): readonly LogRow[] {
    return Array.from(this.#undelivered, (seq) => this.#rows.get(seq)!);
  }

  /**
   * Appends events, and deletes the rows of finished messages. A new row replaces a deleted row
   * where possible. Returns the new rows that are in memory.
   */
  append(messages: readonly LoggedMessage[], finished: readonly number[], now: number): LogRow[] {
    const reusable = [...finished];
    const appended = toLogRows(messages, now).flatMap(({ text, ...row }): LogRow[] => {
      this.#lastAt = Math.max(now, this.#lastAt + 1);
      const [seq, at, characters] = [this.nextNumber() + LOG_GAP, this.#lastAt, text.length];
      const { day, count, oldest, newest } = row;
      const place = reusable.pop();
      const values = [seq, day, at, count, oldest, newest, characters, text];
      if (place === undefined) this.#sql.exec(INSERT, ...values);
      else this.#sql.exec(TAKE_PLACE, ...values, place);
      if (this.#later.rows > 0 || this.#rows.size >= this.#most) {
        this.#later.rows += 1;
        this.#later.events += count;
        return [];
      }
      const kept = { ...row, seq, at, characters };
      this.#keep(kept);
      this.#undelivered.add(seq);
      return [kept];
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
   * Drops the suppressions of an address from all rows that may still be dispatched, for the first
   * time or again. Returns whether a row had such a suppression.
   */
  dropPendingSuppressions(email: string): boolean {
    const address = email.toLowerCase();
    let hasDropped = false;
    let seqs = this.#numbersAfter(this.#savedDelivered);
    for (; seqs.length > 0; seqs = this.#numbersAfter(seqs.at(-1)!))
      for (const seq of seqs) {
        const left = withoutSuppressions(this.read(seq), address);
        if (!left) continue;
        hasDropped = true;
        this.#sql.exec("UPDATE ledger SET events = ? WHERE seq = ?", JSON.stringify(left), seq);
      }
    return hasDropped;
  }

  /**
   * Remembers that a row was dispatched. The next deletion of rows writes this fact to disk. If the
   * process is killed before that, the row is dispatched again, which does no harm.
   */
  noteHandedOver(seq: number): void {
    this.#undelivered.delete(seq);
  }

  isChunkDue(now: number): boolean {
    return this.#chunks.isDue(now);
  }

  /** Plans the next chunks. Returns undefined if no chunk is due. */
  nextChunks(now: number): ChunkPlan | undefined {
    return this.#chunks.next(this.#rows.values(), now);
  }

  /** Records that a day's rows up to `lastSeq` are in chunks. Deletes those that are dispatched. */
  noteChunk(day: Day, lastSeq: number, shard: number, bookmark: string | null): void {
    this.#chunks.note(this.#rows.values(), day, lastSeq);
    if (bookmark !== null) this.#bookmarks[shard] = bookmark;
    this.#deleteHandledRows();
    this.#save();
  }

  /** Deletes rows that were dispatched only after their events came into chunks. */
  sweep(): void {
    if (this.#deleteHandledRows()) this.#save();
  }

  /** The rows that are not in a chunk yet. */
  get recent(): RecentRows {
    const held = Array.from(this.#rows.values()).filter((row) => !this.#chunks.isInChunk(row));
    return {
      rows: [...held, ...this.#newestLater()],
      read: (seq) => this.read(seq),
      bookmarks: this.#bookmarks,
    };
  }

  /** Finds a message with an event that is not in a chunk yet. */
  find(emailId: string): MessageRecord | null {
    type Row = { seq: number; events: string };
    const holding = this.#rowsWith<Row>("seq, events", "instr(events, ?) > 0", emailId);
    for (const { seq, events } of holding) {
      const row = this.#rows.get(seq);
      const isInChunk = row !== undefined && this.#chunks.isInChunk(row);
      const found =
        !isInChunk &&
        (JSON.parse(events) as LoggedMessage[]).find(({ message }) => message.emailId === emailId);
      if (found) return found.message;
    }
    return null;
  }

  /** Reads rows from disk until memory has its maximum. Counts the rows that stay only on disk. */
  #fill(): void {
    for (const row of this.#rowsWith<Record<keyof LogRow, number>>(
      COLUMNS,
      AFTER,
      this.#lastKept,
    )) {
      if (this.#rows.size >= this.#most) break;
      this.#keep(row as unknown as LogRow);
      if (row.seq > this.#savedDelivered) this.#undelivered.add(row.seq);
    }
    this.#later = { rows: 0, events: 0 };
    const columns = "count(*) AS rows, total(count) AS events, max(at) AS at";
    type Totals = Record<"rows" | "events" | "at", number>;
    for (const { rows, events, at } of this.#rowsWith<Totals>(columns, AFTER, this.#lastKept)) {
      this.#later.rows += rows;
      this.#later.events += events;
      this.#lastAt = Math.max(this.#lastAt, at ?? 0);
    }
  }

  /** Reads the newest rows that are only on disk. Lists do not show older rows on disk. */
  #newestLater(): RecentRows["rows"] {
    if (this.#later.rows === 0) return [];
    type Row = Record<"seq" | "oldest" | "newest", number>;
    const newest =
      "SELECT seq, oldest, newest FROM ledger WHERE seq > ? AND day IS NOT NULL ORDER BY seq DESC LIMIT ?";
    return this.#sql.exec<Row>(newest, this.#lastKept, this.#most).toArray().toReversed();
  }

  /** Returns the next row numbers above `seq`, at most as many as memory may have rows. */
  #numbersAfter(seq: number): number[] {
    const numbers: number[] = [];
    for (const row of this.#rowsWith<{ seq: number }>("seq", AFTER, seq)) {
      if (numbers.length === this.#most) break;
      numbers.push(row.seq);
    }
    return numbers;
  }

  /** Reads the rows of the log that meet an SQL condition, in the order of their numbers. */
  #rowsWith<Row extends Record<string, SqlStorageValue>>(
    columns: string,
    condition: string,
    ...values: SqlStorageValue[]
  ): Iterable<Row> {
    return this.#sql.exec<Row>(
      `SELECT ${columns} FROM ledger WHERE seq >= ${LOG_GAP} AND ${condition} ORDER BY 1`,
      ...values,
    );
  }

  #keep(row: LogRow): void {
    this.#rows.set(row.seq, row);
    this.#lastKept = row.seq;
    this.#lastAt = Math.max(this.#lastAt, row.at);
    this.#chunks.count(row);
  }

  /** Deletes rows that are in chunks and dispatched. Returns whether it deleted rows. */
  #deleteHandledRows(): boolean {
    const handled = Array.from(this.#rows.values()).filter(
      (row) => this.#chunks.isInChunk(row) && !this.#undelivered.has(row.seq),
    );
    if (handled.length === 0) return false;
    for (const { seq } of handled) this.#rows.delete(seq);
    this.#sql.exec(DELETE, JSON.stringify(handled.map(({ seq }) => seq)));
    if (this.#later.rows > 0 && this.#rows.size <= this.#most / 2) this.#fill();
    return true;
  }

  #delete(seqs: readonly number[]): void {
    this.#sql.exec(DELETE, JSON.stringify(seqs));
    // A restart reads the last number from the last row or, if that row is deleted, from the state.
    if (seqs.includes(this.#lastNumber)) this.#save();
  }

  /** The number of the last dispatched row, if all rows in memory are dispatched. */
  #lastDelivered(): number {
    return this.#later.rows > 0 ? this.#lastKept : this.#lastNumber + LOG_GAP;
  }

  #save(): void {
    const first = this.#undelivered.values().next().value;
    const state: State = {
      lastSeq: this.#lastNumber,
      underWayFrom: Math.min(this.#firstUnderWay(), this.#lastNumber + 1),
      lastAt: this.#lastAt,
      delivered: first === undefined ? this.#lastDelivered() : first - 1,
      chunked: this.#chunks.chunkedDays(this.#rows.values()),
      bookmarks: this.#bookmarks,
    };
    this.#savedDelivered = state.delivered;
    this.#savedNumber = state.lastSeq;
    this.#sql.exec("INSERT OR REPLACE INTO log_state VALUES (1, ?)", JSON.stringify(state));
  }
}
