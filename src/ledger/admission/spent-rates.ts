// Remembers in one isolate the rates that a ledger found used up, so that a caller that goes on
// asking is refused before a body is read or the ledger is asked (contract.md §Rate and quota
// refusals). The isolate keeps the bucket as the ledger saw it. Other isolates can only take from
// what flows in since, so that nothing is refused here that the ledger would allow.
import type { RateState } from "../../rpc/ledger-calls.ts";
import type { Caller } from "../../endpoint.ts";
import { BoundedCache } from "../../lib/bounded-cache.ts";
import { SESSION_REQUESTS_PER_SECOND } from "../../limits.ts";
import type { Bucket } from "../token-bucket.ts";
import { takeRequest } from "./rate.ts";

const CALLERS_KNOWN = 10_000;
const KNOWN_MS = 1_000;

/** The team from whose rate a request takes, or the console session from whose. */
type Asker = Pick<Caller, "team" | "session">;

const spent = new BoundedCache<{ bucket: Bucket }>(CALLERS_KNOWN, KNOWN_MS);

/** Notes the rate by which the ledger refused a request of `now` (Unix milliseconds). */
export function noteSpentRate(asker: Asker, { level }: RateState, now: number): void {
  // A refusal for another reason than an empty bucket has no level.
  if (level !== undefined) spent.set(nameOf(asker), { bucket: { level, at: now } }, now);
}

/** Returns the rate of a request that the ledger would certainly refuse, else undefined. */
export function spentRate(asker: Asker, now: number): RateState | undefined {
  const name = nameOf(asker);
  const known = spent.get(name, now);
  if (!known) return undefined;
  const { requestsPerSecond } = asker.team.limits;
  const [after, { allowed, rate }] = asker.session
    ? takeRequest(known.bucket, SESSION_REQUESTS_PER_SECOND, now, SESSION_REQUESTS_PER_SECOND)
    : takeRequest(known.bucket, requestsPerSecond, now);
  known.bucket = after;
  if (allowed) return undefined;
  spent.set(name, known, now);
  return rate;
}

function nameOf({ team, session }: Asker): string {
  return session ?? team.id;
}
