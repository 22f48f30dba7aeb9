// Decides what may happen once to a recipient (decision 0008, docs/storage.md §The log): a bounce,
// a complaint, and what the caller names. Names are kept by the UTC day on which they were taken,
// in a table for each day, since dropping one costs no row writes.
import { DAY_MS } from "../../limits.ts";

/** A message's return-path and links are good for 30 days after it was sent. */
const KEPT_DAYS = 35;

const LETTERS: Readonly<Record<string, string>> = { "email.bounced": "b", "email.complained": "c" };

/**
 * Under which an event of a type that happens once is known; null: it may happen any number of
 * times.
 */
export function onceKeyOf(type: string, emailId: string, recipientIndex: number): string | null {
  const letter = LETTERS[type];
  return letter === undefined ? null : `${letter}${recipientIndex}/${emailId}`;
}

/** Whether what happened at `at` is too old to be shown. */
export function isTooOld(at: number, now: number): boolean {
  return Math.floor(at / DAY_MS) < Math.floor(now / DAY_MS) - KEPT_DAYS;
}

export class OnceKeys {
  readonly #sql: SqlStorage;
  /** Days since 1970 that have a table. */
  readonly #days: Set<number>;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    const tables = sql.exec<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'once_[0-9]*'",
    );
    this.#days = new Set(Array.from(tables, ({ name }) => Number(name.slice("once_".length))));
  }

  /** Whether nothing of that name was taken before; from now on it is. */
  take(key: string, now: number): boolean {
    for (const day of this.#days)
      if (this.#sql.exec(`SELECT 1 FROM once_${day} WHERE key = ?`, key).toArray().length > 0)
        return false;
    const today = Math.floor(now / DAY_MS);
    if (!this.#days.has(today)) {
      this.#sql.exec(`CREATE TABLE once_${today} (key TEXT PRIMARY KEY) WITHOUT ROWID`);
      this.#days.add(today);
    }
    this.#sql.exec(`INSERT INTO once_${today} VALUES (?)`, key);
    return true;
  }

  sweep(now: number): void {
    for (const day of this.#days) {
      if (!isTooOld(day * DAY_MS, now)) continue;
      this.#sql.exec(`DROP TABLE once_${day}`);
      this.#days.delete(day);
    }
  }
}
