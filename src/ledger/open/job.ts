// Decides the states of one recipient's job, from its release to its final outcome
// (docs/architecture.md §Claim). A job that was never claimed has no state. After that its states
// are leased → waiting → leased → … → done. With a courier that hands copies to a provider, they
// are leased → awaiting → done. Pure.
import type { LastReply, Settlement, NoVerdict } from "../../rpc/ledger-calls.ts";
import { doubleWait, type Waits } from "./job-waits.ts";

export type Job =
  /**
   * A consumer works on the job until `until`; then the same attempt may be claimed again.
   * `postponed`: the number of times that no courier took the job. `isReported`: a report said that
   * the recipient bounced, so this attempt is the last.
   */
  | {
      readonly state: "leased";
      readonly attempt: number;
      readonly until: number;
      /**
       * When a consumer first got this lease, Unix milliseconds. Absent: the job is not leased to a
       * consumer.
       */
      readonly claimedAt?: number;
      readonly postponed?: number;
      /** When the attempt was first offered to a courier that did not take it, Unix milliseconds. */
      readonly waitsSince?: number;
      readonly isReported?: true;
      /** The job's mail is held (held-job.ts), until `until` at the latest. */
      readonly isHeld?: true;
      /** The provider may have the copy of the attempt before this one. */
      readonly isFateUnknown?: true;
      /** The provider took the attempt's copy before, and never gave a verdict. */
      readonly unheard?: NoVerdict;
      /**
       * Number of times that the ledger asked for the attempt's outcome by the attempt's key.
       * Absent: no gateway can have the attempt's copy, so the job may be claimed again when the
       * lease is over.
       */
      readonly asks?: number;
      /** The URL of the gateway that may have the copy. Absent: any gateway may have it. */
      readonly host?: string;
    }
  /**
   * `isFateUnknown`: the provider did not answer, so it may have the attempt's copy. `isHeld`: as
   * above, until `dueAt` at the latest.
   */
  | {
      readonly state: "waiting";
      readonly attempt: number;
      readonly dueAt: number;
      readonly isHeld?: true;
      readonly isFateUnknown?: true;
    }
  /** The courier's provider has the copy and reports its verdict as an event, until `dueAt`. */
  | {
      readonly state: "awaiting";
      readonly attempt: number;
      readonly dueAt: number;
      readonly lastReply?: LastReply;
      readonly isSilent?: true;
    }
  | { readonly state: "done" };

/** A job with an attempt under way, or with one that may be claimed again. */
export type Leased = Extract<Job, { readonly state: "leased" }>;

/** A message's jobs, by recipient index, without jobs that were never claimed. Stored as JSON. */
export type Jobs = Readonly<Record<number, Job>>;

/**
 * Leases a job. Undefined: the job can't be claimed now. `isRemembered`: the courier remembers
 * attempts, so the ledger asks the courier for the outcome before another consumer may claim the
 * job.
 */
export function claimJob(
  job: Job | undefined,
  now: number,
  leaseMs: number,
  isRemembered = false,
): Leased | undefined {
  const asks = isRemembered ? { asks: 0 } : {};
  const lease = { state: "leased", until: now + leaseMs, claimedAt: now, ...asks } as const;
  if (!job) return { ...lease, attempt: 1 };
  if (job.state === "leased" && job.until <= now && !job.isReported && job.asks === undefined) {
    const { isHeld: _, ...rest } = job;
    return { claimedAt: now, ...rest, until: lease.until, ...asks };
  }
  if (job.state === "waiting" && job.dueAt <= now) {
    const fate = job.isFateUnknown ? { isFateUnknown: true as const } : {};
    return { ...lease, attempt: job.attempt + 1, ...fate };
  }
  if (job.state === "awaiting" && job.dueAt <= now) {
    const { lastReply = null, isSilent } = job;
    const unheard = { lastReply, ...(isSilent && { isSilent }) };
    return { ...lease, attempt: job.attempt, unheard };
  }
  return undefined;
}

