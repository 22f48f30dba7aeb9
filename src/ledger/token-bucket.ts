// Fills a bucket of tokens over time. The level is counted in token-milliseconds, whole numbers, so
// that rounding never adds or takes a token. Pure.

/**
 * A bucket of tokens. `level` divided by the flow's `windowMs` is the number of tokens at `at`,
 * Unix milliseconds.
 */
export interface Bucket {
  readonly level: number;
  readonly at: number;
}

/** A flow of `perWindow` tokens every `windowMs`, of which at most `capacity` are kept. */
export interface Flow {
  readonly perWindow: number;
  readonly windowMs: number;
  readonly capacity: number;
}

/** The bucket as it is at `now`. A bucket that was never used is full. */
export function refill(bucket: Bucket | undefined, flow: Flow, now: number): Bucket {
  const full = flow.capacity * flow.windowMs;
  if (!bucket) return { level: full, at: now };
  const inflow = (now - bucket.at) * flow.perWindow;
  // Callers' clocks differ a little. A clock that is behind neither adds nor takes tokens. A clock
  // that was far ahead must not stop the flow until the other clocks reach its time.
  if (inflow < 0)
    return { level: Math.min(full, bucket.level), at: inflow < -full ? now : bucket.at };
  return { level: Math.min(full, bucket.level + inflow), at: now };
}
