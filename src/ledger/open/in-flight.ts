// Keeps the messages in flight in memory: messages with released jobs that wait for a consumer, for
// a gateway or for a retry that is due soon. Each message has the time at which the alarm must
// examine it (docs/architecture.md §Release). All other released messages are only on disk
// (resting-rows.ts). Pure.
import type { ReleasedJob } from "../after-commit.ts";
import { isAsked, isHandedOver } from "./asked-job.ts";
import {
  inheritJob,
  isHeld,
  type Job,
  type Jobs,
  type Leased,
  leaseOf,
  nextLease,
  recallLease,
  releaseAgainAt,
} from "./job.ts";
import type { Grant } from "../../rpc/ledger-calls.ts";
import type { Waits } from "./job-waits.ts";

/** A message with released jobs, at least one of which is not done. */
export interface InFlight {
  readonly seq: number;
  readonly recipients: number;
  /** Number of released jobs. A job is released if its index is lower than this number. */
  released: number;
  /** The time at which jobs of the message were last sent to the queue, in Unix milliseconds. */
  releasedAt: number;
  /**
   * The time at which the last of the message's jobs went to the queue for the first time. It may
   * be the time of a restart that came later.
   */
  since: number;
  unclaimedReleases: number;
  /** The time at which the alarm must examine the message. */
  wakeAt: number;
  /** The wake time in the message's row. Null means that the row has no wake time. */
  restsUntil: number | null;
  /** True if the message's row names a stream. */
  isInStream: boolean;
  /** True if a first outcome is late, so that the message may become stuck (stuck-messages.ts). */
  isLate: boolean;
  /** Number of jobs that were reported as stuck. */
  stuckJobs: number;
  /** Number of unsent copies (countUnsent()) at the last call of keep(). */
  unsent: number;
  readonly contentKey: string | null;
  /**
   * Null if the message was first released after the last restart, which lost the leases in memory.
   */
  readonly inherited: Inherited | null;
  /** The message's jobs. They may have changed since they were last written to disk. */
  jobs: Jobs;
}

interface Inherited {
  /** Number of jobs that were released before the restart. */
  readonly jobs: number;
  /** Unix milliseconds. */
  readonly restartedAt: number;
}

export type NewInFlight = Pick<
  InFlight,
  "seq" | "recipients" | "released" | "since" | "contentKey" | "isInStream"
>;

const NO_JOBS: Jobs = {};

/** Returns the entry of a message whose first jobs are released. */
export function newInFlight(message: NewInFlight): InFlight {
  return {
    ...message,
    releasedAt: message.since,
    unclaimedReleases: 0,
    wakeAt: 0,
    restsUntil: null,
    isLate: false,
    stuckJobs: 0,
    unsent: 0,
    inherited: null,
    jobs: NO_JOBS,
  };
}

/**
 * Converts jobs that were written before a restart to their state after it. Drops the gateway that
 * a row names, because another gateway may have got a later copy.
 */
export function inheritJobs(jobs: Jobs, restartedAt: number, waits: Waits): Jobs {
  return Object.fromEntries(
    Object.entries<Job>(jobs).map(([index, job]) => {
      const { host: _, ...rest } = isAsked(job) ? job : { ...job, host: undefined };
      return [index, inheritJob(rest, restartedAt, waits)];
    }),
  );
}

/**
 * Returns the job if this attempt is running. If a restart lost the job's lease, restores the lease
 * for the attempt that the caller names.
 */
export function jobUnderWay(
  job: Job | undefined,
  attempt: number,
  { inherited }: InFlight,
): Job | undefined {
  return inherited ? recallLease(job, attempt) : job;
}

/** Returns the lease of this attempt. Undefined means that the attempt is not running. */
export function leaseUnderWay(
  entry: InFlight,
  { recipientIndex, attempt }: Grant,
): Leased | undefined {
  return leaseOf(jobUnderWay(entry.jobs[recipientIndex], attempt, entry), attempt);
}

/**
 * Returns the lease that a consumer may have had before the restart. Undefined means that no
 * consumer can have had a lease.
 */
export function leaseBefore(
  index: number,
  job: Job | undefined,
  { inherited }: InFlight,
): Leased | undefined {
  if (!inherited || index >= inherited.jobs) return undefined;
  const { restartedAt } = inherited;
  if (job?.state === "leased")
    return isPutOff(job) && !isUntaken(job) && job.until <= restartedAt ? job : undefined;
  const wasDue = job?.state !== "waiting" || job.dueAt <= restartedAt;
  return wasDue ? nextLease(job) : undefined;
}

/**
 * Returns whether the job is postponed, according to its state on disk. A consumer may have got a
 * lease since then, because not every lease is written to disk.
 */
export function isPutOff({ asks, claimedAt }: Leased): boolean {
  return asks === undefined && claimedAt === undefined;
}

/**
 * Returns whether no courier took the job, and no consumer claimed the job since. The end of this
 * state is written to disk, so the state is true even after a restart.
 */
export function isUntaken(job: Job | undefined): boolean {
  return job?.state === "leased" && isPutOff(job) && job.postponed !== undefined;
}

export function isReleased(index: number, entry: InFlight): boolean {
  return Number.isInteger(index) && index >= 0 && index < entry.released;
}

/** Returns whether each released job is done or waits for a known time. */
export function isResting({ released }: InFlight, jobs: Jobs): boolean {
  return areAll(released, jobs, (job) => job.state !== "leased" || isPutOff(job));
}

