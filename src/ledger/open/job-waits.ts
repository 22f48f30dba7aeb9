// Names the waits after which a ledger releases a job again, or asks for its outcome
// (docs/architecture.md §Claim, §Ask). Pure.
import type { Settings } from "../../settings.ts";

/** Maximum number of times that a wait doubles. */
const DOUBLINGS = 5;

/** Waits before a job is sent to the queue again, in milliseconds. */
export interface Waits {
  readonly leaseMs: number;
  /**
   * The wait before the ledger releases a job again that no consumer claimed or that no gateway
   * knows. The wait doubles with each such release, up to 32 times its first length.
   */
  readonly releaseMs: number;
  /**
   * The wait after the first time that no courier took the job. It doubles each time that no
   * courier takes the job, up to 32 times its first length.
   */
  readonly postponedMs: number;
  /**
   * The wait after a restart of the ledger. It applies to jobs that were released or leased before
   * the restart, because their consumer may have died too.
   */
  readonly inheritedMs: number;
  /**
   * The wait until the ledger first asks for the outcome of a copy. The wait doubles with each
   * question.
   */
  readonly firstAskMs: number;
  /** The maximum wait between two questions, and the wait after a question without a response. */
  readonly unansweredMs: number;
}

/** Time that a consumer has to transfer the copies of the jobs that it claimed. */
export const LEASE_MS = 2 * 60_000;
export const RELEASE_WAIT_MS = 30_000;
const POSTPONED_MS = 15_000;
export const INHERITED_MS = 5_000;
const FIRST_ASK_MS = 2_000;
const UNANSWERED_MS = 60_000;

/**
 * Returns the waits of a deployment. A test stack divides them by `retrySpeedup` or `leaseSpeedup`,
 * each at least 1. `leaseSpeedup` divides the waits in which a consumer or a gateway works, so a
 * slow machine needs a small `leaseSpeedup`.
 */
export function waitsFor({
  retrySpeedup,
  leaseSpeedup,
}: Pick<Settings, "retrySpeedup" | "leaseSpeedup">): Waits {
  return {
    leaseMs: LEASE_MS / leaseSpeedup,
    releaseMs: RELEASE_WAIT_MS / leaseSpeedup,
    postponedMs: POSTPONED_MS / retrySpeedup,
    inheritedMs: INHERITED_MS / leaseSpeedup,
    firstAskMs: FIRST_ASK_MS / leaseSpeedup,
    unansweredMs: UNANSWERED_MS / leaseSpeedup,
  };
}

/** Doubles a wait `times` times, up to 32 times its first length. */
export function doubleWait(waitMs: number, times: number): number {
  return waitMs * 2 ** Math.min(times, DOUBLINGS);
}
