// Tests src/ledger/admission/decide-items.ts: which items of a send are queued, failed or capped.
import { describe, expect, it } from "vitest";
import { decideAdmission } from "../../../../src/ledger/admission/decide-items.ts";
import type { AdmitItem } from "../../../../src/rpc/ledger-calls.ts";
import { LabelCounts } from "../../../../src/ledger/admission/label-counts.ts";
import { EMPTY_QUOTA_STATE } from "../../../../src/ledger/admission/quota.ts";
import { candidate, NOON, policy } from "../ledger-harness.ts";

const FAILED: AdmitItem = { kind: "failed", error: '{"type":"validation_error"}' };

function item(id: string, topic: string | null = null, recipientCount = 1): AdmitItem {
  return { kind: "candidate", candidate: candidate({ id, topic, recipientCount }) };
}

function decide(items: readonly AdmitItem[], over = {}) {
  return decideAdmission(items, policy(over), EMPTY_QUOTA_STATE, new LabelCounts([]), NOON);
}

describe("admission of a batch", () => {
  it("queues, fails and caps each item in the request's order, and debits only queued items", () => {
    const items = [item("a", "x", 3), FAILED, item("b", "y", 50), item("c", "x", 2)];
    const decision = decide(items, { topicPerHour: 1, daily: 5 });
    if (decision.kind !== "accepted") throw new Error(decision.kind);
    const kinds = decision.items.map((result) => result.kind);
    expect(kinds).toEqual(["queued", "failed", "capped", "queued"]);
    expect(decision.queued.map(({ id }) => id)).toEqual(["a", "c"]);
    expect(decision.quotaState.dailyUsed).toBe(5);
  });

  it("accepts nothing if the batch as a whole exceeds the daily or monthly cap, and returns no items", () => {
    const decision = decide([item("a"), item("b"), FAILED], { daily: 1 });
    expect(decision).toMatchObject({ kind: "over_quota", quota: { scope: "daily" }, items: [] });
  });

  it("is over quota if every item is capped, and names the cap with the longest wait", () => {
    const decision = decide([item("a", "x"), item("b", "y")], { topicPerHour: 0 });
    if (decision.kind !== "over_quota") throw new Error(decision.kind);
    expect(decision.items.map((result) => result.kind)).toEqual(["capped", "capped"]);
    const quota = { scope: "topic_cardinality", limit: 0, retryAfterSeconds: 3_600 };
    expect(decision.quota).toEqual(quota);
  });

  it("returns the result of each item if no item is queued and some failed for another reason than a cap", () => {
    const decision = decide([item("a", "x"), FAILED], { topicPerHour: 0 });
    if (decision.kind !== "accepted") throw new Error(decision.kind);
    expect(decision.items.map((result) => result.kind)).toEqual(["capped", "failed"]);
    expect(decision.quotaState.dailyUsed).toBe(0);
  });

  it("is unavailable if no item is queued and one failed by a fault; it is accepted if one item is queued", () => {
    const fault: AdmitItem = { kind: "failed", error: '{"type":"internal_error"}', isFault: true };
    const failed = { kind: "failed", error: '{"type":"internal_error"}' };
    expect(decide([fault, FAILED, item("a", "x")], { topicPerHour: 0 })).toMatchObject({
      kind: "unavailable",
      items: [failed, { kind: "failed" }, { kind: "capped" }],
    });
    expect(decide([fault, item("a")])).toMatchObject({
      kind: "accepted",
      items: [{ kind: "failed" }, { kind: "queued" }],
    });
  });

  it("debits no quota for items that are not queued", () => {
    expect(decide([FAILED], { daily: 0, monthly: 0 }).kind).toBe("accepted");
  });
});
