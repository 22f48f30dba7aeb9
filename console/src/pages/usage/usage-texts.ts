// Explains the figures of the page "Usage". Pure.
import { formatCount, formatDuration, formatShare } from "../../parts/figures.ts";
import { type Clock, formatExact } from "../../parts/time/times.ts";
import type { Projection } from "./usage-figures.ts";

/**
 * Describes the forecast for a quota: its use at the end of the period, or the time at which the
 * limit is reached. Times are Unix milliseconds.
 */
export function projectionSentence(
  used: number,
  limit: number,
  projection: Projection | null,
  ends: number,
  credits: number,
  clock: Clock,
): string {
  const end = formatExact(ends, clock);
  if (used >= limit)
    return credits > 0
      ? `Limit reached. Overage credits are used until ${end}.`
      : `Limit reached. Sends are refused until ${end}.`;
  if (used === 0) return "Nothing sent yet.";
  if (projection === null) return "Too early for a projection.";
  const { atEnd, fullAt } = projection;
  return fullAt === null
    ? `Projected: ${formatCount(atEnd)} (${formatShare(atEnd, limit)} of the limit).`
    : `Projected to reach the limit on ${formatExact(fullAt, clock)}.`;
}

/** Describes how much mail is pending, and the age of the oldest pending mail. */
export function waitingSentence(total: number, oldestAgeMs: number | null): string {
  if (total === 0) return "No mail is pending.";
  const many = `${formatCount(total)} ${total === 1 ? "recipient" : "recipients"} pending.`;
  return oldestAgeMs === null
    ? many
    : `${many} The oldest has been pending for ${formatDuration(oldestAgeMs)}.`;
}

/** Describes the release rate, and when all waiting mail will have been released. */
export function releaseSentence(waiting: number, perMinute: number, releaseMs: number): string {
  const rate = `The delivery rate limit is ${formatCount(perMinute)} recipients per minute.`;
  return waiting === 0
    ? rate
    : `${rate} The ${formatCount(waiting)} held back will go out within ${formatDuration(Math.max(1_000, releaseMs))}.`;
}
