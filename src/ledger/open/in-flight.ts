// Keeps the messages in flight in memory: their released jobs, and the time at which the alarm has
// to look at each message (docs/architecture.md §Release). Pure.
import type { ReleasedJob } from "../after-commit.ts";
import { nextLease, releaseAgainAt, recallLease, type Job, type Jobs } from "./job.ts";
import type { Waits } from "./job-waits.ts";

/** A message with released jobs, some of which are not done. */
export interface InFlight {
  readonly seq: number;
  readonly recipients: number;
  /** Number of released jobs. A job is released if its index is lower than this number. */
  released: number;
  /** When jobs of the message were last sent to the queue, Unix milliseconds. */
  releasedAt: number;
  /**
   * When the message's latest job was first released. After a restart, this may be the time of the
   * restart.
   */
  readonly since: number;
  unclaimedReleases: number;
  /** When the alarm has to look at the message. */
  wakeAt: number;
  readonly contentKey: string | null;
  /**
   * Present if the message was in flight before a restart. The restart lost its leases, which were
   * only in memory.
   */
  readonly inherited: {
    /** Number of jobs that were released before the restart. */
    readonly jobs: number;
    /** Unix milliseconds. */
    readonly restartedAt: number;
  } | null;
  /** The message's jobs. Undefined: they are read from the message's row. */
  jobs: Jobs | undefined;
}

export type NewInFlight = Omit<InFlight, "unclaimedReleases" | "wakeAt">;

export const NO_JOBS: Jobs = {};

/**
 * Returns the job if this attempt is under way. If a restart lost the job's lease, restores the
 * lease for the attempt that the caller names.
 */
export function jobUnderWay(
  job: Job | undefined,
  attempt: number,
  { inherited }: InFlight,
): Job | undefined {
  return inherited ? recallLease(job, attempt) : job;
}

/**
 * Returns the lease that a consumer may have had before the restart. Undefined: no consumer can
 * have had a lease.
 */
export function leaseBefore(
  index: number,
  job: Job | undefined,
  { inherited }: InFlight,
): Extract<Job, { state: "leased" }> | undefined {
  if (!inherited || index >= inherited.jobs) return undefined;
  const { restartedAt } = inherited;
  if (job?.state === "leased") return isPutOff(job) && job.until <= restartedAt ? job : undefined;
  const wasDue = job?.state !== "waiting" || job.dueAt <= restartedAt;
  return wasDue ? nextLease(job) : undefined;
}

/**
 * Tells whether the job is postponed, according to its state on disk. A consumer may have got a
 * lease since then, because not every lease is written to disk.
 */
function isPutOff({ asks, claimedAt }: Extract<Job, { state: "leased" }>): boolean {
  return asks === undefined && claimedAt === undefined;
}

export function isReleased(index: number, entry: InFlight): boolean {
  return Number.isInteger(index) && index >= 0 && index < entry.released;
}

/** Returns whether no consumer works on any of the jobs. */
export function isResting(jobs: Jobs): boolean {
  return Object.values<Job>(jobs).every(({ state }) => state !== "leased");
}

/** Counts the released recipients that still wait for their first outcome. */
export function countWithoutOutcome(jobs: Jobs, released: number): number {
  let count = 0;
  for (let index = 0; index < released; index += 1) if (isUnanswered(jobs[index])) count += 1;
  return count;
}

/** Tells whether a released job has not had a first outcome yet. */
function isUnanswered(job: Job | undefined): boolean {
  return !job || (job.state === "leased" && job.attempt === 1 && !job.unheard);
}

export function countDone(jobs: Jobs): number {
  return Object.values<Job>(jobs).filter(({ state }) => state === "done").length;
}

/** The jobs of a message with an index from `from` to below `to`. */
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

/** The messages in flight, and for each the time at which the alarm has to look at it. */
export class InFlightSchedule {
  readonly #waits: Waits;
  readonly #messages = new Map<string, InFlight>();
  #touchedWake = Number.POSITIVE_INFINITY;

  constructor(waits: Waits) {
    this.#waits = waits;
  }

  get(emailId: string): InFlight | undefined {
    return this.#messages.get(emailId);
  }

  all(): Iterable<InFlight> {
    return this.#messages.values();
  }

  /** Returns up to `limit` ids of messages: the highest ids below `before`, the highest first. */
  idsBelow(before: string, limit: number): string[] {
    let ids: string[] = [];
    let least = "";
    for (const id of this.#messages.keys()) {
      if (id >= before || id < least) continue;
      ids.push(id);
      if (ids.length < 2 * limit) continue;
      ids = highest(ids, limit);
      least = ids.at(-1)!;
    }
    return highest(ids, limit);
  }

  track(emailId: string, message: NewInFlight, jobs: Jobs): void {
    const entry = { ...message, unclaimedReleases: 0, wakeAt: 0 };
    this.reschedule(entry, jobs);
    this.#messages.set(emailId, entry);
  }

  remove(emailId: string): void {
    this.#messages.delete(emailId);
  }

  /** Sets the message's wake time: the earliest time at which one of its jobs is released again. */
  reschedule(entry: InFlight, jobs: Jobs): void {
    entry.wakeAt = Number.POSITIVE_INFINITY;
    for (let index = 0; index < entry.released; index += 1) {
      const at = releaseAgainAt(
        jobs[index],
        entry.releasedAt,
        entry.unclaimedReleases,
        this.#waits,
      );
      if (at !== null && at < entry.wakeAt) entry.wakeAt = at;
    }
    this.#touchedWake = Math.min(this.#touchedWake, entry.wakeAt);
  }

  /** Returns up to `limit` messages at which the alarm has to look now. */
  due(now: number, limit: number): [emailId: string, entry: InFlight][] {
    const due: [string, InFlight][] = [];
    for (const one of this.#messages) {
      if (due.length === limit) break;
      if (one[1].wakeAt <= now) due.push(one);
    }
    return due;
  }

  /** The earliest wake time of all messages; Infinity: nothing is in flight. */
  nextWake(): number {
    let earliest = Number.POSITIVE_INFINITY;
    for (const { wakeAt } of this.#messages.values()) if (wakeAt < earliest) earliest = wakeAt;
    return earliest;
  }

  /**
   * Returns the earliest time at which the alarm has to look at a message that changed since the
   * last call. So a commit need not examine all messages.
   */
  takeTouchedWake(): number {
    const earliest = this.#touchedWake;
    this.#touchedWake = Number.POSITIVE_INFINITY;
    return earliest;
  }
}

function highest(ids: readonly string[], limit: number): string[] {
  return ids.toSorted().toReversed().slice(0, limit);
}
