// Computes the delay before a retry of a queue's message. Pure.

/** Waits that double from the first to the longest, in seconds. */
export interface DoublingWaits {
  readonly firstSeconds: number;
  readonly longestSeconds: number;
}

/** Returns the seconds before the next attempt. `attempts`: how many there were, at least one. */
export function retryDelaySeconds(
  { firstSeconds, longestSeconds }: DoublingWaits,
  attempts: number,
): number {
  return Math.min(firstSeconds * 2 ** (attempts - 1), longestSeconds);
}

/**
 * Returns the delay with up to half as much again, so that the jobs of one overloaded ledger do not
 * return together. `random`: in [0, 1).
 */
export function spreadDelay(seconds: number, random: number): number {
  return Math.round(seconds * (1 + random / 2));
}
