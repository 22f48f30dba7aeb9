// Keeps the ids that a provider gave to the copies that it took (docs/architecture.md §Await), so
// that the provider's events find their attempts for weeks. Rows are kept by the UTC day on which
// the provider took the copy, in one table per day, because dropping a table costs no row writes.
import type {
  CopyMatch,
  CopyQuery,
  MessageInLedger,
  Grant,
  ProviderCopy,
} from "../../rpc/ledger-calls.ts";
import { DAY_MS, EXPIRY_AFTER_MS, HOUR_MS } from "../../limits.ts";
import type { OpenLookups } from "../open/open-lookups.ts";

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS provider_copies_state (id INTEGER PRIMARY KEY CHECK (id = 1), ids_match INTEGER NOT NULL);
`;

/** Retention of rows in days. A complaint may come weeks after the delivery. */
const KEPT_DAYS = 35;
/** Maximum time by which the provider's clock may be ahead of ours. */
const CLOCK_SLACK_MS = HOUR_MS / 60;

interface Row extends Record<string, SqlStorageValue> {
  id: string;
  recipient_index: number;
  attempt: number;
  is_answer: number;
}

export class ProviderCopies {
  readonly #sql: SqlStorage;
  /** The UTC days for which a table exists, as days since 1970, newest first. */
  #days: readonly number[];
  /**
   * True if an event was once found by its id. This proves that the provider's events have the same
   * ids as its answers.
   */
  #idsMatch: boolean;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(SCHEMA);
    const tables = sql.exec<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'provider_copies_[0-9]*'",
    );
    this.#days = newestFirst(
      Array.from(tables, ({ name }) => Number(name.slice("provider_copies_".length))),
    );
    this.#idsMatch = sql.exec("SELECT 1 FROM provider_copies_state").toArray().length > 0;
  }

  /**
   * `isAnswer`: the provider gave the id in its answer to the copy. False: the id is from an event.
   */
  note(
    { emailId, recipientIndex, attempt }: Grant,
    { providerId, sender, recipient, at }: ProviderCopy,
    isAnswer: boolean,
    now: number,
  ): void {
    const today = dayNumber(now);
    if (!this.#days.includes(today)) this.#addDay(today);
    this.#sql.exec(
      `INSERT OR IGNORE INTO provider_copies_${today} VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      recipient.toLowerCase(),
      at,
      emailId,
      recipientIndex,
      attempt,
      providerId && bareId(providerId),
      sender.toLowerCase(),
      isAnswer ? 1 : 0,
    );
  }

  /**
   * Finds the attempts that a provider's event is about. `find` looks up the messages of these
   * attempts.
   */
  match(
    query: CopyQuery,
    open: Pick<OpenLookups, "isOpen" | "underWay">,
    find: (emailId: string) => MessageInLedger,
  ): CopyMatch {
    const grant = this.#findById(query.providerId);
    if (grant)
      return { byId: { ...grant, found: find(grant.emailId) }, byAddress: [], underWay: [] };
    if (!query.byAddress) return { byId: null, byAddress: [], underWay: [] };
    return {
      byId: null,
      byAddress: this.#findByAddress(query).filter((one) => open.isOpen(one)),
      underWay: open.underWay(query.recipient, latestOf(query.at)),
    };
  }

  #findById(providerId: string): Grant | null {
    for (const day of this.#days) {
      const [row] = this.#sql
        .exec<Row>(
          `SELECT id, recipient_index, attempt, is_answer FROM provider_copies_${day}
           WHERE provider_id = ? ORDER BY is_answer DESC`,
          bareId(providerId),
        )
        .toArray();
      if (!row) continue;
      if (row.is_answer === 1) this.#noteIdsMatch();
      return toGrant(row);
    }
    return null;
  }

  /**
   * Finds attempts to this recipient, by this sender, whose copy the provider took in the 72 hours
   * before the event. Leaves out attempts whose id is known, if the provider uses the same ids in
   * answers and events: an event about such an attempt would have the id.
   */
  #findByAddress({ sender, recipient, at }: CopyQuery): Grant[] {
    const latest = latestOf(at);
    const earliest = latest - EXPIRY_AFTER_MS;
    // A row is in the table of the day on which it was written, a moment after `at`. So the table
    // may be that of the next day.
    const [first, last] = [dayNumber(earliest), dayNumber(latest) + 1];
    const days = this.#days.filter((day) => day >= first && day <= last);
    return days.flatMap((day) =>
      this.#sql
        .exec<Row>(
          `SELECT id, recipient_index, attempt, is_answer FROM provider_copies_${day}
           WHERE recipient = ? AND at BETWEEN ? AND ? AND sender = ?
           ${this.#idsMatch ? "AND provider_id IS NULL" : ""}`,
          recipient.toLowerCase(),
          earliest,
          latest,
          sender.toLowerCase(),
        )
        .toArray()
        .map(toGrant),
    );
  }

  sweep(now: number): void {
    const isOld = (day: number): boolean => day < dayNumber(now) - KEPT_DAYS;
    for (const day of this.#days.filter(isOld)) this.#sql.exec(`DROP TABLE provider_copies_${day}`);
    this.#days = this.#days.filter((day) => !isOld(day));
  }

  #addDay(day: number): void {
    this.#sql.exec(`
      CREATE TABLE provider_copies_${day} (
        recipient TEXT NOT NULL, at INTEGER NOT NULL, id TEXT NOT NULL, recipient_index INTEGER NOT NULL,
        attempt INTEGER NOT NULL, provider_id TEXT, sender TEXT NOT NULL,
        is_answer INTEGER NOT NULL,
        PRIMARY KEY (recipient, at, id, recipient_index, attempt)
      ) WITHOUT ROWID;
      CREATE INDEX provider_copies_${day}_ids ON provider_copies_${day} (provider_id);
    `);
    this.#days = newestFirst([...this.#days, day]);
  }

  #noteIdsMatch(): void {
    if (this.#idsMatch) return;
    this.#idsMatch = true;
    this.#sql.exec("INSERT INTO provider_copies_state VALUES (1, 1)");
  }
}

/**
 * Returns the latest time, by our clock, at which the provider can have taken a copy. `at`: the
 * time of the provider's event about this copy.
 */
function latestOf(at: number): number {
  return at + CLOCK_SLACK_MS;
}

function toGrant({ id, recipient_index: recipientIndex, attempt }: Row): Grant {
  return { emailId: id, recipientIndex, attempt };
}

/** The provider writes an id with or without angle brackets. */
function bareId(providerId: string): string {
  return /^<(.+)>$/.exec(providerId)?.[1] ?? providerId;
}

function newestFirst(days: readonly number[]): number[] {
  return days.toSorted((left, right) => right - left);
}

function dayNumber(ms: number): number {
  return Math.floor(ms / DAY_MS);
}
