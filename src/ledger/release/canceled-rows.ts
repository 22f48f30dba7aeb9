// Keeps the facts of canceled messages for as long as events are shown (docs/storage.md §Scheduled
// messages). A canceled message has no event, so no chunk has the message. It is in the table of the
// day on which it was canceled.
import type { ScheduledMessage } from "../../rpc/schedule-calls.ts";
import { LONGEST_RETENTION_DAYS } from "../../limits.ts";
import { DatedTables } from "../dated-tables.ts";

interface CanceledRow extends Record<string, SqlStorageValue> {
  meta: string;
  scheduled_at: number;
  canceled_at: number;
}

type Canceled = ScheduledMessage & { readonly canceledAt: number };

export class CanceledRows {
  readonly #sql: SqlStorage;
  readonly #tables: DatedTables;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.#tables = new DatedTables(sql, "canceled", LONGEST_RETENTION_DAYS, schemaOf);
  }

  add({ emailId, meta, scheduledAt, canceledAt }: Canceled): void {
    const insert = `INSERT INTO ${this.#tables.at(canceledAt)} VALUES (?, ?, ?, ?)`;
    this.#sql.exec(insert, emailId, canceledAt, scheduledAt, meta);
  }

  find(emailId: string): Canceled | undefined {
    for (const table of this.#tables.names()) {
      const found = `SELECT meta, scheduled_at, canceled_at FROM ${table} WHERE id = ?`;
      const [row] = this.#sql.exec<CanceledRow>(found, emailId).toArray();
      if (!row) continue;
      const { meta, scheduled_at: scheduledAt, canceled_at: canceledAt } = row;
      return { emailId, meta, scheduledAt, canceledAt };
    }
    return undefined;
  }

  /**
   * Returns ids of canceled messages in no order: for each day, up to `limit` ids, the highest
   * below `before`.
   */
  idsBelow(before: string, limit: number): string[] {
    return this.#tables.names().flatMap((table) => {
      const ids = `SELECT id FROM ${table} WHERE id < ? ORDER BY id DESC LIMIT ?`;
      return Array.from(this.#sql.exec<{ id: string }>(ids, before, limit), ({ id }) => id);
    });
  }

  /** When sweep() can drop the next table, Unix milliseconds; Infinity: no table exists. */
  get sweepAt(): number {
    return this.#tables.sweepAt;
  }

  sweep(now: number): void {
    this.#tables.sweep(now);
  }
}

function schemaOf(table: string): string {
  const columns = "canceled_at INTEGER NOT NULL, scheduled_at INTEGER NOT NULL, meta TEXT NOT NULL";
  return `CREATE TABLE ${table} (id TEXT PRIMARY KEY, ${columns}) WITHOUT ROWID`;
}
