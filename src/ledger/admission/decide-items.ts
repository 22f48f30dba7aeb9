// Decides which items of one send are accepted (contract.md §Order of checks). The caps on labels
// judge each item alone. Then the quotas judge the remaining items together, so that a quota never
// splits a request (contract.md §Batch). Pure, except that it reads the label counts.
import type { Quota } from "../../refusal.ts";
import type { AdmitItem, Candidate, ItemResult, Policy } from "../../rpc/ledger-calls.ts";
import type { LabelCap } from "../../rpc/usage-calls.ts";
import type { LabelCounts } from "./label-counts.ts";
import { debit, type QuotaState } from "./quota.ts";

type LabelCaps = Pick<Policy, LabelCap>;

type AdmissionDecision =
  /**
   * The send exceeds a quota, and the ledger accepts no item. `items` has the result of each item,
   * or is empty if the whole request exceeds a cap on the number of messages.
   */
  | { readonly kind: "over_quota"; readonly quota: Quota; readonly items: readonly ItemResult[] }
  /**
   * The ledger accepts no item, and a fault of the service is one of the reasons. The client may
   * safely repeat the request.
   */
  | { readonly kind: "unavailable"; readonly items: readonly ItemResult[] }
  | {
      readonly kind: "accepted";
      readonly items: readonly ItemResult[];
      readonly queued: readonly Candidate[];
      readonly quotaState: QuotaState;
    };

export function decideAdmission(
  items: readonly AdmitItem[],
  policy: Policy,
  quotaState: QuotaState,
  labels: LabelCounts,
  now: number,
): AdmissionDecision {
  const candidates = candidatesIn(items);
  const caps = labels.judge(candidates, policy, now);
  const queued = candidates.filter((_, index) => caps[index] === null);
  const results = resultsOf(items, caps);
  if (queued.length === 0 && candidates.length > 0 && candidates.length === items.length) {
    return { kind: "over_quota", quota: longestWait(caps), items: results };
  }
  if (queued.length === 0 && items.some((item) => item.kind === "failed" && item.isFault))
    return { kind: "unavailable", items: results };
  const messages = queued.reduce((sum, candidate) => sum + candidate.recipientCount, 0);
  const [debited, quota] = debit(quotaState, policy, messages, now);
  if (quota) return { kind: "over_quota", quota, items: [] };
  return { kind: "accepted", items: results, queued, quotaState: debited };
}

export function candidatesIn(items: readonly AdmitItem[]): Candidate[] {
  return items.filter((item) => item.kind === "candidate").map(({ candidate }) => candidate);
}

/**
 * Returns the result of each item. `caps` has one entry for each candidate: the cap that refuses
 * the item, or null.
 */
export function resultsOf(
  items: readonly AdmitItem[],
  caps: readonly (Quota | null)[],
): ItemResult[] {
  let candidate = 0;
  return items.map((item) => {
    if (item.kind === "failed") return { kind: "failed", error: item.error };
    const quota = caps[candidate] ?? null;
    candidate += 1;
    const { id, scheduledAt } = item.candidate;
    return quota
      ? { kind: "capped", quota }
      : { kind: "queued", id, ...(scheduledAt !== undefined && { scheduledAt }) };
  });
}

/**
 * Returns the cap with the longest wait, because `Retry-After` is the longest of the items' waits
 * (contract.md §Batch).
 */
function longestWait(caps: readonly (Quota | null)[]): Quota {
  const refusals = caps.filter((quota) => quota !== null);
  return refusals.reduce((wider, quota) =>
    quota.retryAfterSeconds > wider.retryAfterSeconds ? quota : wider,
  );
}

/** Returns those settings of the team that its ledger needs for its decisions. */
export function policyOf(team: {
  readonly limits: Omit<Policy, keyof LabelCaps | "startingCredits" | "asOf">;
  readonly labelCaps: LabelCaps;
  readonly startingCredits: number;
  readonly changedAt: number;
}): Policy {
  const { limits, labelCaps, startingCredits, changedAt: asOf } = team;
  return { ...limits, ...labelCaps, asOf, ...(startingCredits > 0 && { startingCredits }) };
}
