// Remembers the client's original request for a request that was translated from another API. A
// repeated send must match what the client sent (contract.md §Idempotency), but the translation of
// "in 1 hour" differs at each attempt.
import type { AuditDoor } from "../audit.ts";
import type { TranslatedRequest } from "../endpoint.ts";

const SENT = new WeakMap<Request, TranslatedRequest>();
const COUNTED = new WeakSet<Request>();
const DOORS = new WeakMap<Request, AuditDoor>();

/** Records the client's request from which `translated` was made, and the translated body. */
export function rememberSent(translated: Request, sent: TranslatedRequest): void {
  SENT.set(translated, sent);
}

/** Returns the client's original request. Undefined: the request was not translated. */
export function sentOf(request: Request): TranslatedRequest | undefined {
  return SENT.get(request);
}

/** Records that the rate limit already counted the client's request. */
export function markCounted(translated: Request): void {
  COUNTED.add(translated);
}

/**
 * Tells whether the rate limit already counted the client's request. The rate limit counts a
 * request only once (contract.md §Order of checks).
 */
export function isCounted(request: Request): boolean {
  return COUNTED.has(request);
}

/** Records through which interface the client's request came. */
export function rememberDoor(translated: Request, door: AuditDoor): void {
  DOORS.set(translated, door);
}

/**
 * Returns the interface through which the client's request came. Undefined: the request was not
 * translated.
 */
export function doorOf(request: Request): AuditDoor | undefined {
  return DOORS.get(request);
}
