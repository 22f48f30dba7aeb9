// A message that waits in a lane for a connection, its outcome at the lane's server, and the times
// at which the lane checks whether the message waits in vain.
import type { DatedOutcome } from "../outcome.ts";
import type { WaitingMessage } from "../destinations/waiting-lanes.ts";
import type { RefusedReuse } from "../smtp/reuse-limits.ts";
import type { Attempt } from "./attempt.ts";

/** The outcome of one message at one server. */
export interface ServerResult {
  readonly dated: DatedOutcome;
  /**
   * True: the server neither accepted nor refused the message, so the domain's next server may be
   * tried.
   */
  readonly elsewhere: boolean;
}

/** One waiting message, with the team and priority that decide about its queue position. */
export interface LaneJob extends WaitingMessage {
  readonly attempt: Attempt;
  /** Called with the result, or with null if the attempt was returned to the worker. */
  readonly resolve: (result: ServerResult | null) => void;
  /**
   * Time until which the message may wait for a connection, in milliseconds of the process's clock.
   */
  readonly waitsUntil: number;
  /**
   * The refusal of this message on a used connection. A fresh connection shows whether the message
   * or the connection was the reason.
   */
  readonly refused?: RefusedReuse | null;
  /** Time of the last check whether the message waits in vain. */
  checkedAt?: number;
}

/**
 * Number of checks during the waiting time. The checks are few, because each one counts all
 * messages that go before.
 */
const CHECKS = 4;

/** Tells whether the lane must check the message now, and records the time of the check. */
export function isDueForCheck(job: LaneJob, waitMs: number, now: number): boolean {
  if (now - (job.checkedAt ?? job.attempt.takenAt) < waitMs / CHECKS) return false;
  job.checkedAt = now;
  return true;
}
