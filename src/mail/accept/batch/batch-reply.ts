// Answers a batch (contract.md §Batch): one result for each entry, and one status. A replay is
// rendered from the decision that the ledger stored, so it has the same bytes as the first answer.
import type { HttpReply } from "../../../endpoint.ts";
import type { Admission, AdmissionResult, ItemResult } from "../../../rpc/ledger-calls.ts";
import { toQuotaError } from "../../../ledger/admission/quota-error.ts";
import { ACCEPTANCE_UNKNOWN, RefusalError } from "../../../refusal.ts";
import { acceptedBody, rateHeaders, replyOf } from "../submit/send-reply.ts";
import { FAULT } from "../submit/content-storage.ts";
import type { Judgement } from "../submit/call-room.ts";

/** The decision about a batch when the call to its ledger failed. */
interface Unreachable {
  readonly kind: "unreachable";
  readonly headers: Readonly<Record<string, string>>;
  readonly items: readonly ItemResult[];
}

const UNKNOWN = {
  kind: "failed",
  error: JSON.stringify({ type: "internal_error", message: ACCEPTANCE_UNKNOWN }),
} as const satisfies ItemResult;

/**
 * Turns the error of a failed call to the ledger into results of the items. Throws the refusal of
 * an overloaded ledger again, because it concerns the request as a whole. Also throws all other
 * errors again.
 */
export function toUnreachable(error: unknown, judgement: Judgement): Unreachable {
  if (judgement.kind !== "items" || !(error instanceof RefusalError)) throw error;
  const { code } = error.refusal;
  if (code === "overloaded") throw error;
  const fault = code === "acceptance_unknown" ? UNKNOWN : FAULT;
  return {
    kind: "unreachable",
    headers: error.headers,
    items: judgement.items.map((item) => (item.kind === "failed" ? item : fault)),
  };
}

/** Throws the refusals that concern the request as a whole. */
export function renderBatchReply(outcome: Admission | Unreachable): HttpReply {
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
  return replyOf(outcome, renderAcceptedBatch);
}

function renderAcceptedBatch({
  createdAt,
  items,
}: Extract<AdmissionResult, { kind: "accepted" }>): { status: number; body: string } {
  return { status: statusOf(items), body: bodyOf(items, createdAt) };
}

/**
 * Returns the HTTP status for a decision that the ledger stores. The status is 400 if no item was
 * queued. The ledger stores no decision that a fault of the service caused, so the caller caused
 * all errors of a stored decision.
 */
function statusOf(items: readonly ItemResult[]): number {
  const queued = countQueued(items);
  if (queued === 0) return 400;
  return queued === items.length ? 202 : 207;
}

function bodyOf(items: readonly ItemResult[], createdAt = 0): string {
  const queued = countQueued(items);
  return JSON.stringify({
    summary: { total: items.length, queued, failed: items.length - queued },
    data: items.map((item, index) =>
      item.kind === "queued"
        ? { status: "queued", index, ...acceptedBody(item, createdAt) }
        : { status: "failed", index, error: errorOf(item) },
    ),
  });
}

function errorOf(item: Exclude<ItemResult, { kind: "queued" }>): unknown {
  return item.kind === "failed"
    ? JSON.parse(item.error)
    : { type: "quota_exceeded", ...toQuotaError(item.quota) };
}

function countQueued(items: readonly ItemResult[]): number {
  return items.filter(({ kind }) => kind === "queued").length;
}
