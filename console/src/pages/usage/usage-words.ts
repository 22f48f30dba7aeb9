// Says what the figures of the page "Usage" mean. Pure.
import { formatCount, formatDuration, formatShare } from "../../parts/figures.ts";
import { type Clock, formatExact } from "../../parts/time/times.ts";
import type { Projection } from "./usage-figures.ts";

/** Says what a quota comes to at the pace so far. Times are Unix milliseconds. */
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
  if (used === 0) return "Nothing used yet.";
  if (projection === null) return "Too early to project.";
  const { atEnd, fullAt } = projection;
  return fullAt === null
    ? `Projected: ${formatCount(atEnd)} (${formatShare(atEnd, limit)} of the limit).`
    : `Projected to reach the limit on ${formatExact(fullAt, clock)}.`;
}

/** Says how much mail waits, and for how long. */
export function waitingSentence(total: number, oldestAgeMs: number | null): string {
  if (total === 0) return "No mail is waiting: every accepted recipient has a final outcome.";
  const many = total === 1 ? "1 recipient has" : `${formatCount(total)} recipients have`;
  return oldestAgeMs === null
    ? `${many} no final outcome yet.`
    : `${many} no final outcome yet. The oldest has waited ${formatDuration(oldestAgeMs)}.`;
}

/** Says when all that wait are released. */
export function releaseSentence(waiting: number, perMinute: number, releaseMs: number): string {
  const pace = `Up to ${formatCount(perMinute)} recipients a minute are released to delivery.`;
  return waiting === 0
    ? `${pace} None is waiting for release.`
    : `${pace} The ${formatCount(waiting)} waiting will be released within ${formatDuration(Math.max(1_000, releaseMs))}.`;
}
