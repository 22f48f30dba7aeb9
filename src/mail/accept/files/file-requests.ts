// Limits the requests that sends make to servers of third parties, so that no team can use the
// service to flood a server. Each request, with the DNS look-up before it, takes one token of its
// team and one token of its send. Each isolate counts separately. Pure.
import { refill, type Bucket } from "../../../ledger/token-bucket.ts";
import { BoundedCache } from "../../../lib/bounded-cache.ts";
import {
  ATTACHED_FILE_REQUESTS,
  ATTACHMENTS_PER_SEND,
  MINUTE_MS,
  SECOND_MS,
} from "../../../limits.ts";

/**
 * Number of requests to other servers for each request that the team may send to this service in
 * the same second.
 */
const PER_REQUEST = 2;
/**
 * Size of a full bucket. It is enough for a send with the maximum number of files, each with one
 * redirect.
 */
const BURST = 2 * ATTACHMENTS_PER_SEND;
const TEAMS_KNOWN = 10_000;
/**
 * Time after which a team without a request is forgotten. At the default rate, its bucket is full
 * again by then.
 */
const KNOWN_MS = MINUTE_MS;

interface RatedTeam {
  readonly id: string;
  readonly limits: { readonly requestsPerSecond: number };
}

/** The requests that one send may still make. */
export interface SendRequests {
  /**
   * Takes one request. `spent` means that the team must wait. `over` means that the send has made
   * too many requests.
   */
  readonly take: (now: number) => "taken" | "spent" | "over";
}

export class FileRequests {
  readonly #buckets = new BoundedCache<Bucket>(TEAMS_KNOWN, KNOWN_MS);

  /**
   * Begins a send with this many files. Undefined means that the team must wait before such a send.
   */
  begin(team: RatedTeam, files: number, now: number): SendRequests | undefined {
    if (!this.#take(team, files, now)) return undefined;
    // begin() has already taken the team's tokens for the first request of each file.
    let [first, made] = [files, 0];
    return {
      take: (at) => {
        if (made === ATTACHED_FILE_REQUESTS) return "over";
        if (first > 0) first -= 1;
        else if (!this.#take(team, 1, at)) return "spent";
        made += 1;
        return "taken";
      },
    };
  }

  #take({ id, limits }: RatedTeam, requests: number, now: number): boolean {
    const perWindow = Math.max(1, PER_REQUEST * limits.requestsPerSecond);
    const capacity = Math.max(BURST, PER_REQUEST * perWindow);
    const flow = { perWindow, windowMs: SECOND_MS, capacity };
    const { level, at } = refill(this.#buckets.get(id, now), flow, now);
    const left = level - requests * SECOND_MS;
    this.#buckets.set(id, { level: left < 0 ? level : left, at }, now);
    return left >= 0;
  }
}
