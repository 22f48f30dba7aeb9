// Checks the Idempotency-Key of a request before its send is judged (contract.md §Order of checks).
import type { Admission, IdempotencyClaim } from "../../rpc/ledger-calls.ts";
import type { OmitEach } from "./accept-send.ts";
import { type IdempotencyKeys, judgeKey } from "./idempotency.ts";

type Stop = Extract<Admission, { kind: "in_flight" | "mismatch" | "answered" }>;

export class RequestGate {
  readonly #keys: () => IdempotencyKeys;
  /**
   * The Idempotency-Keys of requests that are not committed yet, each with the request's
   * fingerprint.
   */
  readonly #underWay = new Map<string, string>();

  constructor(keys: () => IdempotencyKeys) {
    this.#keys = keys;
  }

  /**
   * Returns the reason to stop a request with this key, or null if the request may continue. `lock`
   * is the lock that begin() gave the request.
   */
  judgeKey(
    claim: IdempotencyClaim,
    lock: string | null,
    now: number,
  ): OmitEach<Stop, "rate"> | null {
    const fingerprint = this.#underWay.get(claim.key);
    if (fingerprint !== undefined) {
      const mayRepeat = fingerprint === claim.fingerprint || claim.submission !== undefined;
      return { kind: mayRepeat ? "in_flight" : "mismatch" };
    }
    const keys = this.#keys();
    const verdict = judgeKey(keys.find(claim), claim, lock, now, keys.lockMs);
    if (verdict.kind === "free") return null;
    return verdict.kind === "replay"
      ? { kind: "answered", replayed: true, answer: verdict.answer }
      : verdict;
  }

  /**
   * Runs `commit` for a key. A second request with the key gets the answer `in_flight` until the
   * commit is on disk.
   */
  hold<Result>(claim: IdempotencyClaim | null, commit: () => Promise<Result>): Promise<Result> {
    if (!claim) return commit();
    this.#underWay.set(claim.key, claim.fingerprint);
    return commit().finally(() => this.#underWay.delete(claim.key));
  }
}
