// Fills a bucket of tokens over time. The level is counted in token-milliseconds, which are whole
// numbers, so that rounding adds and loses no token. Pure.

/**
 * A bucket of tokens. `level` divided by the flow's `windowMs` is the number of tokens at the time
 * `at` (Unix milliseconds).
 */
export interface Bucket {
  readonly level: number;
  readonly at: number;
}

/**
 * The rate at which a bucket fills: `perWindow` tokens every `windowMs`, up to `capacity` tokens.
 */
export interface Flow {
  readonly perWindow: number;
  readonly windowMs: number;
  readonly capacity: number;
}

/** Returns the bucket as it is at `now`. A bucket that was never used is full. */
export function refill(bucket: Bucket | undefined, flow: Flow, now: number): Bucket {
  const full = flow.capacity * flow.windowMs;
  if (!bucket) return { level: full, at: now };
  const inflow = (now - bucket.at) * flow.perWindow;
  // Callers' clocks differ a little. A clock that is behind changes no tokens. If `bucket.at` is
  // from a clock that was far ahead, the bucket continues to fill from `now`, and does not wait
  // until the other clocks reach that time.
  if (inflow < 0)
    return { level: Math.min(full, bucket.level), at: inflow < -full ? now : bucket.at };
  return { level: Math.min(full, bucket.level + inflow), at: now };
}
