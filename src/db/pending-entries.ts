// Stores entries of the audit trail in a Durable Object, in the transaction of the change, until
// they are in the core database (docs/audit.md). The object's alarm copies them there, so a restart
// of the object loses no entry.
import type { AuditEntry } from "../audit.ts";
import { storeEntry } from "./audit-entries.ts";
import type { Scope } from "./client.ts";

const SCHEMA =
  "CREATE TABLE IF NOT EXISTS pending_entries (id TEXT PRIMARY KEY, team_id TEXT NOT NULL, " +
  "entry TEXT NOT NULL)";

export class PendingEntries {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(SCHEMA);
  }

  add(teamId: string, entry: AuditEntry | null): void {
    if (!entry) return;
    const text = JSON.stringify(entry);
    this.#sql.exec("INSERT INTO pending_entries VALUES (?, ?, ?)", entry.id, teamId, text);
  }

  /** Moves all entries to the core database. `scopeOf` returns the scope of a team. */
  async handOver(scopeOf: (teamId: string) => Scope): Promise<void> {
    const rows = this.#sql
      .exec<{ id: string; team_id: string; entry: string }>("SELECT * FROM pending_entries")
      .toArray();
    for (const { id, team_id: teamId, entry } of rows) {
      await storeEntry(scopeOf(teamId), JSON.parse(entry) as AuditEntry);
      this.#sql.exec("DELETE FROM pending_entries WHERE id = ?", id);
    }
  }
}
