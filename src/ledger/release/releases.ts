// Decides when the jobs of an accepted message go to the queue (docs/architecture.md §Release):
// immediately, in a later round that serves the message's stream, or at the scheduled time. All
// changes run inside a group commit.
import type { Candidate } from "../../rpc/ledger-calls.ts";
import type { Priority } from "../../rpc/priority.ts";
import type { Bucket } from "../token-bucket.ts";
import type { LedgerChange, ReleasedJob } from "../after-commit.ts";
import type { QuotaUse } from "../admission/counters.ts";
import type { FirstRelease, NewOpenMessage, OpenMessages } from "../open/open-messages.ts";
import { domainOf, priorityOf } from "../release-stream.ts";
import type { Backlog } from "./backlog.ts";
import { heldReleaseAt } from "./held-releases.ts";
import { MessageSchedule, type QuotaReturns } from "./message-schedule.ts";
import { borrowable, nextRound, owedFor, releaseRoom, retryRoom, takeReleases } from "./pacing.ts";

/**
 * Stores the token bucket for releases, and the delivery rate at the last acceptance of a message.
 */
interface PaceStore {
  readonly pacing: { readonly bucket: Bucket | undefined; readonly perMinute: number };
  setPacing(bucket: Bucket, perMinute: number): void;
}

export class Releases {
  /** The messages that wait for their scheduled time. */
  readonly schedule: MessageSchedule;
  readonly backlog: Backlog;
  readonly #open: OpenMessages;
  readonly #counters: PaceStore;
  /** Number of jobs of normal priority that may be released while the token bucket is empty. */
  #owed = 0;

  constructor(
    sql: SqlStorage,
    backlog: Backlog,
    open: OpenMessages,
    counters: PaceStore & QuotaReturns,
  ) {
    this.backlog = backlog;
    this.#open = open;
    this.#counters = counters;
    this.schedule = new MessageSchedule(sql, counters);
  }

  /** Number of released jobs that no consumer has claimed yet. */
  get queued(): number {
    const { leased, waiting, awaiting } = this.#open.memory.counts;
    return this.#open.size.jobs - this.backlog.waiting - leased - waiting - awaiting;
  }

  /**
   * Stores messages that were accepted at `now`, and returns the jobs that are released
   * immediately. `uses` has, by message id, the amounts that each scheduled message took from the
   * quotas.
   */
  accept(
    candidates: readonly Candidate[],
    uses: ReadonlyMap<string, QuotaUse>,
    perMinute: number,
    now: number,
  ): readonly ReleasedJob[] {
    const immediate = candidates.filter(({ scheduledAt }) => scheduledAt === undefined);
    for (const candidate of candidates) {
      const { id, scheduledAt } = candidate;
      if (scheduledAt !== undefined)
        this.schedule.rows.add({ candidate, scheduledAt, ...uses.get(id)! });
    }
    // Stores the delivery rate, because scheduled messages are released at this rate when they are
    // due.
    if (immediate.length < candidates.length) this.#takeTokens(0, perMinute, now, 0);
    return this.#open.insert(immediate, now, (message) => this.#begin(message, perMinute, now));
  }

