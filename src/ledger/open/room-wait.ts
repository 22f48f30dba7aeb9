// Decides the states of a job whose copy waits for a connection to its mail server
// (docs/architecture.md §Ask). The gateway keeps the copy's turn and says when there will be room.
// Pure.
import type { PostponedGrant } from "../../rpc/question-calls.ts";
import { isAsked } from "./asked-job.ts";
import type { Job } from "./job.ts";

/**
 * Postpones the attempt until there is room for its copy. The job is due only after `now`, because
 * others of its message may have been released now. Undefined: the attempt is not under way.
 */
export function awaitRoom(
  job: Job | undefined,
  { attempt, notBefore = 0, waitsSince }: PostponedGrant,
  now: number,
): Job | undefined {
  if (job?.state !== "leased" || job.attempt !== attempt) return undefined;
  const { postponed: _, claimedAt: __, asks: ___, host: ____, ...rest } = job;
  return withAge({ ...rest, until: Math.max(notBefore, now + 1) }, { waitsSince });
}

/**
 * Notes since when the attempt waits, so that the gateway can serve older copies first. Without a
 * time, the time that is known already stays.
 */
export function withAge(
  job: Job | undefined,
  { waitsSince }: { readonly waitsSince?: number | undefined },
): Job | undefined {
  return job?.state === "leased" && waitsSince !== undefined ? { ...job, waitsSince } : job;
}

/**
 * Notes whether the copy of an attempt under way waits for a connection. `waitsSince`: since when;
 * undefined: it does not wait.
 */
export function recordWait(job: Job | undefined, waitsSince: number | undefined): Job | undefined {
  if (job?.state !== "leased") return job;
  const { waitsSince: _, ...rest } = job;
  return withAge(rest, { waitsSince });
}

/** Tells whether the job waits for a connection to its mail server. */
export function waitsForRoom(job: Job | undefined): boolean {
  if (job?.state !== "leased" || job.waitsSince === undefined) return false;
  return job.postponed === undefined || isAsked(job);
}
