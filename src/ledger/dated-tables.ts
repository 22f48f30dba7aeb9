// Stores rows in one table for each UTC day. Dropping a table costs no row writes, whereas deleting
// its rows would cost as much as writing them.
import { DAY_MS } from "../limits.ts";

export class DatedTables {
  readonly #sql: SqlStorage;
  readonly #prefix: string;
  readonly #keptDays: number;
  readonly #schemaOf: (table: string) => string;
  /** The days that have a table, as days since 1970, newest first. */
  #days: readonly number[];

  /**
   * A row is stored for `keptDays` full days after the end of its day. `schemaOf` returns the SQL
   * that creates a table.
   */
  constructor(
    sql: SqlStorage,
    prefix: string,
    keptDays: number,
    schemaOf: (table: string) => string,
  ) {
    this.#sql = sql;
    this.#prefix = `${prefix}_`;
    this.#keptDays = keptDays;
    this.#schemaOf = schemaOf;
    const named = `SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB '${this.#prefix}[0-9]*'`;
    const days = Array.from(sql.exec<{ name: string }>(named), ({ name }) =>
      Number(name.slice(this.#prefix.length)),
    );
    this.#days = newestFirst(days);
  }

  /**
   * Returns the names of the tables of the days from `first` to `last`, newest first. The default
   * is all tables.
   */
  names(first = 0, last = Number.POSITIVE_INFINITY): string[] {
    const days = this.#days.filter((day) => day >= first && day <= last);
    return days.map((day) => this.#prefix + day);
  }

  /** Returns the name of the table for this time, and creates the table if it does not exist. */
  at(now: number): string {
    const day = dayNumber(now);
    const table = this.#prefix + day;
    if (!this.#days.includes(day)) {
      this.#sql.exec(this.#schemaOf(table));
      this.#days = newestFirst([...this.#days, day]);
    }
    return table;
  }

  /**
   * The time at which sweep() can drop the next table, in Unix milliseconds. Infinity means that no
   * table exists.
   */
  get sweepAt(): number {
    return Math.min(...this.#days.map((day) => this.#endOfUse(day)));
  }

  sweep(now: number): void {
    for (const day of this.#days.filter((past) => this.#endOfUse(past) <= now))
      this.#sql.exec(`DROP TABLE ${this.#prefix}${day}`);
    this.#days = this.#days.filter((day) => this.#endOfUse(day) > now);
  }

  #endOfUse(day: number): number {
    return (day + 1 + this.#keptDays) * DAY_MS;
  }
}

export function dayNumber(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

function newestFirst(days: readonly number[]): number[] {
  return days.toSorted((left, right) => right - left);
}
