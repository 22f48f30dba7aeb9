// Keeps jobs leased for as long as a courier that remembers nothing is at them: had a lease run
// out, the ledger would offer the same attempt once more, and the recipient would get it twice
// (docs/architecture.md §Claim).
import { logError } from "../../lib/log.ts";

/** A quarter of a lease, so that a renewal may fail. */
const RENEW_EVERY_MS = 30_000;

/**
 * Calls `renew` now and then until `work` has settled. `speedup` divides the waits, as it does the
 * ledger's.
 */
export async function holdingLeases(
  renew: () => Promise<void>,
  speedup: number,
  work: () => Promise<void>,
): Promise<void> {
  const over = new AbortController();
  const holding = hold(renew, speedup, over.signal);
  try {
    await work();
  } finally {
    over.abort();
    // A renewal that is under way must not come after what is said of the jobs next.
    await holding;
  }
}

async function hold(renew: () => Promise<void>, speedup: number, over: AbortSignal): Promise<void> {
  while (await waited(RENEW_EVERY_MS / speedup, over)) {
    try {
      await renew();
    } catch (error) {
      logError("lease_not_renewed", error);
    }
  }
}

/** False: it is over. */
function waited(ms: number, over: AbortSignal): Promise<boolean> {
  return scheduler.wait(ms, { signal: over }).then(
    () => !over.aborted,
    () => false,
  );
}
