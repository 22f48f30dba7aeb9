// Turns the ledger's decision into the response to the caller (contract.md §Idempotency, §Rate
// headers).
import type { HttpReply } from "../../../endpoint.ts";
import type {
  Admission,
  AdmissionResult,
  ItemResult,
  RateState,
} from "../../../rpc/ledger-calls.ts";
import { type Refusal, RefusalError } from "../../../refusal.ts";

/**
 * Seconds after which the caller of a full ledger should try again. By then the ledger may have
 * space, because it settles mail.
 */
const FULL_RETRY_SECONDS = 60;

type Accepted = Extract<AdmissionResult, { kind: "accepted" }>;

const CODES = {
  rate_limited: "rate_limited",
  in_flight: "idempotency_concurrent",
  mismatch: "idempotency_mismatch",
  unavailable: "pipeline_unavailable",
} as const;

/**
 * Replies to a single send, over HTTP or SMTP. Throws the refusals that are not stored for replays.
 */
export function renderSendReply(admission: Admission): HttpReply {
  return replyOf(admission, renderAccepted);
}

/**
 * Returns the reply to a decision, with its rate headers. `render` makes the reply if the send was
 * accepted. Throws the refusals that are not stored for replays.
 */
export function replyOf(
  admission: Admission,
  render: (accepted: Accepted) => { readonly status: number; readonly body: string },
): HttpReply {
  const isFull = admission.kind === "unavailable" && admission.isFull;
  const headers = {
    ...rateHeaders(admission.rate),
    ...(isFull && { "Retry-After": String(FULL_RETRY_SECONDS) }),
  };
  if (admission.kind !== "answered") throw new RefusalError(refusalOf(admission), headers);
  const { answer, replayed } = admission;
  const { status, body } = answer.kind === "refused" ? answer : render(answer);
  return {
    status,
    body,
    headers: replayed ? { ...headers, "Idempotent-Replayed": "true" } : headers,
  };
}

/**
 * Renders the headers of every response to a rate-limited request (contract.md §Response headers).
 */
export function rateHeaders({ limit, remaining, resetSeconds }: RateState): Record<string, string> {
  return {
    "RateLimit-Limit": String(limit),
    "RateLimit-Remaining": String(remaining),
    "RateLimit-Reset": String(resetSeconds),
  };
}

function refusalOf(admission: Exclude<Admission, { kind: "answered" }>): Refusal {
  return admission.kind === "over_quota"
    ? { code: "quota_exceeded", quota: admission.quota }
    : { code: CODES[admission.kind] };
}

/** Returns an accepted message in the form of EmailSendResponse. */
export function acceptedBody(
  { id, scheduledAt }: Extract<ItemResult, { kind: "queued" }>,
  createdAt: number,
): Record<string, string> {
  const created_at = new Date(createdAt).toISOString();
  return scheduledAt === undefined
    ? { id, created_at }
    : { id, created_at, scheduled_at: new Date(scheduledAt).toISOString() };
}

function renderAccepted({ createdAt, items }: Accepted): { status: number; body: string } {
  const [item] = items;
  if (item?.kind !== "queued")
    throw new Error("the ledger accepted a single send without queueing it");
  return {
    status: 202,
    body: JSON.stringify(acceptedBody(item, createdAt)),
  };
}
