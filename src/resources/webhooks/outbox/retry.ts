// Decides when a failed batch is retried (contract.md §Deliveries and retries). The delays double
// from 30 seconds to 1 hour, with jitter. The retries end 12 hours after the first attempt. Pure.
import {
  WEBHOOK_RETRY_FIRST_MS,
  WEBHOOK_RETRY_LONGEST_MS,
  WEBHOOK_RETRY_WINDOW_MS,
} from "../../../limits.ts";

/**
 * Maximum exponent of the delay, so that the power stays finite. The delay reaches its own maximum
 * with a lower exponent.
 */
const DOUBLINGS = 20;

/**
 * Returns when the retries end, for a batch whose first attempt began at `at`, Unix milliseconds.
 */
export function retriesEnd(at: number, speedup: number): number {
  return at + Math.floor(WEBHOOK_RETRY_WINDOW_MS / speedup);
}

/**
 * Returns the time of the next attempt in Unix milliseconds, or null if the batch has no attempt
 * left. The n-th delay is between 50 % and 100 % of the lower of 30 s · 2ⁿ and 1 hour. So each
 * delay is at least 30 seconds, and batches that failed together are retried at different times.
 * The last attempt is planned for `end`. It is omitted if the previous attempt failed less than 30
 * seconds before `end`. `attempt` is the number, from 1, of the attempt that failed at `now`. `end`
 * is retriesEnd(). `random` is in [0, 1). `speedup`, at least 1, divides every delay.
 */
export function nextAttempt(
  attempt: number,
  end: number,
  now: number,
  random: number,
  speedup: number,
): number | null {
  const shortest = Math.max(1, WEBHOOK_RETRY_FIRST_MS / speedup);
  if (now + shortest > end) return null;
  const longest = Math.min(
    WEBHOOK_RETRY_LONGEST_MS,
    WEBHOOK_RETRY_FIRST_MS * 2 ** Math.min(attempt, DOUBLINGS),
  );
  const wait = (longest / 2) * (1 + random);
  return Math.min(end, now + Math.max(1, Math.ceil(wait / speedup)));
}
