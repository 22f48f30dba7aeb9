// Decides when a recipient is tried again (docs/architecture.md §Again): after 1, 5, 15 and 30
// minutes, 1 hour, 2 hours, then about every 4 hours, until 72 hours after the message's start
// (mail/message-start.ts, contract.md §Event types). Pure.
import { EXPIRY_AFTER_MS, HOUR_MS, MINUTE_MS } from "../../limits.ts";

const FIRST_WAITS_MS = [
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
];
const LATER_WAIT_MS = 4 * HOUR_MS;
/**
 * Maximum fraction by which a wait of LATER_WAIT_MS varies at random, so that messages that failed
 * together are not all tried again at the same time.
 */
const JITTER = 0.1;

/**
 * Returns the time of the next attempt in Unix milliseconds. Null means that the recipient's 72
 * hours are over. The last attempt is made exactly at the end of the 72 hours: an attempt in the
 * last minute or after the end is moved to the end. `attempt` is the number, from 1, of the attempt
 * that failed at `now`. `jitter` is random in [0, 1). `speedup` is the divisor of every wait and of
 * the 72 hours, at least 1.
 */
export function nextAttempt(
  startsAt: number,
  attempt: number,
  now: number,
  jitter: number,
  speedup: number,
): number | null {
  const deadline = startsAt + Math.floor(EXPIRY_AFTER_MS / speedup);
  const shortest = Math.max(1, MINUTE_MS / speedup);
  if (now >= deadline) return null;
  const wait = FIRST_WAITS_MS[attempt - 1] ?? LATER_WAIT_MS * (1 - JITTER + 2 * JITTER * jitter);
  const next = now + Math.max(1, Math.round(wait / speedup));
  return next + shortest > deadline ? deadline : next;
}
