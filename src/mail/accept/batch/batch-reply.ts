// Answers a batch (contract.md §Batch): one result for each entry, and the status that they add up
// to. A replay is rendered from what the ledger kept, so its bytes are the same.
import type { HttpReply } from "../../../endpoint.ts";
import type { Admission, AdmissionAnswer, ItemResult } from "../../../ledger/ledger-contract.ts";
import { quotaFacts } from "../../../ledger/quota-facts.ts";
import { rateHeaders } from "../../../ledger/rate.ts";
import { replyOf } from "../ask-ledger.ts";
import type { Unreachable } from "./batch-submit.ts";

/** Throws the refusals that concern the request as a whole. */
export function batchReply(outcome: Admission | Unreachable): HttpReply {
  if (outcome.kind === "unreachable")
    return { status: 502, body: bodyOf(outcome.items), headers: outcome.headers };
  if (outcome.kind === "unavailable" && outcome.items.length > 0) {
    return { status: 502, body: bodyOf(outcome.items), headers: rateHeaders(outcome.rate) };
  }
  if (outcome.kind === "over_quota" && outcome.items.length > 0) {
    const headers = {
      ...rateHeaders(outcome.rate),
      "Retry-After": String(outcome.quota.retryAfterSeconds),
    };
    return { status: 429, body: bodyOf(outcome.items), headers };
  }
  return replyOf(outcome, render);
}

function render({ createdAt, items }: Extract<AdmissionAnswer, { kind: "accepted" }>): {
  status: number;
  body: string;
} {
  return { status: statusOf(items), body: bodyOf(items, createdAt) };
}

/**
 * Of what the ledger keeps. When none is queued the caller is the cause of it: a fault in it would
 * not have been kept.
 */
function statusOf(items: readonly ItemResult[]): number {
  const queued = countQueued(items);
  if (queued === 0) return 400;
  return queued === items.length ? 202 : 207;
}

function bodyOf(items: readonly ItemResult[], createdAt = 0): string {
  const time = new Date(createdAt).toISOString();
  const queued = countQueued(items);
  return JSON.stringify({
    summary: { total: items.length, queued, failed: items.length - queued },
    data: items.map((item, index) =>
      item.kind === "queued"
        ? { status: "queued", index, id: item.id, created_at: time }
        : { status: "failed", index, error: errorOf(item) },
    ),
  });
}

function errorOf(item: Exclude<ItemResult, { kind: "queued" }>): unknown {
  return item.kind === "failed"
    ? JSON.parse(item.error)
    : { type: "quota_exceeded", ...quotaFacts(item.quota) };
}

function countQueued(items: readonly ItemResult[]): number {
  return items.filter(({ kind }) => kind === "queued").length;
}
