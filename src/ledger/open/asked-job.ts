// Decides the states of a job if a gateway has its copy or may have it (docs/architecture.md §Ask).
// The ledger asks for the outcome by the attempt's key, soon at first and then less often. These
// states need not be on disk, because after a restart the ledger asks about every copy again. Pure.
import { type Job, type Leased, postponeJob } from "./job.ts";
import { doubleWait, type Waits } from "./job-waits.ts";

/** Tells whether a gateway may have a copy of the job's attempt. */
export function isAsked(job: Job | undefined): job is Leased {
  return job?.state === "leased" && job.asks !== undefined;
}

/** Tells whether a consumer left the job's copy with a gateway, or may have done so. */
export function isHandedOver(job: Job | undefined): boolean {
  return isAsked(job) && (job.asks !== 0 || job.host !== undefined);
}

/** Returns the new state of a job after a consumer left the job's copy with a gateway. */
export function awaitGateway(job: Leased, host: string, now: number, waits: Waits): Leased {
  return { ...job, host, asks: 0, until: now + askWait(waits, 0) };
}

/**
 * Returns the new state of a job after the ledger asked a gateway for the job's outcome. If no
 * answer comes, the ledger asks again.
 */
export function askJob(job: Leased, now: number, waits: Waits): Leased {
  return { ...job, asks: (job.asks ?? 0) + 1, until: now + waits.unansweredMs };
}

/** Returns the new state of a job after the gateway answered that the attempt is under way. */
export function askLater(job: Leased, host: string, now: number, waits: Waits): Leased {
  return { ...job, host, until: now + askWait(waits, job.asks ?? 0) };
}

/**
 * Returns the new state of a job after the gateways answered that they have no copy of it. The job
 * is released again after the wait of a job that no consumer claimed, because its consumer may
 * still be composing the copy.
 */
export function releaseUntaken(job: Leased, now: number, { releaseMs }: Waits): Job {
  return job.isReported ? { state: "done" } : postponeJob(job, now, releaseMs);
}

function askWait({ firstAskMs, unansweredMs }: Waits, asks: number): number {
  return Math.min(unansweredMs, doubleWait(firstAskMs, asks));
}
