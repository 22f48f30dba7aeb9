// Keeps a token bucket for each console session of one team (contract.md §Console sessions), so
// that a polling console does not use up the team's own request rate.
import type { RateState } from "../../rpc/ledger-calls.ts";
import { CONSOLE_SESSION_REQUESTS_PER_SECOND, CONSOLE_SESSIONS_AT_ONCE } from "../../limits.ts";
import type { Bucket } from "../token-bucket.ts";
import { peekRequests, takeRequest } from "./rate.ts";

const PER_SECOND = CONSOLE_SESSION_REQUESTS_PER_SECOND;
const USED_UP: RateState = { limit: PER_SECOND, remaining: 0, resetSeconds: 1 };

export class ConsoleSessionRates {
  /**
   * The token buckets of console sessions, by session. They are only in memory. A full bucket may
   * be dropped, because a new bucket is full too.
   */
  readonly #buckets = new Map<string, Bucket>();

  /**
   * Counts one request against the session's rate. Refuses a new session while too many other
   * sessions are busy, because an API key can open any number of sessions.
   */
  take(session: string, now: number): { allowed: boolean; rate: RateState } {
    const bucket = this.#buckets.get(session);
    if (!bucket && !this.#hasRoom(now)) return { allowed: false, rate: USED_UP };
    const [after, taken] = takeRequest(bucket, PER_SECOND, now, PER_SECOND);
    this.#buckets.set(session, after);
    return taken;
  }

  peek(session: string, now: number): RateState {
    return peekRequests(this.#buckets.get(session), PER_SECOND, now, PER_SECOND);
  }

  #hasRoom(now: number): boolean {
    if (this.#buckets.size < CONSOLE_SESSIONS_AT_ONCE) return true;
    for (const session of this.#buckets.keys())
      if (this.peek(session, now).resetSeconds === 0) this.#buckets.delete(session);
    return this.#buckets.size < CONSOLE_SESSIONS_AT_ONCE;
  }
}