/** Returns whether the message may leave memory, because no consumer works on any of its jobs. */
export function mayLeave({ released, jobs }: InFlight): boolean {
  const mayWait = (job: Job): boolean =>
    job.state !== "leased" || isPutOff(job) || isHandedOver(job);
  return areAll(released, jobs, mayWait);
}

function areAll(released: number, jobs: Jobs, test: (job: Job) => boolean): boolean {
  for (let index = 0; index < released; index += 1) {
    const job = jobs[index];
    if (!job || !test(job)) return false;
  }
  return true;
}

/** Counts the released recipients that still wait for their first outcome. */
export function countWithoutOutcome(jobs: Jobs, released: number): number {
  let count = 0;
  for (let index = 0; index < released; index += 1) if (isUnanswered(jobs[index])) count += 1;
  return count;
}

/**
 * Returns whether a released job has not had a first outcome yet. Returns false for a job on hold,
 * which expects no outcome.
 */
function isUnanswered(job: Job | undefined): boolean {
  if (!job) return true;
  return job.state === "leased" && job.attempt === 1 && !job.unheard && !isHeld(job);
}

/** Returns the jobs of a message from index `from` up to but not including `to`. */
export function refsOf(
  emailId: string,
  from: number,
  to: number,
  contentGroup: number,
): ReleasedJob[] {
  return Array.from({ length: to - from }, (_, offset) => ({
    emailId,
    recipientIndex: from + offset,
    contentGroup,
  }));
}

/**
 * Counts the released copies that no courier has: no consumer claimed the job, the consumer has not
 * transferred the copy yet, or no courier took it. A deferred copy counts again from its retry on.
 * A copy on hold does not count.
 */
function countUnsent({ released, releasedAt, jobs }: InFlight): number {
  let count = 0;
  for (let index = 0; index < released; index += 1) {
    const job = jobs[index];
    if (!job || isUnsent(job, releasedAt)) count += 1;
  }
  return count;
}

function isUnsent(job: Job, releasedAt: number): boolean {
  if (isHeld(job)) return false;
  if (job.state === "leased") return !isHandedOver(job);
  return job.state !== "done" && job.dueAt <= releasedAt;
}

/** The earliest time at which a job of the message needs the alarm. Infinity means never. */
export function wakeOf(entry: InFlight, jobs: Jobs, waits: Waits): number {
  let wake = Number.POSITIVE_INFINITY;
  for (let index = 0; index < entry.released; index += 1) {
    const at = releaseAgainAt(jobs[index], entry.releasedAt, entry.unclaimedReleases, waits);
    if (at !== null && at < wake) wake = at;
  }
  return wake;
}

/** The messages in memory, oldest first, each with the time at which the alarm must examine it. */
export class InFlightSchedule {
  readonly #messages = new Map<string, InFlight>();
  #touchedWake = Number.POSITIVE_INFINITY;
  #unsent = 0;

  /** Number of released copies that no courier has. */
  get unsent(): number {
    return this.#unsent;
  }

  get size(): number {
    return this.#messages.size;
  }

  get(emailId: string): InFlight | undefined {
    return this.#messages.get(emailId);
  }

  all(): Iterable<[emailId: string, entry: InFlight]> {
    return this.#messages;
  }

  /** Returns up to `limit` ids of messages below `before`, the highest first. */
  idsBelow(before: string, limit: number): string[] {
    const ids = [...this.#messages.keys()].filter((id) => id < before);
    return ids.toSorted().toReversed().slice(0, limit);
  }

  /** Keeps the message in memory at least until `entry.wakeAt`. */
  keep(emailId: string, entry: InFlight): void {
    if (this.#messages.get(emailId) !== entry) this.remove(emailId);
    const unsent = countUnsent(entry);
    this.#unsent += unsent - (this.#messages.has(emailId) ? entry.unsent : 0);
    entry.unsent = unsent;
    this.#messages.set(emailId, entry);
    this.noteWake(entry.wakeAt);
  }

  remove(emailId: string): void {
    this.#unsent -= this.#messages.get(emailId)?.unsent ?? 0;
    this.#messages.delete(emailId);
  }

  /** Returns up to `limit` messages that the alarm must examine now. */
  due(now: number, limit: number): [emailId: string, entry: InFlight][] {
    const due: [string, InFlight][] = [];
    for (const one of this.#messages) {
      if (due.length === limit) break;
      if (one[1].wakeAt <= now) due.push(one);
    }
    return due;
  }

  /**
   * The earliest wake time of all messages in memory. Infinity means that no message is in memory.
   */
  nextWake(): number {
    let earliest = Number.POSITIVE_INFINITY;
    for (const { wakeAt } of this.#messages.values()) if (wakeAt < earliest) earliest = wakeAt;
    return earliest;
  }

  /** Records that the alarm must examine a message at `wakeAt`. */
  noteWake(wakeAt: number): void {
    this.#touchedWake = Math.min(this.#touchedWake, wakeAt);
  }

  /**
   * Returns the earliest time at which the alarm must examine a message that changed since the last
   * call of this method. So a commit need not examine all messages.
   */
  takeTouchedWake(): number {
    const earliest = this.#touchedWake;
    this.#touchedWake = Number.POSITIVE_INFINITY;
    return earliest;
  }
}
