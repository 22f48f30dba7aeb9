// Remembers the client's original request for a request that was translated from another API. A
// repeated send must match what the client sent (contract.md §Idempotency), but the translation of
// "in 1 hour" differs at each attempt.
import type { SentRequest } from "../endpoint.ts";

const SENT = new WeakMap<Request, SentRequest>();
const COUNTED = new WeakSet<Request>();

/** Records the client's request from which `translated` was made. */
export function rememberSent(translated: Request, sent: SentRequest): void {
  SENT.set(translated, sent);
}

/** Returns the client's original request. Undefined: the request was not translated. */
export function sentOf(request: Request): SentRequest | undefined {
  return SENT.get(request);
}

/** Records that the rate already includes the client's request. */
export function markCounted(translated: Request): void {
  COUNTED.add(translated);
}

/**
 * Tells whether the rate already includes the client's request, which counts only once (contract.md
 * §Order of checks).
 */
export function isCounted(request: Request): boolean {
  return COUNTED.has(request);
}
