// Identifies a send for the ledger (contract.md §Idempotency) by its idempotency key and by a
// fingerprint. The fingerprint distinguishes a repeated request from a different request with the
// same key.
import type { SentRequest } from "../../../endpoint.ts";
import { rateHeaders } from "./send-reply.ts";
import type { IdempotencyClaim } from "../../../rpc/ledger-calls.ts";
import { sha256Hex } from "../../../lib/crypto/crypto.ts";
import { IDEMPOTENCY_KEY_BYTES } from "../../../limits.ts";
import { RefusalError } from "../../../refusal.ts";
import type { SendContext } from "../send-context.ts";
import { begin } from "./call-ledger.ts";

const PRINTABLE_ASCII = /^[ -~]+$/;

/**
 * Returns the key and fingerprint of a request. Null means that the request has no key. Throws for
 * an invalid key: `rate_limited` if the rate is used up, otherwise `malformed`.
 */
export async function claimOf(
  context: SendContext,
  key: string | null,
  { method, path, bytes }: SentRequest,
): Promise<IdempotencyClaim | null> {
  if (key === null) return null;
  if (key.length > IDEMPOTENCY_KEY_BYTES || !PRINTABLE_ASCII.test(key))
    throw await refuseKey(context);
  const start = new TextEncoder().encode(`${method} ${path}\n`);
  const data = new Uint8Array(start.length + bytes.length);
  data.set(start);
  data.set(bytes, start.length);
  return { key, fingerprint: await sha256Hex(data) };
}

async function refuseKey(context: SendContext): Promise<RefusalError> {
  const { kind, rate } = await begin(context, null);
  const errors = {
    idempotency_key: [`must be 1 to ${IDEMPOTENCY_KEY_BYTES} printable ASCII characters`],
  };
  return new RefusalError(
    kind === "rate_limited" ? { code: kind } : { code: "malformed", errors },
    rateHeaders(rate),
  );
}
