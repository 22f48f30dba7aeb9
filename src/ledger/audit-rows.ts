// Stores the trail's entries for changes that the ledger decides (docs/audit.md): scheduled
// messages that a caller moved or canceled, and messages that a caller sent again. The first entry
// creates the table, so that a ledger without entries needs no write for it.
import type { AuditEntry, AuditQuery, NotedChange } from "../audit.ts";

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS audit_entries (id TEXT PRIMARY KEY, at INTEGER NOT NULL, entry TEXT NOT NULL) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS audit_entries_at ON audit_entries (at, id);`;

const HAS_TABLE = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'audit_entries'";

const LIST = `
  SELECT entry FROM audit_entries WHERE at >= ?1 AND (at, id) < (?2, ?3)
    AND (?4 IS NULL OR entry ->> '$.operation' = ?4)
    AND (?5 IS NULL OR entry ->> '$.actor.kind' = ?5)
    AND (?6 IS NULL OR entry ->> '$.actor.id' = ?6)
    AND (?7 IS NULL OR entry ->> '$.target' = ?7)
  ORDER BY at DESC, id DESC LIMIT ?8`;

export class AuditRows {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Stores an entry once, and deletes entries that are too old. */
  add(noted: NotedChange | undefined): void {
    if (!noted) return;
    const { entry, keptSince } = noted;
    this.#sql.exec(SCHEMA);
    this.#sql.exec(
      "INSERT OR IGNORE INTO audit_entries VALUES (?, ?, ?)",
      entry.id,
      entry.at,
      JSON.stringify(entry),
    );
    this.#sql.exec("DELETE FROM audit_entries WHERE at < ?", keptSince);
  }

  /** Lists up to `limit` entries that the query selects, newest first. */
  list({ since, before, operation, actorKind, actorId, target }: AuditQuery, limit: number) {
    if (this.#sql.exec(HAS_TABLE).toArray().length === 0) return [];
    const values = [since, before.at, before.id, operation, actorKind, actorId, target, limit];
    return Array.from(
      this.#sql.exec<{ entry: string }>(LIST, ...values),
      ({ entry }) => JSON.parse(entry) as AuditEntry,
    );
  }
}
