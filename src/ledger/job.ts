// The states of one recipient's job, from its release to its last record (docs/architecture.md §Claim). Pure. A job that was never claimed has no
// state; then leased → settled → waiting → leased → … → settled → done.

export type Job =
  /** A consumer is at it until `until`; then the same attempt may be claimed again. `postponed`: how often no courier took it. */
  | { readonly state: "leased"; readonly attempt: number; readonly until: number; readonly postponed?: number }
  /** Its outcome is known, but perhaps not recorded: `facts` is kept until forgotten. `nextAttemptAt` null: this was the last attempt. */
  | {
      readonly state: "settled";
      readonly attempt: number;
      readonly at: number;
      readonly facts: string;
      readonly nextAttemptAt: number | null;
    }
  | { readonly state: "waiting"; readonly attempt: number; readonly dueAt: number }
  | { readonly state: "done" };

/** The jobs of a message that have a state, by recipient index. It rests as JSON. */
export type Jobs = Readonly<Record<number, Job>>;

type Claiming =
  | { readonly kind: "granted"; readonly attempt: number; readonly job: Job }
  | { readonly kind: "unrecorded"; readonly attempt: number; readonly facts: string }
  | { readonly kind: "refused" };

/** The most that a wait which doubles becomes: 2 to this power. */
const DOUBLINGS = 5;

/** How long nothing has to happen before a job is offered to the queue again. */
export interface Waits {
  readonly leaseMs: number;
  /** After the first release; it doubles with each release that nobody claimed, up to 32 times. */
  readonly releaseMs: number;
  readonly unrecordedMs: number;
  /** After the first time that no courier took it; it doubles each time, up to 32 times. */
  readonly postponedMs: number;
  /** After a restart of the ledger, for what was released or leased before it: whoever was at it may have died with it. */
  readonly inheritedMs: number;
}

export function claimJob(job: Job | undefined, now: number, leaseMs: number): Claiming {
  const until = now + leaseMs;
  if (!job) return grant(1, until);
  if (job.state === "settled") return { kind: "unrecorded", attempt: job.attempt, facts: job.facts };
  if (job.state === "leased" && job.until <= now) return { kind: "granted", attempt: job.attempt, job: { ...job, until } };
  if (job.state === "waiting" && job.dueAt <= now) return grant(job.attempt + 1, until);
  return { kind: "refused" };
}

function grant(attempt: number, until: number): Claiming {
  return { kind: "granted", attempt, job: { state: "leased", attempt, until } };
}

/** Undefined when the attempt is not under way. A lease that ran out may still be settled: whoever comes first has the word. */
export function settleJob(
  job: Job | undefined,
  outcome: { attempt: number; facts: string; nextAttemptAt: number | null },
  now: number,
): Job | undefined {
  if (job?.state !== "leased" || job.attempt !== outcome.attempt) return undefined;
  return { state: "settled", attempt: job.attempt, at: now, facts: outcome.facts, nextAttemptAt: outcome.nextAttemptAt };
}

/**
 * The job as it was before a restart that forgot its lease, for whoever names the attempt: the number of the next one is known only to those to whom it was
 * granted.
 */
export function recallLease(job: Job | undefined, attempt: number): Job | undefined {
  const next = !job ? 1 : job.state === "waiting" ? job.attempt + 1 : null;
  return next === attempt ? { state: "leased", attempt, until: 0 } : job;
}

/** The lease begun anew: whoever holds it is still at it. Undefined when that attempt is not under way. */
export function holdJob(job: Job | undefined, attempt: number, now: number, leaseMs: number): Job | undefined {
  return job?.state === "leased" && job.attempt === attempt ? { ...job, until: now + leaseMs } : undefined;
}

/** The same attempt again after a wait: nobody knows of anything that was done. Undefined when it is not under way. */
export function postponeJob(job: Job | undefined, attempt: number, now: number, waits: Waits): Job | undefined {
  if (job?.state !== "leased" || job.attempt !== attempt) return undefined;
  const { postponed = 0 } = job;
  return { ...job, until: now + doubling(waits.postponedMs, postponed), postponed: postponed + 1 };
}

/** A lease from before a restart, cut short: the courier joins an attempt that is still under way, so asking early harms nobody. */
export function inheritJob(job: Job, restartedAt: number, waits: Waits): Job {
  const latest = restartedAt + waits.inheritedMs;
  const fromBefore = job.state === "leased" && job.until > latest && job.until <= restartedAt + waits.leaseMs;
  return fromBefore ? { ...job, until: latest } : job;
}

/** Undefined when there is nothing of that attempt to forget. */
export function forgetJob(job: Job | undefined, attempt: number): Job | undefined {
  if (job?.state !== "settled" || job.attempt !== attempt) return undefined;
  return job.nextAttemptAt === null ? { state: "done" } : { state: "waiting", attempt, dueAt: job.nextAttemptAt };
}

/** When a job that was put off is tried again; null: it is not put off. */
export function nextAttemptOf(job: Job | undefined): number | null {
  if (job?.state === "waiting") return job.dueAt;
  return job?.state === "settled" ? job.nextAttemptAt : null;
}

/** When a released job is to be offered again, given its message's last release; null: never. */
export function offerAt(job: Job | undefined, releasedAt: number, unclaimedReleases: number, waits: Waits): number | null {
  const ready = readyAt(job, waits);
  if (ready === null || ready > releasedAt) return ready;
  return releasedAt + doubling(waits.releaseMs, unclaimedReleases);
}

function doubling(waitMs: number, times: number): number {
  return waitMs * 2 ** Math.min(times, DOUBLINGS);
}

function readyAt(job: Job | undefined, waits: Waits): number | null {
  if (!job) return 0;
  if (job.state === "leased") return job.until;
  if (job.state === "waiting") return job.dueAt;
  return job.state === "settled" ? job.at + waits.unrecordedMs : null;
}
