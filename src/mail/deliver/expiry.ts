// Ends deliveries whose 72 hours are over and whose copy no courier took (contract.md §Event
// types).
import { EXPIRY_AFTER_MS } from "../../limits.ts";
import type { Settings } from "../../settings.ts";
import { clockStartOf } from "../message-start.ts";
import type { GrantedAttempt } from "./claimed-delivery.ts";
import type { SettlementQueue } from "./settlement-queue.ts";

/**
 * Bounces a delivery if its 72 hours are over. Returns whether they are over. Must be called only
 * after the courier was asked, so that the bounce quotes a server's reply if possible. The bounce
 * may therefore come later than the end of the 72 hours.
 */
export function giveUpIfExpired(
  { retrySpeedup }: Settings,
  settling: SettlementQueue,
  attempted: GrantedAttempt,
): boolean {
  if (Date.now() < clockStartOf(attempted.message) + EXPIRY_AFTER_MS / retrySpeedup) return false;
  settling.endUncarried(attempted, "other", "the courier was not reached in time");
  return true;
}
