// Stores the answer to each Idempotency-Key, and locks the key while its request is under way
// (contract.md §Idempotency). Each UTC day has a table: dropping a table costs no row writes, but
// deleting its rows would cost as much as writing them did.
import { DAY_MS, IDEMPOTENCY_WINDOW_MS } from "../../limits.ts";
import type { AdmissionResult, IdempotencyClaim } from "../../rpc/ledger-calls.ts";

type KeyVerdict =
  /** The key is unused, or the caller has locked it: the request goes on. */
  | { readonly kind: "free" }
  | { readonly kind: "in_flight" }
  | { readonly kind: "mismatch" }
  | { readonly kind: "replay"; readonly answer: AdmissionResult };

/**
 * A stored key. If `answer` is null, a request locked the key at the time `at`, and `lock`
 * identifies that request. Otherwise `answer` is the JSON of the AdmissionResult that was given at
 * `at`.
 */
export interface KeyRecord {
  readonly fingerprint: string;
  readonly lock: string | null;
  readonly answer: string | null;
  readonly at: number;
}

/**
 * Decides from the key's stored row what happens to a request with the key. `lock`: the lock that
 * begin() gave the caller, or null. `lockMs`: how long a lock lasts. Pure.
 */
export function judgeKey(
  record: KeyRecord | undefined,
  claim: IdempotencyClaim,
  lock: string | null,
  now: number,
  lockMs: number,
): KeyVerdict {
  if (!record) return { kind: "free" };
  if (record.answer === null) {
    const expired = now - record.at >= lockMs;
    if (expired || (lock !== null && record.lock === lock)) return { kind: "free" };
    return { kind: record.fingerprint === claim.fingerprint ? "in_flight" : "mismatch" };
  }
  if (now - record.at >= IDEMPOTENCY_WINDOW_MS) return { kind: "free" };
  if (record.fingerprint !== claim.fingerprint) return { kind: "mismatch" };
  return { kind: "replay", answer: JSON.parse(record.answer) as AdmissionResult };
}

export class IdempotencyKeys {
  /** Milliseconds for which a request may lock its key. */
  readonly lockMs: number;
  readonly #sql: SqlStorage;
  /** The UTC days for which a table exists, as days since 1970, newest first. */
  #days: number[];

  constructor(sql: SqlStorage, lockMs: number) {
    this.lockMs = lockMs;
    this.#sql = sql;
    const tables = sql
      .exec<{ name: string }>(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'idempotency_[0-9]*'",
      )
      .toArray();
    this.#days = tables
      .map(({ name }) => Number(name.slice("idempotency_".length)))
      .sort((left, right) => right - left);
  }

  find(key: string): KeyRecord | undefined {
    for (const day of this.#days) {
      const [record] = this.#sql
        .exec<Record<keyof KeyRecord, SqlStorageValue>>(
          `SELECT fingerprint, lock, answer, at FROM idempotency_${day} WHERE key = ?`,
          key,
        )
        .toArray();
      if (record) return record as unknown as KeyRecord;
    }
    return undefined;
  }

  lock(claim: IdempotencyClaim, lock: string, now: number): void {
    this.#put(claim, lock, null, now);
  }

  /** Stores the answer to the request. The answer replaces the key's lock, if the key is locked. */
  answer(claim: IdempotencyClaim, answer: AdmissionResult, now: number): void {
    this.#put(claim, null, JSON.stringify(answer), now);
  }

  /** Unlocks the key, if it is locked with `lock`. */
  release(key: string, lock: string): void {
    for (const day of this.#days)
      this.#sql.exec(`DELETE FROM idempotency_${day} WHERE key = ? AND lock = ?`, key, lock);
  }

  /** When sweep() can drop the next table, Unix milliseconds; Infinity: no table exists. */
  get sweepAt(): number {
    const oldest = this.#days.at(-1);
    return oldest === undefined ? Number.POSITIVE_INFINITY : endOfUse(oldest);
  }

  sweep(now: number): void {
    for (const day of this.#days.filter((past) => endOfUse(past) <= now))
      this.#sql.exec(`DROP TABLE idempotency_${day}`);
    this.#days = this.#days.filter((day) => endOfUse(day) > now);
  }

  #put(claim: IdempotencyClaim, lock: string | null, answer: string | null, now: number): void {
    const day = Math.floor(now / DAY_MS);
    if (!this.#days.includes(day)) {
      this.#sql.exec(
        `CREATE TABLE idempotency_${day} (key TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, ` +
          "lock TEXT, answer TEXT, at INTEGER NOT NULL) WITHOUT ROWID",
      );
      this.#days = [day, ...this.#days].sort((left, right) => right - left);
    }
    this.#sql.exec(
      `INSERT OR REPLACE INTO idempotency_${day} VALUES (?, ?, ?, ?, ?)`,
      claim.key,
      claim.fingerprint,
      lock,
      answer,
      now,
    );
  }
}

/** When the last row of the day expires, Unix milliseconds. */
function endOfUse(day: number): number {
  return (day + 1) * DAY_MS + IDEMPOTENCY_WINDOW_MS;
}
