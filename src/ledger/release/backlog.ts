// Stores which accepted messages wait for their release, by stream (docs/architecture.md §Release).
// Each stream has one row with a cursor. All messages of the stream before the cursor are released.
// So a release writes one row per stream and round, not one row per message. The streams of a
// domain on hold are left out (§Hold).
import type { Priority } from "../../rpc/priority.ts";
import type { JobRange } from "../open/open-messages.ts";
import type { Holds } from "../open/hold-periods.ts";
import { commonStreamOf, domainOf, priorityOf } from "../release-stream.ts";
import { dealOut } from "./pacing.ts";

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS streams (stream TEXT PRIMARY KEY, seq INTEGER NOT NULL, recipient INTEGER NOT NULL) WITHOUT ROWID;
`;

const UNRELEASED =
  "SELECT count(*) AS messages, total(recipients) AS jobs FROM ledger WHERE stream = ? AND seq >= ?";
const STARTED =
  "SELECT total(recipients - iif(seq = ?2, ?3, 0)) AS jobs FROM (SELECT seq, recipients FROM ledger " +
  "WHERE stream = ?1 AND seq >= ?2 AND accepted_at <= ?4 ORDER BY seq LIMIT ?5)";
const AT_CURSOR = "SELECT recipients FROM ledger WHERE stream = ? AND seq = ?";

/**
 * Maximum number of streams in memory. A team can give each message a separate campaign. If the
 * maximum is reached, messages of new campaigns wait in the stream of messages without a campaign.
 */
const STREAMS_MOST = 5_000;

interface Stream {
  /**
   * The cursor of a stream. The next job to release is recipient `recipient` of message `seq`. If
   * this message is deleted or has no waiting job, the next job is the first recipient of the
   * stream's next message.
   */
  seq: number;
  recipient: number;
  /** Number of the stream's waiting jobs, never 0. */
  waiting: number;
}

interface WaitingRow extends Record<string, SqlStorageValue> {
  seq: number;
  id: string;
  recipients: number;
  content_key: string | null;
}

export class Backlog {
  readonly #sql: SqlStorage;
  readonly #holds: Pick<Holds, "isEmpty" | "of">;
  /** The streams with waiting jobs. The stream that releases the next job comes first. */
  #streams = new Map<string, Stream>();
  /** The messages that had no released job at the last restart. */
  readonly unreleased = { messages: 0, jobs: 0 };

  constructor(sql: SqlStorage, holds: Pick<Holds, "isEmpty" | "of">) {
    this.#sql = sql;
    this.#holds = holds;
    sql.exec(SCHEMA);
    const rows = sql
      .exec<{ stream: string; seq: number; recipient: number }>(
        "SELECT stream, seq, recipient FROM streams",
      )
      .toArray();
    for (const { stream, seq, recipient } of rows) {
      const { messages, jobs } = sql
        .exec<{ messages: number; jobs: number }>(UNRELEASED, stream, recipient > 0 ? seq + 1 : seq)
        .one();
      this.unreleased.messages += messages;
      this.unreleased.jobs += jobs;
      const [partial] =
        recipient === 0 ? [] : sql.exec<{ recipients: number }>(AT_CURSOR, stream, seq).toArray();
      // The message at the cursor may already be delivered and deleted.
      const rest = partial ? partial.recipients - recipient : 0;
      this.#streams.set(stream, { seq, recipient, waiting: jobs + rest });
    }
  }

  /** True if all waiting jobs are on hold, or no job waits. */
  get empty(): boolean {
    return this.#streams.size === 0 || this.waitingOf("high") + this.waitingOf("normal") === 0;
  }

  /** Number of waiting jobs in all streams, including streams on hold. */
  get waiting(): number {
    let jobs = 0;
    for (const { waiting } of this.#streams.values()) jobs += waiting;
    return jobs;
  }

  /** Number of waiting jobs that are not on hold. */
  waitingOf(priority: Priority): number {
    let jobs = 0;
    for (const [name, { waiting }] of this.#streams)
      if (priorityOf(name) === priority && !this.isHeld(name)) jobs += waiting;
    return jobs;
  }

  /** Returns whether the mail of a stream is on hold. */
  isHeld(stream: string): boolean {
    return !this.#holds.isEmpty && this.#holds.of(domainOf(stream)) !== undefined;
  }

  /**
   * Returns the stream in which a message waits. `name` is the stream of the message's campaign,
   * domain and priority.
   */
  streamFor(name: string): string {
    const isFull = this.#streams.size >= STREAMS_MOST && !this.#streams.has(name);
    return isFull ? commonStreamOf(name) : name;
  }

  /** Adds the jobs of message `seq`, from index `released` on, to the backlog. */
  add(stream: string, seq: number, released: number, recipients: number): void {
    const known = this.#streams.get(stream);
    if (known) {
      known.waiting += recipients - released;
      return;
    }
    this.#streams.set(stream, { seq, recipient: released, waiting: recipients - released });
    this.#saveCursor(stream, seq, released);
  }

  /**
   * Returns how many jobs of a message were released. A null `stream` means that no job of the
   * message waited.
   */
  releasedOf(stream: string | null, seq: number, recipients: number): number {
    const cursor = stream === null ? undefined : this.#streams.get(stream);
    if (!cursor || seq < cursor.seq) return recipients;
    return seq === cursor.seq ? cursor.recipient : 0;
  }

  /**
   * Releases up to `jobs` jobs of a priority, round robin among its streams. Within a stream, the
   * oldest message comes first.
   */
  release(priority: Priority, jobs: number): JobRange[] {
    const [own, others] = [new Map<string, Stream>(), new Map<string, Stream>()];
    for (const [name, stream] of this.#streams)
      (priorityOf(name) === priority && !this.isHeld(name) ? own : others).set(name, stream);
    const turns = Array.from(own, ([stream, { waiting }]) => ({ stream, waiting }));
    const { counts, order } = dealOut(turns, jobs);
    const releases = [...counts].flatMap(([stream, count]) => this.#advance(stream, count));
    this.#streams = new Map([...others, ...order.map((name) => [name, own.get(name)!] as const)]);
    return releases;
  }

  /** Releases the next job of the first stream whose domain passes `isOf`. */
  releaseFirst(isOf: (domain: string) => boolean): JobRange[] {
    const name = [...this.#streams.keys()].find((stream) => isOf(domainOf(stream)));
    return name === undefined ? [] : this.#releaseOf(name, 1);
  }

  /**
   * Releases up to `most` jobs of messages on hold that started at a certain time or earlier.
   * `startOf` returns this time for a domain, in Unix milliseconds. -Infinity means that the domain
   * has no such message.
   */
  releaseStarted(startOf: (domain: string) => number, most: number): JobRange[] {
    const releases: JobRange[] = [];
    let left = most;
    for (const [name, { seq, recipient, waiting }] of this.#streams) {
      const until = this.isHeld(name) ? startOf(domainOf(name)) : Number.NEGATIVE_INFINITY;
      if (left <= 0 || until === Number.NEGATIVE_INFINITY) continue;
      const { jobs } = this.#sql
        .exec<{ jobs: number }>(STARTED, name, seq, recipient, until, left + 1)
        .one();
      const count = Math.min(left, waiting, jobs);
      if (count <= 0) continue;
      releases.push(...this.#releaseOf(name, count));
      left -= count;
    }
    return releases;
  }

  #releaseOf(name: string, count: number): JobRange[] {
    const releases = this.#advance(name, count);
    if (this.#streams.get(name)?.waiting === 0) this.#streams.delete(name);
    return releases;
  }

  #advance(stream: string, count: number): JobRange[] {
    const cursor = this.#streams.get(stream);
    if (!cursor) return [];
    const releases: JobRange[] = [];
    let left = count;
    for (const row of this.#waiting(stream, cursor.seq, count)) {
      if (left === 0) break;
      const from = row.seq === cursor.seq ? cursor.recipient : 0;
      const to = Math.min(row.recipients, from + left);
      if (to > from)
        releases.push({
          seq: row.seq,
          emailId: row.id,
          recipients: row.recipients,
          from,
          to,
          contentKey: row.content_key,
        });
      left -= to - from;
      cursor.seq = row.seq;
      cursor.recipient = to;
    }
    cursor.waiting -= count;
    if (cursor.waiting > 0) this.#saveCursor(stream, cursor.seq, cursor.recipient);
    else this.#sql.exec("DELETE FROM streams WHERE stream = ?", stream);
    return releases;
  }

  /**
   * Reads one row more than the number of jobs to release, because all jobs of the first message
   * may already be released.
   */
  #waiting(stream: string, seq: number, count: number): WaitingRow[] {
    return this.#sql
      .exec<WaitingRow>(
        "SELECT seq, id, recipients, content_key FROM ledger WHERE stream = ? AND seq >= ? " +
          "ORDER BY seq LIMIT ?",
        stream,
        seq,
        count + 1,
      )
      .toArray();
  }

  #saveCursor(stream: string, seq: number, recipient: number): void {
    this.#sql.exec("INSERT OR REPLACE INTO streams VALUES (?, ?, ?)", stream, seq, recipient);
  }
}
