// Decides when a failed batch is tried again (contract.md §Deliveries and retries): after waits
// that double from 30 seconds to 1 hour, with jitter, until 12 hours after the first attempt. Pure.
import {
  WEBHOOK_RETRY_FIRST_MS,
  WEBHOOK_RETRY_LONGEST_MS,
  WEBHOOK_RETRY_WINDOW_MS,
} from "../../../limits.ts";

/**
 * Maximum number of times that the wait is doubled. The wait reaches its longest value much
 * earlier.
 */
const DOUBLINGS = 20;

/**
 * Returns when the retries end, for a batch whose first attempt began at `at`, Unix milliseconds.
 */
export function retriesEnd(at: number, speedup: number): number {
  return at + Math.floor(WEBHOOK_RETRY_WINDOW_MS / speedup);
}

/**
 * Returns the time of the next attempt in Unix milliseconds, or null if the batch's time is over.
 * The n-th wait is between half and all of 30 s · 2ⁿ, at most 1 hour. So no wait is below 30
 * seconds, and batches that failed together are not all retried together. The last attempt is
 * planned for the very end of the batch's time, unless the previous one was less than 30 seconds
 * before the end. `attempt` is the number, from 1, of the attempt that failed at `now`; `end` is
 * retriesEnd(); `random` is in [0, 1); `speedup`, at least 1, divides every wait.
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
