// Remembers, in one isolate, the rates that a ledger found used up. The worker then refuses the
// same caller's next requests without reading the body or calling the ledger (contract.md §Rate and
// quota refusals). The isolate has a copy of the ledger's bucket. Requests through other isolates
// can only lower the level of the ledger's bucket, so the copy never refuses a request that the
// ledger would allow.
import type { RateState } from "../../rpc/ledger-calls.ts";
import type { Caller } from "../../endpoint.ts";
import { BoundedCache } from "../../lib/bounded-cache.ts";
import { CONSOLE_SESSION_REQUESTS_PER_SECOND } from "../../limits.ts";
import type { Bucket } from "../token-bucket.ts";
import { takeRequest } from "./rate.ts";

const CALLERS_KNOWN = 10_000;
const KNOWN_MS = 1_000;

/** The team or the console session whose rate a request counts against. */
type Asker = Pick<Caller, "team" | "session">;

const spent = new BoundedCache<{ bucket: Bucket }>(CALLERS_KNOWN, KNOWN_MS);

/**
 * Remembers that the ledger refused a request at `now` (Unix milliseconds) because its rate was
 * used up.
 */
export function rememberSpentRate(asker: Asker, { level }: RateState, now: number): void {
  // The ledger gives the bucket's level only if it refused the request because the bucket was
  // empty.
  if (level !== undefined) spent.set(nameOf(asker), { bucket: { level, at: now } }, now);
}

/**
 * Returns the state of the rate if the rate is certainly used up, so that the ledger would refuse a
 * request. Undefined means that the ledger may accept the request.
 */
export function spentRate(asker: Asker, now: number): RateState | undefined {
  const name = nameOf(asker);
  const known = spent.get(name, now);
  if (!known) return undefined;
  const { requestsPerSecond } = asker.team.limits;
  const [after, { allowed, rate }] = asker.session
    ? takeRequest(
        known.bucket,
        CONSOLE_SESSION_REQUESTS_PER_SECOND,
        now,
        CONSOLE_SESSION_REQUESTS_PER_SECOND,
      )
    : takeRequest(known.bucket, requestsPerSecond, now);
  known.bucket = after;
  if (allowed) return undefined;
  spent.set(name, known, now);
  return rate;
}

function nameOf({ team, session }: Asker): string {
  return session ?? team.id;
}
