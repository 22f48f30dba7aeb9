// Keeps the accepted messages that wait for their release, by stream (docs/architecture.md
// §Release). Each stream has one row with a cursor: all messages of the stream before the cursor
// are released. So a release writes one row per stream and round, not one row per message.
import type { Priority } from "../../rpc/priority.ts";
import type { JobRange } from "../open/open-messages.ts";
import { priorityOf } from "../release-stream.ts";
import { dealOut } from "./pacing.ts";

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS streams (stream TEXT PRIMARY KEY, seq INTEGER NOT NULL, recipient INTEGER NOT NULL) WITHOUT ROWID;
`;

interface Stream {
  /**
   * The cursor of a stream. The next job to release is recipient `recipient` of message `seq`. If
   * this message is gone or has no waiting job, the next job is the first recipient of the stream's
   * next message.
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
  /** The streams with waiting jobs. The stream whose turn is next comes first. */
  #streams = new Map<string, Stream>();

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(SCHEMA);
    const rows = sql
      .exec<{ stream: string; seq: number; recipient: number }>(
        "SELECT stream, seq, recipient FROM streams",
      )
      .toArray();
    for (const { stream, seq, recipient } of rows) {
      // The message at the cursor may already be delivered and deleted.
      const rest =
        "SELECT total(recipients - CASE seq WHEN ? THEN ? ELSE 0 END) AS jobs FROM ledger " +
        "WHERE stream = ? AND seq >= ?";
      const { jobs } = sql.exec<{ jobs: number }>(rest, seq, recipient, stream, seq).one();
      this.#streams.set(stream, { seq, recipient, waiting: jobs });
    }
  }

  get empty(): boolean {
    return this.#streams.size === 0;
  }

  /** Number of waiting jobs in all streams. */
  get waiting(): number {
    return this.waitingOf("high") + this.waitingOf("normal");
  }

  waitingOf(priority: Priority): number {
    let jobs = 0;
    for (const [name, { waiting }] of this.#streams)
      if (priorityOf(name) === priority) jobs += waiting;
    return jobs;
  }

  /** Queues the jobs of message `seq` from index `released` on. */
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
   * Returns how many jobs of a message were released. `stream` null: no job of the message waited.
   */
  releasedOf(stream: string | null, seq: number, recipients: number): number {
    const cursor = stream === null ? undefined : this.#streams.get(stream);
    if (!cursor || seq < cursor.seq) return recipients;
    return seq === cursor.seq ? cursor.recipient : 0;
  }

  /**
   * Releases up to `jobs` jobs of a priority. The streams of that priority take turns; within a
   * stream, the oldest message comes first.
   */
  release(priority: Priority, jobs: number): JobRange[] {
    const [own, others] = [new Map<string, Stream>(), new Map<string, Stream>()];
    for (const [name, stream] of this.#streams)
      (priorityOf(name) === priority ? own : others).set(name, stream);
    const turns = Array.from(own, ([stream, { waiting }]) => ({ stream, waiting }));
    const { counts, order } = dealOut(turns, jobs);
    const releases = [...counts].flatMap(([stream, count]) => this.#advance(stream, count));
    this.#streams = new Map([...others, ...order.map((name) => [name, own.get(name)!] as const)]);
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
   * may be released already.
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