/** The members of a settlement that change a job. */
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
    // The provider is now known to have taken the copy, so the copy is not sent again.
    const isTaken = awaits ? job.isFateUnknown : nextAttemptAt === null;
    if (!verdict || !isTaken) return undefined;
  }
  // Two consumers made the same attempt. The first copy counts, and an event about either copy
  // settles the attempt.
  if (job.state === "awaiting" && !verdict) return awaits && job;
  if (job.state === "leased" && job.isReported) return { state: "done" };
  if (awaits)
    return {
      state: "awaiting",
      attempt,
      dueAt: awaits.until,
      ...(awaits.lastReply && { lastReply: awaits.lastReply }),
      ...(awaits.isSilent && { isSilent: awaits.isSilent }),
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
 * Ends a job after a report that the recipient bounced. An attempt that is under way may still be
 * settled, and is the last. Undefined: the job is done already.
 */
export function endAttempts(job: Job | undefined, now: number, leaseMs: number): Job | undefined {
  if (!job) return { state: "leased", attempt: 1, until: now + leaseMs, isReported: true, asks: 0 };
  if (job.state === "done") return undefined;
  return job.state === "leased" && !isHeld(job) ? { ...job, isReported: true } : { state: "done" };
}

/** Tells whether the job's mail is held (held-job.ts), so that no consumer works on it. */
export function isHeld(job: Job | undefined): boolean {
  if (job?.state === "leased")
    return job.isHeld === true && job.claimedAt === undefined && job.asks === undefined;
  return job?.state === "waiting" && job.isHeld === true;
}

/**
 * Tells whether the last attempt of a recipient with a reported bounce must be ended without an
 * outcome: its lease has expired, and no gateway can be asked for its outcome.
 */
export function isAbandoned(job: Job | undefined, now: number): boolean {
  const isLast = job?.state === "leased" && job.isReported === true;
  return isLast && job.until <= now && job.asks === undefined;
}

/**
 * Restores a lease that was lost at a restart, for a caller that names the attempt. This is safe,
 * because only the consumer that got the lease knows the attempt's number.
 */
export function recallLease(job: Job | undefined, attempt: number): Job | undefined {
  const next = nextLease(job);
  return next?.attempt === attempt ? next : job;
}

/**
 * Makes an expired lease for the job's next attempt. Undefined: an attempt is under way, or the job
 * is done.
 */
export function nextLease(job: Job | undefined): Leased | undefined {
  const attempt = !job ? 1 : job.state === "waiting" ? job.attempt + 1 : null;
  return attempt === null ? undefined : { state: "leased", attempt, until: 0 };
}

/** Returns the lease of this attempt. Undefined: that attempt is not under way. */
export function leaseOf(job: Job | undefined, attempt: number): Leased | undefined {
  return job?.state === "leased" && job.attempt === attempt ? job : undefined;
}

/**
 * Restarts a lease, because its consumer still works on the job. `isRemembered`: as for claimJob().
 */
export function renewLease(
  job: Leased,
  now: number,
  leaseMs: number,
  isRemembered = false,
): Leased {
  return { ...job, until: now + leaseMs, ...(isRemembered && { asks: job.asks ?? 0 }) };
}

/**
 * Postpones the same attempt until `notBefore` at least, because no courier is known to have done
 * anything with the copy. `waitMs`: the wait after the first time; it doubles each time.
 */
export function postponeJob(job: Leased, now: number, waitMs: number, notBefore = 0): Leased {
  const { postponed = 0 } = job;
  const until = Math.max(notBefore, now + doubleWait(waitMs, postponed));
  return { ...withoutCourier(job), until, postponed: postponed + 1 };
}

/** Returns the lease without the facts about its consumer and about a gateway. */
export function withoutCourier(job: Leased): Leased {
  const { claimedAt: _, asks: __, host: ___, ...rest } = job;
  return rest;
}

/**
 * Shortens a lease that began before a restart. An early repetition of the attempt does no harm,
 * because the courier then joins the attempt that is still under way.
 */
export function inheritJob(job: Job, restartedAt: number, waits: Waits): Job {
  const latest = restartedAt + waits.inheritedMs;
  const fromBefore =
    job.state === "leased" && job.until > latest && job.until <= restartedAt + waits.leaseMs;
  return fromBefore ? { ...job, until: latest } : job;
}

/**
 * When a deferred job is tried again, Unix milliseconds; null: the job is not deferred, or it is
 * held.
 */
export function nextAttemptOf(job: Job | undefined): number | null {
  return job?.state === "waiting" && !isHeld(job) ? job.dueAt : null;
}

/**
 * Returns when to release the job again, in Unix milliseconds; null: never. `releasedAt`: when jobs
 * of its message were last released.
 */
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
