// Holds, for a request that a translation made, the request that its client sent. A repetition has
// to match what the client sent (contract.md §Idempotency): "in 1 hour" is another time at each
// attempt.
import type { SentRequest } from "../endpoint.ts";

const SENT = new WeakMap<Request, SentRequest>();

/** Says that `translated` stands for what a client sent. */
export function standFor(translated: Request, sent: SentRequest): void {
  SENT.set(translated, sent);
}

/** The client's request, if this one stands for it. */
export function sentOf(request: Request): SentRequest | undefined {
  return SENT.get(request);
}
