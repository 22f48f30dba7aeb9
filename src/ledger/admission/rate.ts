// Limits the number of requests per second with a token bucket, which allows a burst (contract.md
// §Rate and quota refusals). Pure.
import { REQUEST_BURST_FACTOR, SECOND_MS } from "../../limits.ts";
import type { RateState } from "../../rpc/ledger-calls.ts";
import { type Bucket, type Flow, refill } from "../token-bucket.ts";

/**
 * Takes one token for a request, if the bucket has one. Returns the new bucket, and the values of
 * the response headers. A full bucket allows `burst` requests at once.
 */
export function takeRequest(
  bucket: Bucket | undefined,
  perSecond: number,
  now: number,
  burst: number = perSecond * REQUEST_BURST_FACTOR,
): [Bucket, { allowed: boolean; rate: RateState }] {
  const filled = refill(bucket, requestFlow(perSecond, burst), now);
  if (filled.level < SECOND_MS) {
    const rate = { ...rateState(filled, perSecond, burst), level: filled.level };
    return [filled, { allowed: false, rate }];
  }
  const after = { level: filled.level - SECOND_MS, at: filled.at };
  return [after, { allowed: true, rate: rateState(after, perSecond, burst) }];
}

/** Returns the values of the response headers for a request that takes no token. */
export function peekRequests(
  bucket: Bucket | undefined,
  perSecond: number,
  now: number,
  burst: number = perSecond * REQUEST_BURST_FACTOR,
): RateState {
  return rateState(refill(bucket, requestFlow(perSecond, burst), now), perSecond, burst);
}

function requestFlow(perSecond: number, burst: number): Flow {
  return { perWindow: perSecond, windowMs: SECOND_MS, capacity: burst };
}

function rateState(bucket: Bucket, perSecond: number, burst: number): RateState {
  const missing = burst * SECOND_MS - bucket.level;
  const untilFullMs = missing / Math.max(1, perSecond);
  // The headers do not announce the burst, because a `remaining` above `limit` would confuse
  // clients.
  const remaining = Math.min(perSecond, Math.floor(bucket.level / SECOND_MS));
  return { limit: perSecond, remaining, resetSeconds: Math.ceil(untilFullMs / SECOND_MS) };
}
