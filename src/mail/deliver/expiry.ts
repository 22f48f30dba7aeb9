// Ends deliveries whose 72 hours are over and whose copy no courier took (contract.md §Event
// types).
import { EXPIRY_AFTER_MS } from "../../limits.ts";
import type { Settings } from "../../settings.ts";
import { startOf } from "../message-start.ts";
import type { GrantedAttempt } from "./claimed-delivery.ts";
import type { SettlementQueue } from "./settlement-queue.ts";

/**
 * Bounces a delivery whose time is over. Returns whether its time is over. Called only after the
 * courier was asked, however late, so that the bounce quotes a server's reply if possible.
 */
export function giveUpIfExpired(
  { retrySpeedup }: Settings,
  settling: SettlementQueue,
  attempted: GrantedAttempt,
): boolean {
  const now = Date.now();
  if (now < startOf(attempted.message) + EXPIRY_AFTER_MS / retrySpeedup) return false;
  const detail = "the courier was not reached in time";
  settling.enterOutcome(
    attempted,
    { kind: "failure", cause: "other", detail, mxHost: null },
    { handedAt: null, nextAttemptAt: null, now },
  );
  return true;
}
