// Decides the states of a job whose copy waits for a connection to its mail server
// (docs/architecture.md §Ask). The gateway keeps the copy's turn and says when there will be room.
// Pure.
import type { PostponedGrant } from "../../rpc/question-calls.ts";
import { isAsked } from "./asked-job.ts";
import { type Job, type Leased, withoutCourier } from "./job.ts";

/**
 * Postpones the attempt until there is room for its copy. The job is due only after `now`, because
 * others of its message may have been released now.
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
 * Notes since when the attempt waits, so that the gateway can serve older copies first. Without a
 * time, the time that is known already stays.
 */
export function withAge(job: Leased, waitsSince: number | undefined): Leased {
  return waitsSince === undefined ? job : { ...job, waitsSince };
}

/**
 * Notes whether the copy of an attempt under way waits for a connection. `waitsSince`: since when;
 * undefined: it does not wait.
 */
export function recordWait(job: Leased, waitsSince: number | undefined): Leased {
  const { waitsSince: _, ...rest } = job;
  return withAge(rest, waitsSince);
}

/** Tells whether the job waits for a connection to its mail server. */
export function waitsForRoom(job: Job | undefined): boolean {
  if (job?.state !== "leased" || job.waitsSince === undefined) return false;
  return job.postponed === undefined || isAsked(job);
}
