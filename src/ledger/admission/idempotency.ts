// Stores the answer to each Idempotency-Key, and locks the key while its request is being processed
// (contract.md §Idempotency).
import { DAY_MS, IDEMPOTENCY_WINDOW_MS } from "../../limits.ts";
import { DatedTables } from "../dated-tables.ts";
import type { AdmissionResult, IdempotencyClaim } from "../../rpc/ledger-calls.ts";
import type { SubmissionIdentity } from "../../rpc/submission-calls.ts";

/**
 * Separates the Idempotency-Key and the fingerprint in the row key of a message's second or later
 * part (see continues()). An Idempotency-Key cannot contain this character.
 */
const PART = "\n";
const AFTER_PART = "\v";

type KeyVerdict =
  /** The key is unused, or the caller has locked it. The request continues. */
  | { readonly kind: "free" }
  | { readonly kind: "in_flight" }
  | { readonly kind: "mismatch" }
  | { readonly kind: "replay"; readonly answer: AdmissionResult };

/**
 * A stored key. `answer` is the JSON of the AdmissionResult that was given at the time `at`. If
 * `answer` is null, a request locked the key at that time, and `lock` identifies the request.
 */
export interface KeyRecord {
  readonly fingerprint: string;
  readonly lock: string | null;
  readonly answer: string | null;
  readonly at: number;
}

/** An answer as it is stored, with the identity of the message that came by SMTP. */
type StoredAnswer = AdmissionResult & { readonly submission?: SubmissionIdentity };

/**
 * Decides from the key's stored rows how the ledger treats a request with the key. `lock` is the
 * lock that begin() gave the caller, or null. A lock lasts for `lockMs`. Pure.
 */
export function judgeKey(
  records: readonly KeyRecord[],
  claim: IdempotencyClaim,
  lock: string | null,
  now: number,
  lockMs: number,
): KeyVerdict {
  const live = records.filter((record) => isLive(record, now, lockMs));
  const isOwn = live.some((record) => lock !== null && record.lock === lock);
  if (live.length === 0 || isOwn) return { kind: "free" };
  const answers = live.flatMap(({ fingerprint, answer }) =>
    answer === null ? [] : [{ fingerprint, ...(JSON.parse(answer) as StoredAnswer) }],
  );
  const repeated = answers.find(
    ({ fingerprint, submission }) =>
      fingerprint === claim.fingerprint ||
      (submission !== undefined && submission.content === claim.submission?.content),
  );
  if (repeated) {
    const { fingerprint: _, submission: __, ...answer } = repeated;
    return { kind: "replay", answer };
  }
  if (answers.length < live.length) {
    // A lock's row does not have the facts of the message, so the ledger cannot recognise a
    // repetition by SMTP yet. The SMTP client has to try again.
    const mayRepeat = claim.submission ?? live.some((one) => one.fingerprint === claim.fingerprint);
    return { kind: mayRepeat ? "in_flight" : "mismatch" };
  }
  const isFurther = answers.every(({ submission }) => continues(claim.submission, submission));
  return { kind: isFurther ? "free" : "mismatch" };
}

/**
 * Returns whether a message has the same octets as an earlier message and goes to other recipients.
 * A mail server sends a message with more than 50 recipients in such parts (docs/smtp.md
 * §Repetitions).
 */
function continues(
  part: SubmissionIdentity | undefined,
  earlier: SubmissionIdentity | undefined,
): boolean {
  if (!part || earlier?.octets !== part.octets) return false;
  const reached = new Set(earlier.recipients);
  return !part.recipients.some((recipient) => reached.has(recipient));
}

function isLive({ answer, at }: KeyRecord, now: number, lockMs: number): boolean {
  return now - at < (answer === null ? lockMs : IDEMPOTENCY_WINDOW_MS);
}

export class IdempotencyKeys {
  /** Milliseconds for which a request may lock its key. */
  readonly lockMs: number;
  readonly tables: DatedTables;
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage, lockMs: number) {
    this.lockMs = lockMs;
    this.#sql = sql;
    this.tables = new DatedTables(sql, "idempotency", IDEMPOTENCY_WINDOW_MS / DAY_MS, schemaOf);
  }

  /**
   * Returns the newest row of the key. If the claim is for a message by SMTP, returns the rows of
   * all its parts, the first part first.
   */
  find({ key, submission }: IdempotencyClaim): KeyRecord[] {
    const [from, to] = submission ? rangeOfParts(key) : [key, key];
    const found = new Map<string, KeyRecord>();
    for (const table of this.tables.names()) {
      const rows = this.#sql
        .exec<Record<keyof KeyRecord, SqlStorageValue> & { readonly key: string }>(
          `SELECT key, fingerprint, lock, answer, at FROM ${table} ` +
            "WHERE key = ? OR (key > ? AND key < ?) ORDER BY key",
          key,
          from,
          to,
        )
        .toArray();
      for (const { key: slot, ...row } of rows)
        if (!found.has(slot)) found.set(slot, row as unknown as KeyRecord);
    }
    return [...found.values()];
  }

  lock(claim: IdempotencyClaim, lock: string, now: number): void {
    this.#put(claim, lock, null, now);
  }

  /** Stores the answer to the request. The answer replaces the key's lock, if the key is locked. */
  answer(claim: IdempotencyClaim, answer: AdmissionResult, now: number): void {
    const { submission } = claim;
    this.#put(claim, null, JSON.stringify({ ...answer, ...(submission && { submission }) }), now);
  }

  /** Unlocks the key, if it is locked with `lock`. */
  release(key: string, lock: string): void {
    for (const table of this.tables.names())
      this.#sql.exec(
        `DELETE FROM ${table} WHERE (key = ? OR (key > ? AND key < ?)) AND lock = ?`,
        key,
        ...rangeOfParts(key),
        lock,
      );
  }

  /**
   * Returns the row key for a request that judgeKey() allows: the Idempotency-Key itself, or the
   * key of a separate row if another part of the same message already uses that row.
   */
  #slotOf(claim: IdempotencyClaim, now: number): string {
    const { key, fingerprint, submission } = claim;
    if (!submission) return key;
    const [first] = this.find({ key, fingerprint });
    const isTaken = first && first.answer !== null && isLive(first, now, this.lockMs);
    return isTaken && first.fingerprint !== fingerprint ? `${key}${PART}${fingerprint}` : key;
  }

  #put(claim: IdempotencyClaim, lock: string | null, answer: string | null, now: number): void {
    this.#sql.exec(
      `INSERT OR REPLACE INTO ${this.tables.at(now)} VALUES (?, ?, ?, ?, ?)`,
      this.#slotOf(claim, now),
      claim.fingerprint,
      lock,
      answer,
      now,
    );
  }
}

/** Returns the exclusive bounds of the row keys of a message's second and later parts. */
function rangeOfParts(key: string): [from: string, to: string] {
  return [`${key}${PART}`, `${key}${AFTER_PART}`];
}

function schemaOf(table: string): string {
  const columns = "fingerprint TEXT NOT NULL, lock TEXT, answer TEXT, at INTEGER NOT NULL";
  return `CREATE TABLE ${table} (key TEXT PRIMARY KEY, ${columns}) WITHOUT ROWID`;
}
