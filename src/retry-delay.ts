// Computes the delay before a retry of a queue's message. Pure.

/** Delays that double from the first to the longest, in seconds. */
export interface DoublingWaits {
  readonly firstSeconds: number;
  readonly longestSeconds: number;
}

/**
 * Returns the number of seconds before the next attempt. `attempts`: the number of attempts so far,
 * at least one.
 */
export function retryDelaySeconds(
  { firstSeconds, longestSeconds }: DoublingWaits,
  attempts: number,
): number {
  return Math.min(firstSeconds * 2 ** (attempts - 1), longestSeconds);
}

/**
 * Lengthens the delay by up to a half, so that the jobs of one overloaded ledger do not return
 * together. `random`: a number in [0, 1).
 */
export function spreadDelay(seconds: number, random: number): number {
  return Math.round(seconds * (1 + random / 2));
}
