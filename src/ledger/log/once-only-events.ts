// Decides which events may happen only once (decision 0008, docs/storage.md §The log): a
// recipient's bounce and complaint, and events for which the caller gives a key. Each key is stored
// in the table of its UTC day.
import { REPORTABLE_DAYS } from "../../limits.ts";
import { DatedTables, dayNumber } from "../dated-tables.ts";

const LETTERS: Readonly<Record<string, string>> = { "email.bounced": "b", "email.complained": "c" };

/**
 * Returns the key of an event whose type happens only once per recipient. Returns null if the event
 * may happen any number of times.
 */
export function onceKeyOf(type: string, emailId: string, recipientIndex: number): string | null {
  const letter = LETTERS[type];
  return letter === undefined ? null : `${letter}${recipientIndex}/${emailId}`;
}

/** Returns the key of a provider's event, which the ledger applies only once. */
export function providerKey(eventId: string): string {
  return `p${eventId}`;
}

/** Returns whether an event at `at` (Unix milliseconds) is too old to be appended. */
export function isTooOld(at: number, now: number): boolean {
  return dayNumber(at) < dayNumber(now) - REPORTABLE_DAYS;
}

export class OnceKeys {
  readonly tables: DatedTables;
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.tables = new DatedTables(sql, "once", REPORTABLE_DAYS, schemaOf);
  }

  isTaken(key: string): boolean {
    const has = (table: string): boolean =>
      this.#sql.exec(`SELECT 1 FROM ${table} WHERE key = ?`, key).toArray().length > 0;
    return this.tables.names().some(has);
  }

  /** Stores a key. Returns false if the key is already stored. */
  take(key: string, now: number): boolean {
    if (this.isTaken(key)) return false;
    this.#sql.exec(`INSERT INTO ${this.tables.at(now)} VALUES (?)`, key);
    return true;
  }
}

function schemaOf(table: string): string {
  return `CREATE TABLE ${table} (key TEXT PRIMARY KEY) WITHOUT ROWID`;
}
