// What the outbox keeps in memory of a message that has released jobs, and what follows from it.
// Pure.
import { recallLease, type Job, type Jobs } from "./job.ts";
import { isUnanswered } from "./stuck-messages.ts";

/** A message with released jobs that are not all done. */
export interface InFlight {
  readonly seq: number;
  readonly recipients: number;
  /** Jobs from index 0 on that were released. */
  released: number;
  /** When it was last offered. */
  releasedAt: number;
  /** When its latest job was first released, as far as that is known after a restart. */
  readonly since: number;
  unclaimedReleases: number;
  /** When the alarm has to look at it. */
  wakeAt: number;
  readonly contentKey: string | null;
  /** It was in flight before a restart, which forgot its leases. */
  readonly isInherited: boolean;
  /** Undefined: they are as their row says. */
  jobs: Jobs | undefined;
}

export type NewInFlight = Omit<InFlight, "unclaimedReleases" | "wakeAt">;

export const NO_JOBS: Jobs = {};

/**
 * The job that an attempt is at: a lease that a restart has forgotten is as good as one that is
 * known.
 */
export function underWay(
  job: Job | undefined,
  attempt: number,
  { isInherited }: InFlight,
): Job | undefined {
  return isInherited ? recallLease(job, attempt) : job;
}

export function isReleased(index: number, entry: InFlight): boolean {
  return Number.isInteger(index) && index >= 0 && index < entry.released;
}

/** Whether no consumer is at any of the jobs. */
export function isResting(jobs: Jobs): boolean {
  return Object.values<Job>(jobs).every(({ state }) => state !== "leased");
}

/** How many released recipients wait for their first outcome. */
export function unansweredIn(jobs: Jobs, { released }: InFlight): number {
  let count = 0;
  for (let index = 0; index < released; index += 1) if (isUnanswered(jobs[index])) count += 1;
  return count;
}

export function doneIn(jobs: Jobs): number {
  return Object.values<Job>(jobs).filter(({ state }) => state === "done").length;
}
