// Decides whether a request goes on to be judged (contract.md §Order of checks): the team's request
// rate, then what is known of its Idempotency-Key.
import type { Admission, IdempotencyClaim, Policy, RateState } from "./ledger-contract.ts";
import { type IdempotencyKeys, judgeKey } from "./idempotency.ts";
import { type Bucket, peekRequests, takeRequest } from "./rate.ts";

type Stop = Extract<Admission, { kind: "in_flight" | "mismatch" | "answered" }>;
/** Omit, for each member of a union. */
type Without<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never;

export class RequestGate {
  readonly #keys: () => IdempotencyKeys;
  /** In memory alone: after a restart a team has its burst again. */
  #requests: Bucket | undefined;
  /** Keys whose request is queued for a commit or in it, with its fingerprint. */
  readonly #underWay = new Map<string, string>();

  constructor(keys: () => IdempotencyKeys) {
    this.#keys = keys;
  }

  takeRequest(policy: Policy, now: number): { allowed: boolean; rate: RateState } {
    const [bucket, taken] = takeRequest(this.#requests, policy.requestsPerSecond, now);
    this.#requests = bucket;
    return taken;
  }

  peekRequests({ requestsPerSecond }: Policy, now: number): { allowed: true; rate: RateState } {
    return { allowed: true, rate: peekRequests(this.#requests, requestsPerSecond, now) };
  }

  /** Why a request under this key goes no further; null: it does. `lock`: what begin() gave it. */
  judgeKey(
    claim: IdempotencyClaim,
    lock: string | null,
    now: number,
  ): Without<Stop, "rate"> | null {
    const fingerprint = this.#underWay.get(claim.key);
    if (fingerprint !== undefined)
      return { kind: fingerprint === claim.fingerprint ? "in_flight" : "mismatch" };
    const verdict = judgeKey(this.#keys().find(claim.key), claim, lock, now);
    if (verdict.kind === "free") return null;
    return verdict.kind === "replay"
      ? { kind: "answered", replayed: true, answer: verdict.answer }
      : verdict;
  }

  /**
   * Does `commit`, work on behalf of a key. Until it is on disk, a second request under the key is
   * told that the first is in flight.
   */
  async hold<Result>(
    claim: IdempotencyClaim | null,
    commit: () => Promise<Result>,
  ): Promise<Result> {
    if (!claim) return commit();
    this.#underWay.set(claim.key, claim.fingerprint);
    try {
      return await commit();
    } finally {
      this.#underWay.delete(claim.key);
    }
  }
}
