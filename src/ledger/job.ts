// The states of one recipient's job, from its release to its last outcome (docs/architecture.md
// §Claim). Pure. A job that was never claimed has no state; then leased → waiting → leased → … →
// done.

export type Job =
  /**
   * A consumer is at it until `until`; then the same attempt may be claimed again. `postponed`: how
   * often no courier took it. `isReported`: a report has told of the recipient's bounce, so this
   * attempt is the last.
   */
  | {
      readonly state: "leased";
      readonly attempt: number;
      readonly until: number;
      readonly postponed?: number;
      readonly isReported?: true;
    }
  | { readonly state: "waiting"; readonly attempt: number; readonly dueAt: number }
  | { readonly state: "done" };

/** The jobs of a message that have a state, by recipient index. It rests as JSON. */
export type Jobs = Readonly<Record<number, Job>>;

/** The most that a wait which doubles becomes: 2 to this power. */
const DOUBLINGS = 5;

/** How long nothing has to happen before a job is offered to the queue again. */
export interface Waits {
  readonly leaseMs: number;
  /** After the first release; it doubles with each release that nobody claimed, up to 32 times. */
  readonly releaseMs: number;
  /** After the first time that no courier took it; it doubles each time, up to 32 times. */
  readonly postponedMs: number;
  /**
   * After a restart of the ledger, for what was released or leased before it: the consumer may have
   * died with it.
   */
  readonly inheritedMs: number;
}

/**
 * How long a consumer has to settle what it claimed. Shorter than the longest SMTP dialogue, because
 * the gateway joins an attempt that is still under way.
 */
export const LEASE_MS = 2 * 60_000;
export const RELEASE_WAIT_MS = 30_000;
export const POSTPONED_MS = 15_000;
export const INHERITED_MS = 5_000;

/** `speedup`, at least 1, divides every wait. */
export function waitsFor(speedup: number): Waits {
  return {
    leaseMs: LEASE_MS / speedup,
    releaseMs: RELEASE_WAIT_MS / speedup,
    postponedMs: POSTPONED_MS / speedup,
    inheritedMs: INHERITED_MS / speedup,
  };
}

/** The job under a new lease; undefined: it is not to be had now. */
export function claimJob(
  job: Job | undefined,
  now: number,
  leaseMs: number,
): Extract<Job, { state: "leased" }> | undefined {
  const until = now + leaseMs;
  if (!job) return { state: "leased", attempt: 1, until };
  if (job.state === "leased" && job.until <= now && !job.isReported) return { ...job, until };
  if (job.state === "waiting" && job.dueAt <= now)
    return { state: "leased", attempt: job.attempt + 1, until };
  return undefined;
}

/**
 * Undefined when the attempt is not under way. A lease that ran out may still be settled: the first
 * outcome to come counts.
 */
export function settleJob(
  job: Job | undefined,
  { attempt, nextAttemptAt }: { readonly attempt: number; readonly nextAttemptAt: number | null },
): Job | undefined {
  if (job?.state !== "leased" || job.attempt !== attempt) return undefined;
  return nextAttemptAt === null || job.isReported
    ? { state: "done" }
    : { state: "waiting", attempt, dueAt: nextAttemptAt };
}

/**
 * A report has told of the recipient's bounce: only an attempt that is under way may still be
 * settled. Undefined when the job is done already.
 */
export function endAttempts(job: Job | undefined, now: number, leaseMs: number): Job | undefined {
  if (!job) return { state: "leased", attempt: 1, until: now + leaseMs, isReported: true };
  if (job.state === "done") return undefined;
  return job.state === "waiting" ? { state: "done" } : { ...job, isReported: true };
}

/** Whether the last attempt of a reported recipient was never settled and its lease is over. */
export function isAbandoned(job: Job | undefined, now: number): boolean {
  return job?.state === "leased" && job.isReported === true && job.until <= now;
}

/**
 * The job as it was before a restart that forgot its lease, for a caller that names the attempt:
 * the number of the next one is known only to those to whom it was granted.
 */
export function recallLease(job: Job | undefined, attempt: number): Job | undefined {
  const next = !job ? 1 : job.state === "waiting" ? job.attempt + 1 : null;
  return next === attempt ? { state: "leased", attempt, until: 0 } : job;
}

/**
 * The lease begun anew: its holder is still at it. Undefined when that attempt is not under way.
 */
export function holdJob(
  job: Job | undefined,
  attempt: number,
  now: number,
  leaseMs: number,
): Job | undefined {
  return job?.state === "leased" && job.attempt === attempt
    ? { ...job, until: now + leaseMs }
    : undefined;
}

/**
 * The same attempt again after a wait: no courier knows of anything that was done. Undefined when
 * it is not under way.
 */
export function postponeJob(
  job: Job | undefined,
  attempt: number,
  now: number,
  waits: Waits,
): Job | undefined {
  if (job?.state !== "leased" || job.attempt !== attempt) return undefined;
  const { postponed = 0 } = job;
  return {
    ...job,
    until: now + doubleWait(waits.postponedMs, postponed),
    postponed: postponed + 1,
  };
}

/**
 * A lease from before a restart, cut short: the courier joins an attempt that is still under way,
 * so asking early harms nobody.
 */
export function inheritJob(job: Job, restartedAt: number, waits: Waits): Job {
  const latest = restartedAt + waits.inheritedMs;
  const fromBefore =
    job.state === "leased" && job.until > latest && job.until <= restartedAt + waits.leaseMs;
  return fromBefore ? { ...job, until: latest } : job;
}

/** When a job that was put off is tried again; null: it is not put off. */
export function nextAttemptOf(job: Job | undefined): number | null {
  return job?.state === "waiting" ? job.dueAt : null;
}

/** When a released job is to be offered again, given its message's last release; null: never. */
export function offerAt(
  job: Job | undefined,
  releasedAt: number,
  unclaimedReleases: number,
  waits: Waits,
): number | null {
  const ready = readyAt(job);
  if (ready === null || ready > releasedAt) return ready;
  return releasedAt + doubleWait(waits.releaseMs, unclaimedReleases);
}

function doubleWait(waitMs: number, times: number): number {
  return waitMs * 2 ** Math.min(times, DOUBLINGS);
}

function readyAt(job: Job | undefined): number | null {
  if (!job) return 0;
  if (job.state === "leased") return job.until;
  return job.state === "waiting" ? job.dueAt : null;
}
