// Renews the leases of jobs while a consumer works on them (docs/architecture.md §Claim). Without a
// renewal, a lease could expire during the work of a courier that does not remember keys. Then the
// ledger would release the same attempt again, and the recipient would get the message twice. With
// a gateway, the ledger would ask in vain and a second consumer would compose the same copy.
import { logError } from "../../lib/log.ts";

/**
 * Interval between renewals. It is a quarter of a lease, so that one failed renewal does not end
 * the lease.
 */
const RENEW_EVERY_MS = 30_000;

/**
 * Calls `renew` periodically until `work` has settled. `speedup` is the divisor of the leases, as
 * in the ledger.
 */
export async function keepRenewing<Result>(
  renew: () => Promise<void>,
  speedup: number,
  work: () => Promise<Result>,
): Promise<Result> {
  const over = new AbortController();
  const renewing = renewUntil(over.signal, renew, speedup);
  try {
    return await work();
  } finally {
    over.abort();
    // No renewal may reach the ledger after the jobs were settled or postponed, so a running
    // renewal is awaited.
    await renewing;
  }
}

async function renewUntil(
  over: AbortSignal,
  renew: () => Promise<void>,
  speedup: number,
): Promise<void> {
  while (await waitUnless(over, RENEW_EVERY_MS / speedup)) {
    try {
      await renew();
    } catch (error) {
      logError("lease_not_renewed", error);
    }
  }
}

/** Resolves to true after the wait, or to false as soon as `over` is aborted. */
function waitUnless(over: AbortSignal, ms: number): Promise<boolean> {
  return scheduler.wait(ms, { signal: over }).then(
    () => !over.aborted,
    () => false,
  );
}
