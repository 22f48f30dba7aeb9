// Renews the leases of jobs while a courier that does not deduplicate works on them. If a lease ran
// out, the ledger would release the same attempt again and the recipient would get the message
// twice (docs/architecture.md §Claim).
import { logError } from "../../lib/log.ts";

/** A quarter of a lease, so that the lease survives a renewal that fails. */
const RENEW_EVERY_MS = 30_000;

/**
 * Calls `renew` periodically until `work` has settled. `speedup` divides the waits, as it does the
 * ledger's.
 */
export async function keepRenewing(
  renew: () => Promise<void>,
  speedup: number,
  work: () => Promise<void>,
): Promise<void> {
  const over = new AbortController();
  const renewing = renewUntil(over.signal, renew, speedup);
  try {
    await work();
  } finally {
    over.abort();
    // A renewal that is under way must not reach the ledger after the jobs were settled or
    // postponed.
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

/** Resolves to false as soon as `over` is aborted. */
function waitUnless(over: AbortSignal, ms: number): Promise<boolean> {
  return scheduler.wait(ms, { signal: over }).then(
    () => !over.aborted,
    () => false,
  );
}