  /** Number of messages that may come from disk into memory for a retry. */
  get retryRoom(): number {
    return retryRoom(this.#counters.pacing.perMinute, this.#open.memory.inFlight);
  }

  /**
   * Releases more of the backlog after jobs were claimed. Releases nothing while the courier takes
   * no copies.
   */
  releaseMore(now: number): readonly ReleasedJob[] {
    return this.#open.outage.isOn ? [] : this.releaseWaiting(now);
  }

  /**
   * Releases as much of the backlog as the rate and the queue allow now, but at most `allowed` jobs
   * of each priority. First come jobs of high priority, then the guaranteed share of normal
   * priority. If tokens are left, more jobs of normal priority follow.
   */
  releaseWaiting(now: number, allowed = Number.POSITIVE_INFINITY): readonly ReleasedJob[] {
    if (this.backlog.empty || allowed === 0) return [];
    const { perMinute } = this.#counters.pacing;
    return (["high", "normal"] as const).flatMap((priority) => {
      const waiting = Math.min(allowed, this.backlog.waitingOf(priority));
      const jobs = waiting === 0 ? 0 : this.#take(priority, waiting, perMinute, now);
      return jobs === 0
        ? []
        : this.backlog.release(priority, jobs).flatMap((range) => this.#open.release(range, now));
    });
  }

  /** Releases scheduled messages that are due. Returns whether more messages are due. */
  releaseDue(now: number): LedgerChange<boolean> {
    const { perMinute } = this.#counters.pacing;
    const released = this.schedule.takeDue(now, (due) =>
      this.#open.insertWaited(due, now, (message) => this.#begin(message, perMinute, now)),
    );
    return { result: this.schedule.rows.dueAt <= now, released };
  }

  /** Changes the time of a scheduled message, and releases the message if its new time has come. */
  move(emailId: string, scheduledAt: number, now: number): LedgerChange<boolean> {
    const isMoved = this.schedule.rows.move(emailId, scheduledAt);
    if (!isMoved || scheduledAt > now) return { result: isMoved };
    return { ...this.releaseDue(now), result: true };
  }

  /** The time at which the next release is due, in Unix milliseconds. Infinity means never. */
  nextAt(now: number): number {
    const { bucket, perMinute } = this.#counters.pacing;
    const borrowed = this.backlog.waitingOf("high") > 0 ? borrowable(perMinute) : this.#owed;
    const round =
      this.backlog.empty || !bucket
        ? Number.POSITIVE_INFINITY
        : Math.max(nextRound(bucket, perMinute, now, borrowed), this.#open.outage.probeAt);
    return Math.min(round, heldReleaseAt(this.#open, now), this.schedule.rows.dueAt);
  }

  /**
   * Releases as many jobs of a new message as the rate and the queue allow now. Puts the other jobs
   * into the backlog.
   */
  #begin(message: NewOpenMessage, perMinute: number, now: number): FirstRelease {
    const { seq, recipients } = message;
    const stream = this.backlog.streamFor(message.stream);
    const priority = priorityOf(stream);
    const isFirst = priority === "high" ? this.backlog.waitingOf("high") === 0 : this.backlog.empty;
    // If other jobs of the same or a higher priority wait, the jobs of this message wait for a
    // later round.
    const isHeld = this.backlog.isHeld(stream);
    if (isHeld) this.#open.holds.noteMail(domainOf(stream), now);
    const wanted = isFirst && !isHeld && !this.#open.outage.isOn ? recipients : 0;
    const released = this.#take(priority, wanted, perMinute, now);
    if (released < recipients) this.backlog.add(stream, seq, released, recipients);
    return { released, stream };
  }

  /**
   * Takes tokens for up to `wanted` jobs of a priority from the bucket, and stores the delivery
   * rate.
   */
  #take(priority: Priority, wanted: number, perMinute: number, now: number): number {
    if (priority === "normal") return this.#takeNormal(wanted, perMinute, now);
    const most = Math.min(wanted, this.#room(perMinute, 2));
    const jobs = this.#takeTokens(most, perMinute, now, borrowable(perMinute));
    const isOwing = this.backlog.waitingOf("normal") > 0;
    this.#owed = isOwing ? Math.min(this.#owed + owedFor(jobs), borrowable(perMinute)) : 0;
    return jobs;
  }

  #takeNormal(wanted: number, perMinute: number, now: number): number {
    const most = Math.min(wanted, this.#room(perMinute, 1));
    const jobs = this.#takeTokens(most, perMinute, now, 0);
    const owed = Math.min(wanted, Math.floor(this.#owed), this.#room(perMinute, 2));
    const more = Math.max(0, owed - jobs);
    this.#owed = Math.max(0, this.#owed - jobs - more);
    return jobs + this.#takeTokens(more, perMinute, now, Number.POSITIVE_INFINITY);
  }

  #room(perMinute: number, factor: 1 | 2): number {
    const { unsent } = this.#open.memory.inFlight;
    return releaseRoom(perMinute, { queued: this.queued, unsent }, factor);
  }

  #takeTokens(wanted: number, perMinute: number, now: number, borrowed: number): number {
    const { bucket } = this.#counters.pacing;
    const [after, jobs] = takeReleases(bucket, perMinute, wanted, now, borrowed);
    this.#counters.setPacing(after, perMinute);
    return jobs;
  }
}
