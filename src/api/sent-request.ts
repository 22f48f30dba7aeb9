// Holds, for a request that a translation made, the request that its client sent. A repetition has
// to match what the client sent (contract.md §Idempotency): "in 1 hour" is another time at each
// attempt.
import type { SentRequest } from "../endpoint.ts";

const SENT = new WeakMap<Request, SentRequest>();
const COUNTED = new WeakSet<Request>();

/** Says that `translated` stands for what a client sent. */
export function standFor(translated: Request, sent: SentRequest): void {
  SENT.set(translated, sent);
}

/** The client's request, if this one stands for it. */
export function sentOf(request: Request): SentRequest | undefined {
  return SENT.get(request);
}

/** Says that an earlier translation of the same request counted against the rate. */
export function noteCounted(translated: Request): void {
  COUNTED.add(translated);
}

/** True: the client's request was counted already, and counts once (contract.md §Order of checks). */
export function isCounted(request: Request): boolean {
  return COUNTED.has(request);
}
