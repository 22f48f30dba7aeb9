// Says what the figures of the page "Usage" mean. Pure.
import { formatCount, formatDuration, formatShare } from "../../parts/figures.ts";
import { type Clock, formatExact } from "../../parts/times.ts";
import type { Projection } from "./usage-figures.ts";

/** Says where a quota ends at this pace. Times are Unix milliseconds. */
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
      ? `Used up: overage credits pay for each message until ${end}.`
      : `Used up: sending is refused until ${end}.`;
  if (used === 0) return "Nothing is used yet.";
  if (projection === null) return "Too early to say where it ends at this pace.";
  const { atEnd, fullAt } = projection;
  return fullAt === null
    ? `At this pace ${formatCount(atEnd)} by the end, ${formatShare(atEnd, limit)} of the limit.`
    : `At this pace the limit is reached at ${formatExact(fullAt, clock)}, before the end.`;
}

/** Says how much mail waits, and for how long. */
export function waitingSentence(total: number, oldestAgeMs: number | null): string {
  if (total === 0) return "Nothing waits: every accepted recipient has its final outcome.";
  const many = total === 1 ? "1 recipient waits" : `${formatCount(total)} recipients wait`;
  return oldestAgeMs === null
    ? `${many} for a final outcome.`
    : `${many} for a final outcome, the oldest for ${formatDuration(oldestAgeMs)}.`;
}

/** Says when all that wait are released. */
export function releaseSentence(waiting: number, perMinute: number, releaseMs: number): string {
  const pace = `At most ${formatCount(perMinute)} recipients a minute are released to delivery.`;
  return waiting === 0
    ? `${pace} None waits for its release.`
    : `${pace} The ${formatCount(waiting)} that wait are released within ${formatDuration(Math.max(1_000, releaseMs))}.`;
}
