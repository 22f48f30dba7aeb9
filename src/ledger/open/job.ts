// Decides the states of one recipient's job, from its release to its last outcome
// (docs/architecture.md §Claim). A job that was never claimed has no state; then leased → waiting →
// leased → … → done. With a courier that hands copies to a provider: leased → awaiting → done.
// Pure.
import type { LastReply, Settlement, NoVerdict } from "../../rpc/ledger-calls.ts";
import { doubleWait, type Waits } from "./job-waits.ts";

export type Job =
  /**
   * A consumer works on the job until `until`; then the same attempt may be claimed again.
   * `postponed`: how often no courier took the job. `isReported`: a report said that the recipient
   * bounced, so this attempt is the last.
   */
  | {
      readonly state: "leased";
      readonly attempt: number;
      readonly until: number;
      /** When a consumer first got this lease, Unix milliseconds. Absent: no consumer has it. */
      readonly claimedAt?: number;
      readonly postponed?: number;
      readonly isReported?: true;
      /** The provider took the attempt's copy before, and never gave a verdict. */
      readonly unheard?: NoVerdict;
      /**
       * Number of times that the ledger asked for the attempt's outcome by its key. Absent: no
       * gateway can have the attempt's copy, so the job may be claimed again when the lease is
       * over.
       */
      readonly asks?: number;
      /** The URL of the gateway that may have the copy. Absent: any gateway may have it. */
      readonly host?: string;
    }
  /** `isFateUnknown`: the provider did not answer, so it may have the attempt's copy. */
  | {
      readonly state: "waiting";
      readonly attempt: number;
      readonly dueAt: number;
      readonly isFateUnknown?: true;
    }
  /** The courier's provider has the copy and reports its verdict as an event, until `dueAt`. */
  | {
      readonly state: "awaiting";
      readonly attempt: number;
      readonly dueAt: number;
      readonly lastReply?: LastReply;
    }
  | { readonly state: "done" };

/** A message's jobs that have a state, by recipient index. Stored as JSON. */
export type Jobs = Readonly<Record<number, Job>>;

/**
 * Leases a job. Undefined: it can't be claimed now. `isRemembered`: the courier remembers attempts.
 * The ledger then asks the courier for the outcome before another consumer may claim the job.
 */
export function claimJob(
  job: Job | undefined,
  now: number,
  leaseMs: number,
  isRemembered = false,
): Extract<Job, { state: "leased" }> | undefined {
  const asks = isRemembered ? { asks: 0 } : {};
  const lease = { state: "leased", until: now + leaseMs, claimedAt: now, ...asks } as const;
  if (!job) return { ...lease, attempt: 1 };
  if (job.state === "leased" && job.until <= now && !job.isReported && job.asks === undefined)
    return { claimedAt: now, ...job, until: lease.until, ...asks };
  if (job.state === "waiting" && job.dueAt <= now) return { ...lease, attempt: job.attempt + 1 };
  if (job.state === "awaiting" && job.dueAt <= now) {
    const unheard = { lastReply: job.lastReply ?? null };
    return { ...lease, attempt: job.attempt, unheard };
  }
  return undefined;
}

/** The part of a settlement that changes a job. */
type JobOutcome = Pick<
  Settlement,
  "attempt" | "nextAttemptAt" | "awaits" | "copyTaken" | "verdict"
>;

/**
 * Applies an attempt's outcome. Undefined: the attempt is not under way. An expired lease may still
 * be settled, because the first outcome counts.
 */
