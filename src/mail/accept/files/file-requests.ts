// Bounds the requests that sends make to strangers' servers, so that no team can use the service to
// flood one. Each request, with the DNS look-up before it, takes a token of its team and one of its
// send. Each isolate counts by itself. Pure.
import { refill, type Bucket } from "../../../ledger/token-bucket.ts";
import { BoundedCache } from "../../../lib/bounded-cache.ts";
import {
  ATTACHED_FILE_REQUESTS,
  ATTACHMENTS_PER_SEND,
  MINUTE_MS,
  SECOND_MS,
} from "../../../limits.ts";

/** Requests that a team may make in a second, as a multiple of its own requests per second. */
const PER_REQUEST = 2;
/** A full bucket lasts for a send with the most files, each behind a redirect. */
const BURST = 2 * ATTACHMENTS_PER_SEND;
const TEAMS_KNOWN = 10_000;
/**
 * A team that made no request for this time is forgotten: at the default rate, its bucket has filled
 * again.
 */
const KNOWN_MS = MINUTE_MS;

interface RatedTeam {
  readonly id: string;
  readonly limits: { readonly requestsPerSecond: number };
}

/** The requests that one send may still make. */
export interface SendRequests {
  /** Takes one request. `spent`: the team must wait; `over`: the send has made too many. */
  readonly take: (now: number) => "taken" | "spent" | "over";
}

export class FileRequests {
  readonly #buckets = new BoundedCache<Bucket>(TEAMS_KNOWN, KNOWN_MS);

  /** Begins a send with this many files. Undefined: the team must wait before such a send. */
  begin(team: RatedTeam, files: number, now: number): SendRequests | undefined {
    if (!this.#take(team, files, now)) return undefined;
    // One request for each file is taken already.
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
