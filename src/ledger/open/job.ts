// Decides the states of one recipient's job, from its release to its final outcome
// (docs/architecture.md §Claim). A job that was never claimed has no state. Its further states are
// leased → waiting → leased → … → done. If the courier transfers copies to a provider, they are
// leased → awaiting → done. Pure.
import type { LastReply, Settlement, NoVerdict } from "../../rpc/ledger-calls.ts";
import { doubleWait, type Waits } from "./job-waits.ts";

export type Job =
  /**
   * A consumer works on the job until `until`. From then on, a consumer may claim the same attempt
   * again. `postponed` is the number of times that no courier took the job. `isReported` means that
   * a bounce of the recipient was reported, so this attempt is the last.
   */
  | {
      readonly state: "leased";
      readonly attempt: number;
      readonly until: number;
      /**
       * The time at which a consumer first got this lease, in Unix milliseconds. Absent if the job
       * is not leased to a consumer.
       */
      readonly claimedAt?: number;
      readonly postponed?: number;
      /** The time at which a courier first declined the attempt, in Unix milliseconds. */
      readonly waitsSince?: number;
      readonly isReported?: true;
      /** True if the job's mail is on hold (held-job.ts), until `until` at the latest. */
      readonly isHeld?: true;
      /** True if the provider may have the copy of the previous attempt. */
      readonly isFateUnknown?: true;
      /** Present if the provider took the attempt's copy earlier and never reported a verdict. */
      readonly unheard?: NoVerdict;
      /**
       * Number of times that the ledger asked for the attempt's outcome by the attempt's key. If
       * absent, no gateway can have the attempt's copy, so a consumer may claim the job again after
       * the lease.
       */
      readonly asks?: number;
      /** The URL of the gateway that may have the copy. If absent, any gateway may have it. */
      readonly host?: string;
    }
  /**
   * The next attempt waits until `dueAt`. `isFateUnknown` means that the provider did not respond,
   * so it may have the attempt's copy. `isHeld` means that the job's mail is on hold, until `dueAt`
   * at the latest.
   */
  | {
      readonly state: "waiting";
      readonly attempt: number;
      readonly dueAt: number;
      readonly isHeld?: true;
      readonly isFateUnknown?: true;
    }
  /**
   * The courier's provider has the copy. The ledger waits until `dueAt` for an event with the
   * provider's verdict.
   */
  | {
      readonly state: "awaiting";
      readonly attempt: number;
      readonly dueAt: number;
      readonly lastReply?: LastReply;
      readonly isSilent?: true;
    }
  | { readonly state: "done" };

/** A job whose attempt is running or may be claimed again. */
export type Leased = Extract<Job, { readonly state: "leased" }>;

/** A message's jobs, by recipient index, without jobs that were never claimed. Stored as JSON. */
export type Jobs = Readonly<Record<number, Job>>;

/**
 * Leases a job. Returns undefined if the job can't be claimed now. `isRemembered` means that the
 * courier remembers attempts, so the ledger asks the courier for the outcome before another
 * consumer may claim the job.
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
 * Applies an attempt's outcome. Returns undefined if the attempt is not running. An outcome counts
 * even after the lease has expired, because the first outcome counts.
 */
export function settleJob(job: Job | undefined, outcome: JobOutcome): Job | undefined {
  const { attempt, nextAttemptAt, awaits, copyTaken, verdict } = outcome;
  if (!job || job.state === "done" || job.attempt !== attempt) return undefined;
  if (job.state === "waiting") {
    // The verdict proves that the provider took the copy, so the copy is not sent again.
    const isTaken = awaits ? job.isFateUnknown : nextAttemptAt === null;
    if (!verdict || !isTaken) return undefined;
  }
  // Two consumers may make the same attempt. The first copy counts, and an event about either copy
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
 * Ends a job after a report that the recipient bounced. A running attempt may still be settled, but
 * no attempt follows it. Returns undefined if the job is already done.
 */
export function endAttempts(job: Job | undefined, now: number, leaseMs: number): Job | undefined {
  if (!job) return { state: "leased", attempt: 1, until: now + leaseMs, isReported: true, asks: 0 };
  if (job.state === "done") return undefined;
  return job.state === "leased" && !isHeld(job) ? { ...job, isReported: true } : { state: "done" };
}

/**
 * Returns whether the job's mail is on hold (held-job.ts), so that no consumer works on the job.
 */
export function isHeld(job: Job | undefined): boolean {
  if (job?.state === "leased")
    return job.isHeld === true && job.claimedAt === undefined && job.asks === undefined;
  return job?.state === "waiting" && job.isHeld === true;
}

/**
 * Returns whether the ledger must end the last attempt of a job without an outcome. It must if a
 * bounce was reported, the lease has expired, and no gateway can be asked for the outcome.
 */
export function isAbandoned(job: Job | undefined, now: number): boolean {
  const isLast = job?.state === "leased" && job.isReported === true;
  return isLast && job.until <= now && job.asks === undefined;
}

/**
 * Restores a lease that a restart lost, for a caller that names the attempt. This is safe, because
 * only the consumer that got the lease knows the attempt's number.
 */
export function recallLease(job: Job | undefined, attempt: number): Job | undefined {
  const next = nextLease(job);
  return next?.attempt === attempt ? next : job;
}

/**
 * Returns an expired lease for the job's next attempt. Returns undefined if an attempt is running
 * or the job is done.
 */
export function nextLease(job: Job | undefined): Leased | undefined {
  const attempt = !job ? 1 : job.state === "waiting" ? job.attempt + 1 : null;
  return attempt === null ? undefined : { state: "leased", attempt, until: 0 };
}

/** Returns the lease of this attempt, or undefined if that attempt is not running. */
export function leaseOf(job: Job | undefined, attempt: number): Leased | undefined {
  return job?.state === "leased" && job.attempt === attempt ? job : undefined;
}

/**
 * Restarts a lease, because its consumer still works on the job. `isRemembered` means that the
 * courier remembers attempts.
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
 * Postpones the same attempt, at least until `notBefore`, because no courier is known to have taken
 * the copy. The first wait is `waitMs`. Each further wait is twice as long.
 */
export function postponeJob(job: Leased, now: number, waitMs: number, notBefore = 0): Leased {
  const { postponed = 0 } = job;
  const until = Math.max(notBefore, now + doubleWait(waitMs, postponed));
  return { ...withoutCourier(job), until, postponed: postponed + 1 };
}

/** Returns the lease without the members about its consumer and its gateway. */
export function withoutCourier(job: Leased): Leased {
  const { claimedAt: _, asks: __, host: ___, ...rest } = job;
  return rest;
}

/**
 * Shortens a lease that began before a restart. An early repetition of the attempt does no harm,
 * because the courier lets the repetition join the attempt that is still running.
 */
export function inheritJob(job: Job, restartedAt: number, waits: Waits): Job {
  const latest = restartedAt + waits.inheritedMs;
  const fromBefore =
    job.state === "leased" && job.until > latest && job.until <= restartedAt + waits.leaseMs;
  return fromBefore ? { ...job, until: latest } : job;
}

/**
 * The time at which a deferred job is tried again, in Unix milliseconds. Null means that the job is
 * not deferred or is on hold.
 */
export function nextAttemptOf(job: Job | undefined): number | null {
  return job?.state === "waiting" && !isHeld(job) ? job.dueAt : null;
}

/**
 * Returns the time at which to release the job again, in Unix milliseconds. Null means never.
 * `releasedAt` is the time at which jobs of its message were last released.
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
