// Keeps the token buckets of one team's requests (contract.md §Rate and quota refusals). The
// buckets are only in memory, so a restart gives the team its full burst.
import type { RateState } from "../../rpc/ledger-calls.ts";
import type { Bucket } from "../token-bucket.ts";
import { ConsoleSessionRates } from "./console-session-rates.ts";
import { peekRequests, takeRequest } from "./rate.ts";

export class RequestRates {
  #requests: Bucket | undefined;
  readonly #sessions = new ConsoleSessionRates();

  /**
   * Counts the request against the rate of its console session. A request without a session counts
   * against the rate of the team.
   */
  take(
    perSecond: number,
    now: number,
    session: string | null,
  ): { allowed: boolean; rate: RateState } {
    if (session) return this.#sessions.take(session, now);
    const [bucket, taken] = takeRequest(this.#requests, perSecond, now);
    this.#requests = bucket;
    return taken;
  }

  peek(perSecond: number, now: number, session: string | null): RateState {
    return session
      ? this.#sessions.peek(session, now)
      : peekRequests(this.#requests, perSecond, now);
  }
}
