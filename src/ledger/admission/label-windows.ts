// Defines the rolling windows in which labels are counted, and judges the items of a batch by one
// window (contract.md §Rate and quota refusals). Pure.
import type { LabelCap } from "../../rpc/usage-calls.ts";
import type { BoundedMap } from "../../lib/bounded-cache.ts";
import { HOUR_MS, SECOND_MS } from "../../limits.ts";
import type { Quota, QuotaScope } from "../../refusal.ts";

export type LabelKind = "tags" | "topic" | "campaign";

export interface Labels {
  readonly tags: readonly string[];
  readonly topic: string | null;
  readonly campaign: string | null;
}

export interface WindowRule {
  readonly kind: LabelKind;
  readonly scope: QuotaScope;
  readonly lengthMs: number;
  readonly cap: LabelCap;
}

export const RULES: readonly WindowRule[] = (
  [
    ["tags", "tag_cardinality", HOUR_MS, "tagsPerHour"],
    ["topic", "topic_cardinality", HOUR_MS, "topicPerHour"],
    ["campaign", "campaign_cardinality", HOUR_MS, "campaignPerHour"],
    ["campaign", "campaign_cardinality", 72 * HOUR_MS, "campaignPer72Hours"],
  ] as const
).map(([kind, scope, lengthMs, cap]) => ({ kind, scope, lengthMs, cap }));

/**
 * Time for which the row of a label is stored, by the kind of the label. The time equals the
 * longest window of that kind.
 */
export const LABEL_LIFETIME_MS: Record<LabelKind, number> = {
  tags: HOUR_MS,
  topic: HOUR_MS,
  campaign: 72 * HOUR_MS,
};

/** The labels of one window, each with the time of its last use, the least recently used first. */
export type Recency = BoundedMap<string, number>;

/**
 * Judges the items of a batch by one window. The labels of items that this batch already accepted
 * count as if the window contained them.
 */
export class LabelAdmission {
  readonly #window: Recency;
  readonly #used = new Set<string>();
  #fresh = 0;

  constructor(window: Recency) {
    this.#window = window;
  }

  use(values: readonly string[]): void {
    for (const value of values) {
      if (!this.#used.has(value) && !this.#window.has(value)) this.#fresh += 1;
      this.#used.add(value);
    }
  }

  refusal(values: readonly string[], cap: number, rule: WindowRule, now: number): Quota | null {
    const fresh = values.filter(
      (value) => !this.#window.has(value) && !this.#used.has(value),
    ).length;
    const excess = this.#window.size + this.#fresh + fresh - cap;
    if (fresh === 0 || excess <= 0) return null;
    const untilRoomMs = this.#leavingTime(excess, new Set(values), rule.lengthMs, now) - now;
    return {
      scope: rule.scope,
      limit: cap,
      retryAfterSeconds: Math.max(1, Math.ceil(untilRoomMs / SECOND_MS)),
    };
  }

  /**
   * Returns the time at which `count` labels that are not in `own` have left the window. If the
   * window has fewer such labels, returns `now` plus the window's length, which is the latest time
   * that a refusal may name.
   */
  #leavingTime(count: number, own: ReadonlySet<string>, lengthMs: number, now: number): number {
    let left = 0;
    for (const [value, seenAt] of this.#window) {
      if (own.has(value) || this.#used.has(value)) continue;
      left += 1;
      if (left === count) return seenAt + lengthMs;
    }
    return now + lengthMs;
  }
}

export function valuesOf(labels: Labels, kind: LabelKind): readonly string[] {
  if (kind === "tags") return labels.tags;
  const value = labels[kind];
  return value === null ? [] : [value];
}
