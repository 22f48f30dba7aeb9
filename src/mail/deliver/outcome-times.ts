// Decides the times of an attempt's events (docs/architecture.md §Ask). A courier may report an
// outcome long after the server's reply, and its clock may differ from ours. Pure.
import type { OutcomeTimes } from "./courier.ts";

/** Unix milliseconds. */
interface EventTimes {
  /** When the copy was handed over, which is the time of `email.sent`. */
  readonly handedAt: number;
  /** When the server replied: at least a millisecond after the copy was handed over. */
  readonly repliedAt: number;
}

/**
 * `earliest`: the earliest possible time of the hand-over. `now`: the latest possible time of the
 * reply.
 */
export function eventTimes(
  { takenAt, repliedAt = Number.POSITIVE_INFINITY }: Partial<OutcomeTimes>,
  earliest: number,
  now: number,
): EventTimes {
  const handedAt = Math.min(Math.max(takenAt ?? earliest, earliest), now);
  return { handedAt, repliedAt: Math.max(handedAt + 1, Math.min(repliedAt, now)) };
}
