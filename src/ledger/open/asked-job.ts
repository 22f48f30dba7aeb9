// Decides the states of a job whose copy is, or may be, at a gateway (docs/architecture.md §Ask).
// The ledger asks for the outcome by the attempt's key, soon at first and then less often. These
// states need not be on disk, because after a restart the ledger asks about every copy again. Pure.
import { type Job, type Leased, postponeJob } from "./job.ts";
import { doubleWait, type Waits } from "./job-waits.ts";

/** Returns whether a gateway may have a copy of the job's attempt. */
export function isAsked(job: Job | undefined): job is Leased {
  return job?.state === "leased" && job.asks !== undefined;
}

/** Returns whether a consumer transferred the job's copy to a gateway, or may have done so. */
export function isHandedOver(job: Job | undefined): boolean {
  return isAsked(job) && (job.asks !== 0 || job.host !== undefined);
}

/** Returns the new state of a job after a consumer transferred the job's copy to a gateway. */
export function awaitGateway(job: Leased, host: string, now: number, waits: Waits): Leased {
  return { ...job, host, asks: 0, until: now + askWait(waits, 0) };
}

/**
 * Returns the new state of a job after the ledger asked a gateway for the job's outcome. If the
 * gateway does not respond, the ledger asks again.
 */
export function askJob(job: Leased, now: number, waits: Waits): Leased {
  return { ...job, asks: (job.asks ?? 0) + 1, until: now + waits.unansweredMs };
}

/** Returns the new state of a job after the gateway reported that the attempt is running. */
export function askLater(job: Leased, host: string, now: number, waits: Waits): Leased {
  return { ...job, host, until: now + askWait(waits, job.asks ?? 0) };
}

/**
 * Returns the new state of a job after the gateways reported that they have no copy of it. The
 * job's consumer may still be composing the copy. So the ledger waits before it releases the job
 * again, as it does for a job that no consumer claimed.
 */
export function releaseUntaken(job: Leased, now: number, { releaseMs }: Waits): Job {
  return job.isReported ? { state: "done" } : postponeJob(job, now, releaseMs);
}

function askWait({ firstAskMs, unansweredMs }: Waits, asks: number): number {
  return Math.min(unansweredMs, doubleWait(firstAskMs, asks));
}
