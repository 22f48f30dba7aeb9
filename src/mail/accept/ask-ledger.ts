// Tells the ledger which request a send is (contract.md §Idempotency), and turns the ledger's
// decision into the caller's answer.
import type { ApiRequest, HttpReply } from "../../endpoint.ts";
import type { Admission, AdmissionAnswer, IdempotencyClaim } from "../../ledger/ledger-contract.ts";
import { rateHeaders } from "../../ledger/rate.ts";
import { sha256Hex } from "../../lib/crypto/crypto.ts";
import { IDEMPOTENCY_KEY_BYTES } from "../../limits.ts";
import { type Refusal, RefusalError } from "../../refusal.ts";
import { begin } from "./submit.ts";

const PRINTABLE_ASCII = /^[ -~]+$/;

type Accepted = Extract<AdmissionAnswer, { kind: "accepted" }>;

/**
 * The request's idempotency claim, null without a key. Throws `malformed` for a key that is none,
 * or `rate_limited`, which comes before it.
 */
export async function claimOf(
  request: ApiRequest,
  key = request.headers.get("Idempotency-Key"),
): Promise<IdempotencyClaim | null> {
  if (key === null) return null;
  if (key.length > IDEMPOTENCY_KEY_BYTES || !PRINTABLE_ASCII.test(key))
    throw await notAKey(request);
  const start = new TextEncoder().encode(`${request.method} ${request.path}\n`);
  const data = new Uint8Array(start.length + request.bytes.length);
  data.set(start);
  data.set(request.bytes, start.length);
  return { key, fingerprint: await sha256Hex(data) };
}

async function notAKey(request: ApiRequest): Promise<RefusalError> {
  const { kind, rate } = await begin(request, null);
  const errors = {
    idempotency_key: [`must be 1 to ${IDEMPOTENCY_KEY_BYTES} printable ASCII characters`],
  };
  return new RefusalError(
    kind === "rate_limited" ? { code: kind } : { code: "malformed", errors },
    rateHeaders(rate),
  );
}

/**
 * The response to a decision: `render` makes the body of what was accepted. Throws the refusals,
 * rate headers on them.
 */
export function replyOf(
  admission: Admission,
  render: (accepted: Accepted) => { readonly status: number; readonly body: string },
): HttpReply {
  const headers = rateHeaders(admission.rate);
  if (admission.kind !== "answered") throw new RefusalError(refusalOf(admission), headers);
  const { answer, replayed } = admission;
  const { status, body } = answer.kind === "refused" ? answer : render(answer);
  return {
    status,
    body,
    headers: replayed ? { ...headers, "Idempotent-Replayed": "true" } : headers,
  };
}

function refusalOf(admission: Exclude<Admission, { kind: "answered" }>): Refusal {
  return admission.kind === "over_quota"
    ? { code: "quota_exceeded", quota: admission.quota }
    : { code: CODES[admission.kind] };
}

const CODES = {
  rate_limited: "rate_limited",
  in_flight: "idempotency_concurrent",
  mismatch: "idempotency_mismatch",
  unavailable: "pipeline_unavailable",
} as const;
