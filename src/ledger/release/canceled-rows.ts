// Keeps the facts of canceled messages for as long as events are shown (docs/storage.md §Scheduled
// messages). A canceled message has no event, so no chunk has the message. Each UTC day has a table
// for the messages that were canceled on that day, because dropping a table costs no row writes.
import type { ScheduledMessage } from "../../rpc/schedule-calls.ts";
import { DAY_MS, LONGEST_RETENTION_DAYS } from "../../limits.ts";

interface CanceledRow extends Record<string, SqlStorageValue> {
  meta: string;
  scheduled_at: number;
  canceled_at: number;
}

type Canceled = ScheduledMessage & { readonly canceledAt: number };

export class CanceledRows {
  readonly #sql: SqlStorage;
  /** The UTC days for which a table exists, as days since 1970. */
  readonly #days: Set<number>;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    const tables = sql.exec<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'canceled_[0-9]*'",
    );
    this.#days = new Set(Array.from(tables, ({ name }) => Number(name.slice("canceled_".length))));
  }

  add({ emailId, meta, scheduledAt, canceledAt }: Canceled): void {
    const day = Math.floor(canceledAt / DAY_MS);
    if (!this.#days.has(day)) {
      this.#sql.exec(
        `CREATE TABLE canceled_${day} (id TEXT PRIMARY KEY, canceled_at INTEGER NOT NULL, ` +
          "scheduled_at INTEGER NOT NULL, meta TEXT NOT NULL) WITHOUT ROWID",
      );
      this.#days.add(day);
    }
    this.#sql.exec(
      `INSERT INTO canceled_${day} VALUES (?, ?, ?, ?)`,
      emailId,
      canceledAt,
      scheduledAt,
      meta,
    );
  }

  find(emailId: string): Canceled | undefined {
    for (const day of this.#days) {
      const columns = "meta, scheduled_at, canceled_at";
      const [row] = this.#sql
        .exec<CanceledRow>(`SELECT ${columns} FROM canceled_${day} WHERE id = ?`, emailId)
        .toArray();
      if (row)
        return {
          emailId,
          meta: row.meta,
          scheduledAt: row.scheduled_at,
          canceledAt: row.canceled_at,
        };
    }
    return undefined;
  }

  /**
   * Returns ids of canceled messages in no order: for each day, up to `limit` ids, the highest
   * below `before`.
   */
  idsBelow(before: string, limit: number): string[] {
    return [...this.#days].flatMap((day) =>
      this.#sql
        .exec<{ id: string }>(
          `SELECT id FROM canceled_${day} WHERE id < ? ORDER BY id DESC LIMIT ?`,
          before,
          limit,
        )
        .toArray()
        .map(({ id }) => id),
    );
  }

  /** When sweep() can drop the next table, Unix milliseconds; Infinity: no table exists. */
  get sweepAt(): number {
    return Math.min(...Array.from(this.#days, endOfUse));
  }

  sweep(now: number): void {
    for (const day of this.#days) {
      if (endOfUse(day) > now) continue;
      this.#sql.exec(`DROP TABLE canceled_${day}`);
      this.#days.delete(day);
    }
  }
}

/** Returns the time when all messages canceled on that day are older than any team's retention. */
function endOfUse(day: number): number {
  return (day + 1 + LONGEST_RETENTION_DAYS) * DAY_MS;
}
