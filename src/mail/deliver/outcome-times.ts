// Decides the times of an attempt's events (docs/architecture.md §Ask). A courier may report an
// outcome long after the server's reply, and its clock may differ from the worker's clock. Pure.
import type { OutcomeTimes } from "./courier.ts";

/** Unix milliseconds. */
interface EventTimes {
  /** The time at which the courier got the copy. It is the time of `email.sent`. */
  readonly handedAt: number;
  /** The time of the server's reply. It is at least a millisecond after `handedAt`. */
  readonly repliedAt: number;
}

/**
 * Returns the times. `earliest` is the earliest possible time at which the courier got the copy.
 * `now` is the latest possible time of the reply.
 */
export function eventTimes(
  { takenAt, repliedAt = Number.POSITIVE_INFINITY }: Partial<OutcomeTimes>,
  earliest: number,
  now: number,
): EventTimes {
  const handedAt = Math.min(Math.max(takenAt ?? earliest, earliest), now);
  return { handedAt, repliedAt: Math.max(handedAt + 1, Math.min(repliedAt, now)) };
}