export function settleJob(job: Job | undefined, outcome: JobOutcome): Job | undefined {
  const { attempt, nextAttemptAt, awaits, copyTaken, verdict } = outcome;
  if (!job || job.state === "done" || job.attempt !== attempt) return undefined;
  if (job.state === "waiting") {
    // The provider took the copy whose fate was unknown, so the copy is not sent again.
    const isTaken = awaits ? job.isFateUnknown : nextAttemptAt === null;
    if (!verdict || !isTaken) return undefined;
  }
  // The same attempt was made twice. The first copy counts, and an event about either copy settles
  // the attempt.
  if (job.state === "awaiting" && !verdict) return awaits && job;
  if (job.state === "leased" && job.isReported) return { state: "done" };
  if (awaits)
    return {
      state: "awaiting",
      attempt,
      dueAt: awaits.until,
      ...(awaits.lastReply && { lastReply: awaits.lastReply }),
    };
  return nextAttemptAt === null
    ? { state: "done" }
    : {
        state: "waiting",
        attempt,
        dueAt: nextAttemptAt,
        ...(copyTaken && !verdict && { isFateUnknown: true }),
      };
}

/**
 * Ends a job after a report of the recipient's bounce: only an attempt that is under way may still
 * be settled. Undefined: the job is done already.
 */
export function endAttempts(job: Job | undefined, now: number, leaseMs: number): Job | undefined {
  if (!job) return { state: "leased", attempt: 1, until: now + leaseMs, isReported: true, asks: 0 };
  if (job.state === "done") return undefined;
  return job.state === "leased" ? { ...job, isReported: true } : { state: "done" };
}

/**
 * Returns whether the last attempt of a reported recipient was never settled, its lease has expired
 * and no gateway can be asked for it.
 */
export function isAbandoned(job: Job | undefined, now: number): boolean {
  const isLast = job?.state === "leased" && job.isReported === true;
  return isLast && job.until <= now && job.asks === undefined;
}

/**
 * Restores a lease that a restart forgot, for a caller that names the attempt. That is safe,
 * because only a consumer that was granted the attempt knows its number.
 */
export function recallLease(job: Job | undefined, attempt: number): Job | undefined {
  const next = nextLease(job);
  return next?.attempt === attempt ? next : job;
}

/** An expired lease for the attempt that comes next. Undefined: the current attempt is not over. */
export function nextLease(job: Job | undefined): Extract<Job, { state: "leased" }> | undefined {
  const attempt = !job ? 1 : job.state === "waiting" ? job.attempt + 1 : null;
  return attempt === null ? undefined : { state: "leased", attempt, until: 0 };
}

/**
 * Restarts a lease, because its holder still works on the job. Undefined: that attempt is not under
 * way.
 */
export function renewLease(
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
 * Postpones the same attempt until `notBefore` at least, because no courier did anything as far as
 * is known. Undefined: the attempt is not under way.
 */
export function postponeJob(
  job: Job | undefined,
  attempt: number,
  now: number,
  waits: Waits,
  notBefore = 0,
): Job | undefined {
  if (job?.state !== "leased" || job.attempt !== attempt) return undefined;
  const { postponed = 0, claimedAt: _, asks: __, host: ___, ...rest } = job;
  return {
    ...rest,
    until: Math.max(notBefore, now + doubleWait(waits.postponedMs, postponed)),
    postponed: postponed + 1,
  };
}

/**
 * Shortens a lease from before a restart. Making the attempt again early does no harm, because the
 * courier joins an attempt that is still under way.
 */
export function inheritJob(job: Job, restartedAt: number, waits: Waits): Job {
  const latest = restartedAt + waits.inheritedMs;
  const fromBefore =
    job.state === "leased" && job.until > latest && job.until <= restartedAt + waits.leaseMs;
  return fromBefore ? { ...job, until: latest } : job;
}

/** When a deferred job is tried again, Unix milliseconds; null: the job is not deferred. */
export function nextAttemptOf(job: Job | undefined): number | null {
  return job?.state === "waiting" ? job.dueAt : null;
}

/** When to offer a released job again, given its message's last release; null: never. */
export function releaseAgainAt(
  job: Job | undefined,
  releasedAt: number,
  unclaimedReleases: number,
  waits: Waits,
): number | null {
  const ready = readyAt(job);
  if (ready === null || ready > releasedAt) return ready;
  return releasedAt + doubleWait(waits.releaseMs, unclaimedReleases);
}

function readyAt(job: Job | undefined): number | null {
  if (!job) return 0;
  if (job.state === "leased") return job.until;
  return job.state === "done" ? null : job.dueAt;
}
