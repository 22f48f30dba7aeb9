// Decides which events may happen only once (decision 0008, docs/storage.md §The log): a
// recipient's bounce and complaint, and events to which their caller gives a key. There is one
// table of keys per UTC day, because dropping a table costs no row writes. A key is in the table of
// the day on which it was stored.
import { DAY_MS } from "../../limits.ts";

/**
 * Time for which keys are kept. It is longer than the 30 days for which a message's return-path and
 * links are accepted.
 */
const KEPT_DAYS = 35;

const LETTERS: Readonly<Record<string, string>> = { "email.bounced": "b", "email.complained": "c" };

/**
 * The key of an event whose type happens only once per recipient; null: the event may happen any
 * number of times.
 */
export function onceKeyOf(type: string, emailId: string, recipientIndex: number): string | null {
  const letter = LETTERS[type];
  return letter === undefined ? null : `${letter}${recipientIndex}/${emailId}`;
}

/** The key of a provider's event, which is applied only once. */
export function providerKey(eventId: string): string {
  return `p${eventId}`;
}

/** Returns whether an event at `at` (Unix milliseconds) is too old to be appended. */
export function isTooOld(at: number, now: number): boolean {
  return Math.floor(at / DAY_MS) < Math.floor(now / DAY_MS) - KEPT_DAYS;
}

export class OnceKeys {
  readonly #sql: SqlStorage;
  /** The UTC days for which a table exists, as days since 1970. */
  readonly #days: Set<number>;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    const tables = sql.exec<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'once_[0-9]*'",
    );
    this.#days = new Set(Array.from(tables, ({ name }) => Number(name.slice("once_".length))));
  }

  isTaken(key: string): boolean {
    for (const day of this.#days)
      if (this.#sql.exec(`SELECT 1 FROM once_${day} WHERE key = ?`, key).toArray().length > 0)
        return true;
    return false;
  }

  /** Stores a key. Returns false if the key was stored before. */
  take(key: string, now: number): boolean {
    if (this.isTaken(key)) return false;
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
