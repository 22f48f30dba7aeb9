// Decides the states of a job whose mail is on hold (docs/architecture.md §Hold). Such a job waits
// on disk until the hold ends or the time limit of holds is reached. A hold costs no attempt: the
// next consumer gets the same attempt. Pure.
import { isHeld, type Job, withoutCourier } from "./job.ts";

type Waiting = Extract<Job, { state: "waiting" }>;

/**
 * Puts a job on hold, until `until` at the latest. Ends the job if the recipient's bounce was
 * reported. Returns undefined if the job needs no courier.
 */
export function holdJob(job: Job | undefined, until: number): Job | undefined {
  if (!job) return { state: "leased", attempt: 1, until, isHeld: true };
  if (job.state === "waiting") return { ...job, dueAt: until, isHeld: true };
  if (job.state !== "leased" || job.unheard) return undefined;
  if (job.isReported) return { state: "done" };
  return { ...withoutCourier(job), until, isHeld: true };
}

/** Ends the hold of a job, so that the job is due now. */
export function freeJob(job: Job | undefined, now: number): Job | undefined {
  if (!job || !isHeld(job)) return undefined;
  if (job.state === "waiting") return { ...withoutMark(job), dueAt: now };
  return job.state === "leased" ? { ...withoutMark(job), until: now } : undefined;
}

/**
 * Returns the job for an event about attempt number `attempt`. If the next attempt is on hold,
 * returns the job in its state between the two attempts. If not, returns the job unchanged.
 */
export function beforeHeld(job: Job | undefined, attempt: number): Job | undefined {
  if (job?.state !== "leased" || !isHeld(job) || job.attempt - 1 !== attempt) return job;
  const waiting: Waiting = { state: "waiting", attempt, dueAt: job.until, isHeld: true };
  return job.isFateUnknown ? { ...waiting, isFateUnknown: true } : waiting;
}

function withoutMark<Held extends { readonly isHeld?: true }>(job: Held): Omit<Held, "isHeld"> {
  const { isHeld: _, ...rest } = job;
  return rest;
}
