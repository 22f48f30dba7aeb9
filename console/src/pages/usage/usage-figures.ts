// Computes the figures of GET /v1/usage: allowances, projections and pending mail. Times are Unix
// milliseconds. Pure.
import { DAY_MS, MINUTE_MS } from "../../parts/time/time-units.ts";
import type { Usage } from "../../../../packages/postern/src/generated/types.ts";

/**
 * The fraction of a period that must pass before a projection is made. An earlier projection would
 * be too inaccurate.
 */
const FIRST_PART = 1 / 48;
const NEAR_LIMIT = 0.8;

export interface Allowance {
  readonly name: string;
  readonly used: number;
  readonly limit: number;
}

/** A forecast for an allowance. It assumes that the use continues at the current pace. */
export interface Projection {
  /** The projected use at the end of the period. */
  readonly atEnd: number;
  /**
   * The time at which the use reaches the limit. Null: the use stays below the limit until the end
   * of the period.
   */
  readonly fullAt: number | null;
}

export interface WaitingState {
  readonly name: keyof Usage["delivery"] &
    ("waiting" | "queued" | "attempting" | "deferred" | "awaiting");
  readonly title: string;
  readonly means: string;
  readonly count: number;
}

/** Returns the allowances that sending uses up. */
export function allowancesOf({ daily, monthly, labels }: Usage): readonly Allowance[] {
  return [
    { name: "Daily quota", used: daily.used, limit: daily.limit },
    {
      name: "Monthly quota",
      used: monthly.used,
      limit: monthly.limit + monthly.overage_credits,
    },
    ...labelCaps({ labels }),
  ];
}

export function labelCaps({ labels }: Pick<Usage, "labels">): readonly Allowance[] {
  return [
    { name: "Different tags per hour", ...labels.tags_per_hour },
    { name: "Different topics per hour", ...labels.topic_per_hour },
    { name: "Different campaigns per hour", ...labels.campaign_per_hour },
    { name: "Different campaigns per 72 hours", ...labels.campaign_per_72_hours },
  ];
}

export function dayBegins(resetsAt: number): number {
  return resetsAt - DAY_MS;
}

/** Returns the start (UTC) of the month that ends when the quota resets. */
export function monthBegins(resetsAt: number): number {
  const end = new Date(resetsAt);
  return Date.UTC(end.getUTCFullYear(), end.getUTCMonth() - 1, 1);
}

/**
 * Returns the forecast for an allowance at the current pace. Null: the period has just begun, or
 * nothing is used.
 */
export function projectionOf(
  { used, limit }: Pick<Allowance, "used" | "limit">,
  { begins, ends }: { readonly begins: number; readonly ends: number },
  now: number,
): Projection | null {
  const passed = Math.min(now, ends) - begins;
  if (used === 0 || passed < (ends - begins) * FIRST_PART) return null;
  const fullAt = begins + (limit / used) * passed;
  return {
    atEnd: Math.round((used / passed) * (ends - begins)),
    fullAt: used < limit && fullAt < ends ? Math.max(now, fullAt) : null,
  };
}

/** Returns the tone for a used or projected part of a limit. */
export function toneOfUse(used: number, limit: number): "ok" | "wait" | "bad" {
  if (used >= limit) return "bad";
  return used >= limit * NEAR_LIMIT ? "wait" : "ok";
}

const STATES: readonly Omit<WaitingState, "count">[] = [
  { name: "waiting", title: "Rate-limited", means: "Held back by the delivery rate limit" },
  { name: "queued", title: "Queued", means: "About to be sent" },
  { name: "attempting", title: "Sending", means: "A delivery attempt is in progress" },
  { name: "deferred", title: "Delayed", means: "Waiting for the next retry" },
  {
    name: "awaiting",
    title: "Unconfirmed",
    means: "Handed to the email provider; outcome not reported yet",
  },
];

/**
 * Counts the pending recipients by state. The states are in the order in which a recipient reaches
 * them.
 */
export function waitingStates({ delivery }: Usage): readonly WaitingState[] {
  return STATES.map((state) => ({ ...state, count: delivery[state.name] }));
}

/** Returns the time until all waiting recipients are released, in milliseconds. */
export function releaseTime({ delivery }: Usage): number {
  return (delivery.waiting / delivery.rate_per_minute) * MINUTE_MS;
}
