// Names the waits after which a ledger releases a job again, or asks for its outcome
// (docs/architecture.md §Claim, §Ask). Pure.

/** A doubling wait grows to at most 2 to this power times its first length. */
const DOUBLINGS = 5;

/** Waits before a job is sent to the queue again, in milliseconds. */
export interface Waits {
  readonly leaseMs: number;
  /**
   * Wait after the first release. It doubles with each release that no consumer claimed, up to 32
   * times.
   */
  readonly releaseMs: number;
  /**
   * Wait after the first time that no courier took the job. It doubles each time, up to 32 times.
   */
  readonly postponedMs: number;
  /**
   * Wait after a restart of the ledger for jobs released or leased before it, because their
   * consumer may have died too.
   */
  readonly inheritedMs: number;
  /** Wait until a copy's outcome is first asked for. It doubles each time. */
  readonly firstAskMs: number;
  /** Longest wait between two questions, and the wait after one without an answer. */
  readonly unansweredMs: number;
}

/** Time for a consumer to hand over what it claimed. */
export const LEASE_MS = 2 * 60_000;
export const RELEASE_WAIT_MS = 30_000;
const POSTPONED_MS = 15_000;
export const INHERITED_MS = 5_000;
const FIRST_ASK_MS = 2_000;
const UNANSWERED_MS = 60_000;

/** `speedup`, at least 1, divides every wait. */
export function waitsFor(speedup: number): Waits {
  return {
    leaseMs: LEASE_MS / speedup,
    releaseMs: RELEASE_WAIT_MS / speedup,
    postponedMs: POSTPONED_MS / speedup,
    inheritedMs: INHERITED_MS / speedup,
    firstAskMs: FIRST_ASK_MS / speedup,
    unansweredMs: UNANSWERED_MS / speedup,
  };
}

/** Doubles a wait `times` times, up to 32 times the first. */
export function doubleWait(waitMs: number, times: number): number {
  return waitMs * 2 ** Math.min(times, DOUBLINGS);
}
