// Stores which released messages have copies that the provider refused because of a hold
// (docs/architecture.md §Hold), by sending domain. When the hold ends, these messages leave before
// the mail of the backlog, the oldest first.

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS held_copies (domain TEXT NOT NULL, seq INTEGER NOT NULL, id TEXT NOT NULL, PRIMARY KEY (domain, seq)) WITHOUT ROWID;
`;

/** A message in the table `held_copies`. The message may already be finished. */
export interface NotedMessage extends Record<string, SqlStorageValue> {
  domain: string;
  seq: number;
  id: string;
}

export class HeldCopies {
  readonly #sql: SqlStorage;
  /** The domains that have messages in the table. */
  readonly #domains: Set<string>;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(SCHEMA);
    const rows = sql.exec<{ domain: string }>("SELECT DISTINCT domain FROM held_copies");
    this.#domains = new Set(Array.from(rows, ({ domain }) => domain));
  }

  get domains(): Iterable<string> {
    return this.#domains;
  }

  add(domain: string, seq: number, id: string): void {
    this.#domains.add(domain);
    this.#sql.exec("INSERT OR IGNORE INTO held_copies VALUES (?, ?, ?)", domain, seq, id);
  }

  /** Returns up to `limit` messages of a domain, the oldest first. */
  first(domain: string, limit: number): NotedMessage[] {
    const rows = this.#sql
      .exec<NotedMessage>(
        "SELECT domain, seq, id FROM held_copies WHERE domain = ? ORDER BY seq LIMIT ?",
        domain,
        limit,
      )
      .toArray();
    if (rows.length === 0) this.#domains.delete(domain);
    return rows;
  }

  remove({ domain, seq }: NotedMessage): void {
    this.#sql.exec("DELETE FROM held_copies WHERE domain = ? AND seq = ?", domain, seq);
  }
}
