// Checks a request before its send is judged (contract.md §Order of checks): first the request rate
// of the team or of the console session, then the Idempotency-Key.
import type { Admission, IdempotencyClaim, Policy, RateState } from "../../rpc/ledger-calls.ts";
import type { OmitEach } from "./accept-send.ts";
import { type IdempotencyKeys, judgeKey } from "./idempotency.ts";
import type { Bucket } from "../token-bucket.ts";
import { peekRequests, takeRequest } from "./rate.ts";
import { ConsoleSessionRates } from "./console-session-rates.ts";

type Stop = Extract<Admission, { kind: "in_flight" | "mismatch" | "answered" }>;

export class RequestGate {
  readonly #keys: () => IdempotencyKeys;
  /**
   * The team's token bucket. It is only in memory: after a restart the team has its full burst
   * again.
   */
  #requests: Bucket | undefined;
  readonly #sessions = new ConsoleSessionRates();
  /**
   * The Idempotency-Keys of requests that wait for a commit or are being committed, each with the
   * request's fingerprint.
   */
  readonly #underWay = new Map<string, string>();

  constructor(keys: () => IdempotencyKeys) {
    this.#keys = keys;
  }

  /**
   * Counts the request against the rate of its console session. A request without a session counts
   * against the rate of the team.
   */
  takeRequest(
    policy: Policy,
    now: number,
    session: string | null,
  ): { allowed: boolean; rate: RateState } {
    if (session) return this.#sessions.take(session, now);
    const [bucket, taken] = takeRequest(this.#requests, policy.requestsPerSecond, now);
    this.#requests = bucket;
    return taken;
  }

  peekRequests(
    { requestsPerSecond }: Policy,
    now: number,
    session: string | null,
  ): { allowed: true; rate: RateState } {
    const rate = session
      ? this.#sessions.peek(session, now)
      : peekRequests(this.#requests, requestsPerSecond, now);
    return { allowed: true, rate };
  }

  /**
   * Returns the reason to stop a request with this key, or null if the request may go on. `lock`:
   * the lock that begin() gave the request.
   */
  judgeKey(
    claim: IdempotencyClaim,
    lock: string | null,
    now: number,
  ): OmitEach<Stop, "rate"> | null {
    const fingerprint = this.#underWay.get(claim.key);
    if (fingerprint !== undefined)
      return { kind: fingerprint === claim.fingerprint ? "in_flight" : "mismatch" };
    const keys = this.#keys();
    const verdict = judgeKey(keys.find(claim.key), claim, lock, now, keys.lockMs);
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
    return claim ? this.#holdKey(claim, commit) : commit();
  }

  async #holdKey<Result>(claim: IdempotencyClaim, commit: () => Promise<Result>): Promise<Result> {
    this.#underWay.set(claim.key, claim.fingerprint);
    try {
      return await commit();
    } finally {
      this.#underWay.delete(claim.key);
    }
  }
}
