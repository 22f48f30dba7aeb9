// Decides whether a request may be judged (contract.md §Order of checks): first checks the request
// rate of the team or of the console session, then the Idempotency-Key.
import type { Admission, IdempotencyClaim, Policy, RateState } from "../../rpc/ledger-calls.ts";
import type { OmitEach } from "./accept-send.ts";
import { type IdempotencyKeys, judgeKey } from "./idempotency.ts";
import type { Bucket } from "../token-bucket.ts";
import { peekRequests, takeRequest } from "./rate.ts";
import { ConsoleSessionRates } from "./console-session-rates.ts";

type Stop = Extract<Admission, { kind: "in_flight" | "mismatch" | "answered" }>;

export class RequestGate {
  readonly #keys: () => IdempotencyKeys;
  /** Kept only in memory: after a restart a team has its full burst again. */
  #requests: Bucket | undefined;
  readonly #sessions = new ConsoleSessionRates();
  /** Keys of requests that wait for a commit or are in one, each with the request's fingerprint. */
  readonly #underWay = new Map<string, string>();

  constructor(keys: () => IdempotencyKeys) {
    this.#keys = keys;
  }

  /**
   * Counts the request against the rate of its console session, or of the team if it has no
   * session.
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
   * Returns why a request with this key goes no further, or null if it goes on. `lock`: what
   * begin() gave the request.
   */
  judgeKey(
    claim: IdempotencyClaim,
    lock: string | null,
    now: number,
  ): OmitEach<Stop, "rate"> | null {
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
   * Runs `commit` for a key. Until the commit is on disk, a second request with the key is answered
   * `in_flight`.
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
