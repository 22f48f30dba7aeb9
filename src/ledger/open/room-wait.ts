// Decides the states of a job whose copy waits for a connection to its mail server
// (docs/architecture.md §Ask). The gateway keeps the copy's queue position and says when a
// connection will be free. Pure.
import type { PostponedGrant } from "../../rpc/question-calls.ts";
import { isAsked } from "./asked-job.ts";
import { type Job, type Leased, withoutCourier } from "./job.ts";

/**
 * Postpones the attempt until a connection is free for its copy. The job is due only after `now`,
 * because the ledger may have released other jobs of its message at `now`.
 */
export function awaitRoom(
  job: Leased,
  { notBefore = 0, waitsSince }: PostponedGrant,
  now: number,
): Leased {
  const { postponed: _, ...rest } = withoutCourier(job);
  return withAge({ ...rest, until: Math.max(notBefore, now + 1) }, waitsSince);
}

/**
 * Records since when the attempt waits, so that the gateway can serve older copies first. If
 * `waitsSince` is undefined, the stored time stays.
 */
export function withAge(job: Leased, waitsSince: number | undefined): Leased {
  return waitsSince === undefined ? job : { ...job, waitsSince };
}

/**
 * Records since when the copy of a running attempt waits for a connection. If `waitsSince` is
 * undefined, the copy does not wait.
 */
export function recordWait(job: Leased, waitsSince: number | undefined): Leased {
  const { waitsSince: _, ...rest } = job;
  return withAge(rest, waitsSince);
}

/** Returns whether the job waits for a connection to its mail server. */
export function waitsForRoom(job: Job | undefined): boolean {
  if (job?.state !== "leased" || job.waitsSince === undefined) return false;
  return job.postponed === undefined || isAsked(job);
}
