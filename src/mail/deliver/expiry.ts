// Ends deliveries whose 72 hours are over if no courier took the copy (contract.md §Event types).
import { EXPIRY_AFTER_MS } from "../../limits.ts";
import type { Settings } from "../../settings.ts";
import { clockStartOf } from "../message-start.ts";
import type { GrantedAttempt } from "./claimed-delivery.ts";
import type { SettlementQueue } from "./settlement-queue.ts";

/**
 * Bounces a delivery if its 72 hours are over. Returns whether they are over. Called only after the
 * courier was asked, so that the bounce quotes a server's reply if possible. So the bounce may come
 * later than the end of the 72 hours.
 */
export function giveUpIfExpired(
  { retrySpeedup }: Settings,
  settling: SettlementQueue,
  attempted: GrantedAttempt,
): boolean {
  const now = Date.now();
  if (now < clockStartOf(attempted.message) + EXPIRY_AFTER_MS / retrySpeedup) return false;
  const detail = "the courier was not reached in time";
  settling.enterOutcome(
    attempted,
    { kind: "failure", cause: "other", detail, mxHost: null },
    { handedAt: null, nextAttemptAt: null, now },
  );
  return true;
}
