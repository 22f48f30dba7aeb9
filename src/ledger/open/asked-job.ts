// Decides the states of a job whose copy a gateway has or may have (docs/architecture.md §Ask). The
// ledger asks for its outcome by the attempt's key, soon at first and then less often. Nothing of
// this is written, because a restart asks for everything again. Pure.
import type { Job } from "./job.ts";
import { doubleWait, type Waits } from "./job-waits.ts";

type Leased = Extract<Job, { state: "leased" }>;

/** Tells whether a gateway may have a copy of the job's attempt. */
export function isAsked(job: Job | undefined): job is Leased {
  return job?.state === "leased" && job.asks !== undefined;
}

/** The job when its copy was left with a gateway. Undefined: that attempt is not under way. */
export function awaitGateway(
  job: Job | undefined,
  attempt: number,
  host: string,
  now: number,
  waits: Waits,
): Job | undefined {
  if (job?.state !== "leased" || job.attempt !== attempt) return undefined;
  return { ...job, host, asks: 0, until: now + askWait(waits, 0) };
}

/** The job when its outcome is asked for. A question without an answer is asked again. */
export function askJob(job: Leased, now: number, waits: Waits): Leased {
  return { ...job, asks: (job.asks ?? 0) + 1, until: now + waits.unansweredMs };
}

/** The job when the gateway answered that the attempt is under way. Undefined: it is not. */
export function keepAsking(
  job: Job | undefined,
  attempt: number,
  host: string,
  now: number,
  waits: Waits,
): Job | undefined {
  if (!isAsked(job) || job.attempt !== attempt) return undefined;
  return { ...job, host, until: now + askWait(waits, job.asks ?? 0) };
}

/**
 * The job when no gateway has a copy: it may be claimed again, at once the first time and after a
 * growing wait from then on. Undefined: that attempt is not under way.
 */
export function releaseUntaken(
  job: Job | undefined,
  attempt: number,
  now: number,
  waits: Waits,
): Job | undefined {
  if (!isAsked(job) || job.attempt !== attempt) return undefined;
  if (job.isReported) return { state: "done" };
  const { asks: _, host: __, claimedAt: ___, postponed = 0, ...rest } = job;
  const wait = postponed === 0 ? 0 : doubleWait(waits.postponedMs, postponed - 1);
  return { ...rest, until: now + wait, postponed: postponed + 1 };
}

function askWait({ firstAskMs, unansweredMs }: Waits, asks: number): number {
  return Math.min(unansweredMs, doubleWait(firstAskMs, asks));
}
