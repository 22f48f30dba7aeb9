// Stores the ids that a provider gave to the copies that it took (docs/architecture.md §Await), so
// that the provider's events find their attempts for weeks. A row is in the table of the day on
// which the provider took the copy.
import type { Grant, ProviderCopy } from "../../rpc/ledger-calls.ts";
import type { MessageInLedger } from "../../rpc/message-list-calls.ts";
import type { CopyMatch, CopyQuery } from "../../rpc/provider-copy-calls.ts";
import { EXPIRY_AFTER_MS, HOUR_MS, REPORTABLE_DAYS } from "../../limits.ts";
import { DatedTables, dayNumber } from "../dated-tables.ts";
import { attemptsUnderWay, isAttemptOpen } from "../open/open-lookups.ts";
import type { OpenMessages } from "../open/open-messages.ts";

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS provider_copies_state (id INTEGER PRIMARY KEY CHECK (id = 1), ids_match INTEGER NOT NULL);
`;

/** Maximum time by which the provider's clock may be ahead of the worker's clock. */
const CLOCK_SLACK_MS = HOUR_MS / 60;

type Row = Pick<Grant, "emailId" | "recipientIndex" | "attempt">;

const GRANT = "SELECT id AS emailId, recipient_index AS recipientIndex, attempt";

export class ProviderCopies {
  readonly tables: DatedTables;
  readonly #sql: SqlStorage;
  /**
   * True if the provider gave a copy's id in its response, and later an event had the same id. This
   * proves that events have the same ids as responses.
   */
  #idsMatch: boolean;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    sql.exec(SCHEMA);
    this.tables = new DatedTables(sql, "provider_copies", REPORTABLE_DAYS, schemaOf);
    this.#idsMatch = sql.exec("SELECT 1 FROM provider_copies_state").toArray().length > 0;
  }

  /**
   * Stores a copy that the provider took. `isAnswer` is true if the id is from the provider's
   * response to the copy, and false if it is from an event.
   */
  note(
    { emailId, recipientIndex, attempt }: Grant,
    { providerId, sender, recipient, at }: ProviderCopy,
    isAnswer: boolean,
    now: number,
  ): void {
    this.#sql.exec(
      `INSERT OR IGNORE INTO ${this.tables.at(now)} VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
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
    open: OpenMessages,
    find: (emailId: string) => MessageInLedger,
  ): CopyMatch {
    const grant = this.#findById(query.providerId);
    if (grant)
      return { byId: { ...grant, found: find(grant.emailId) }, byAddress: [], underWay: [] };
    if (!query.byAddress) return { byId: null, byAddress: [], underWay: [] };
    return {
      byId: null,
      byAddress: this.#findByAddress(query).filter((one) => isAttemptOpen(open, one)),
      underWay: attemptsUnderWay(open, query.recipient, latestOf(query.at)),
    };
  }

  #findById(providerId: string): Grant | null {
    for (const table of this.tables.names()) {
      const [row] = this.#sql
        .exec<Row & { isAnswer: number }>(
          `${GRANT}, is_answer AS isAnswer FROM ${table} WHERE provider_id = ?
           ORDER BY is_answer DESC`,
          bareId(providerId),
        )
        .toArray();
      if (!row) continue;
      const { isAnswer, ...grant } = row;
      if (isAnswer === 1) this.#noteIdsMatch();
      return grant;
    }
    return null;
  }

  /**
   * Finds attempts to this recipient, by this sender, whose copy the provider took in the 72 hours
   * before the event. If the provider uses the same ids in responses and events, leaves out
   * attempts whose id is known, because an event about such an attempt would have that id.
   */
  #findByAddress({ sender, recipient, at }: CopyQuery): Grant[] {
    const latest = latestOf(at);
    const earliest = latest - EXPIRY_AFTER_MS;
    // A row is in the table of the day on which it was written, a moment after `at`. So the row may
    // be in the table of the next day.
    const tables = this.tables.names(dayNumber(earliest), dayNumber(latest) + 1);
    return tables.flatMap((table) =>
      this.#sql
        .exec<Row>(
          `${GRANT} FROM ${table}
           WHERE recipient = ? AND at BETWEEN ? AND ? AND sender = ?
           ${this.#idsMatch ? "AND provider_id IS NULL" : ""}`,
          recipient.toLowerCase(),
          earliest,
          latest,
          sender.toLowerCase(),
        )
        .toArray(),
    );
  }

  #noteIdsMatch(): void {
    if (this.#idsMatch) return;
    this.#idsMatch = true;
    this.#sql.exec("INSERT INTO provider_copies_state VALUES (1, 1)");
  }
}

/**
 * Returns the latest time, by the worker's clock, at which the provider can have taken a copy. `at`
 * is the time of the provider's event about this copy.
 */
function latestOf(at: number): number {
  return at + CLOCK_SLACK_MS;
}

/** Returns an id without angle brackets. The provider writes an id with or without them. */
function bareId(providerId: string): string {
  return /^<(.+)>$/.exec(providerId)?.[1] ?? providerId;
}

function schemaOf(table: string): string {
  return `
    CREATE TABLE ${table} (
      recipient TEXT NOT NULL, at INTEGER NOT NULL, id TEXT NOT NULL, recipient_index INTEGER NOT NULL,
      attempt INTEGER NOT NULL, provider_id TEXT, sender TEXT NOT NULL,
      is_answer INTEGER NOT NULL,
      PRIMARY KEY (recipient, at, id, recipient_index, attempt)
    ) WITHOUT ROWID;
    CREATE INDEX ${table}_ids ON ${table} (provider_id);`;
}
