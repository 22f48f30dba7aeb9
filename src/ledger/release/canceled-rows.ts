// Stores the facts of canceled messages for as long as events are shown (docs/storage.md §Scheduled
// messages). A canceled message has no event, so no chunk has the message. The message is in the
// table of the day on which it was canceled.
import type { ScheduledMessage } from "../../rpc/schedule-calls.ts";
import { LONGEST_RETENTION_DAYS } from "../../limits.ts";
import { idsBelow } from "../newest-messages.ts";
import { DatedTables } from "../dated-tables.ts";

type Canceled = ScheduledMessage & { readonly canceledAt: number };
type Row = Record<string, SqlStorageValue>;

export class CanceledRows {
  readonly tables: DatedTables;
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.tables = new DatedTables(sql, "canceled", LONGEST_RETENTION_DAYS, schemaOf);
  }

  add({ emailId, meta, scheduledAt, canceledAt }: Canceled): void {
    const insert = `INSERT INTO ${this.tables.at(canceledAt)} VALUES (?, ?, ?, ?)`;
    this.#sql.exec(insert, emailId, canceledAt, scheduledAt, meta);
  }

  find(emailId: string): Canceled | undefined {
    for (const table of this.tables.names()) {
      const found = `SELECT id AS emailId, meta, scheduled_at AS scheduledAt,
        canceled_at AS canceledAt FROM ${table} WHERE id = ?`;
      const [row] = this.#sql.exec<Canceled & Row>(found, emailId).toArray();
      if (row) return row;
    }
    return undefined;
  }

  /**
   * Returns ids of canceled messages, unsorted: up to `limit` ids for each day, the highest below
   * `before`.
   */
  idsBelow(before: string, limit: number): string[] {
    const names = this.tables.names();
    return names.flatMap((table) => idsBelow(this.#sql, `${table} WHERE`, before, limit));
  }
}

function schemaOf(table: string): string {
  const columns = "canceled_at INTEGER NOT NULL, scheduled_at INTEGER NOT NULL, meta TEXT NOT NULL";
  return `CREATE TABLE ${table} (id TEXT PRIMARY KEY, ${columns}) WITHOUT ROWID`;
}
