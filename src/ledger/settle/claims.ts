// Grants jobs to consumers and applies their outcomes (docs/architecture.md §Claim, §Settle). Two
// facts live only in memory, because losing them in a restart is harmless: that a job was handed to
// the queue (it is queued again), and that it is leased for a courier that remembers attempts
// (asked twice, it sends once). Other leases are written too.
import type { Released } from "../release/dispatch.ts";
import { countUnanswered, isReleased, jobUnderWay } from "../open/in-flight.ts";
import {
  claimJob,
  endAttempts,
  holdJob,
  isAbandoned,
  offerAt,
  postponeJob,
  settleJob,
  type Job,
  type Waits,
} from "../open/job.ts";
import type { Claim, Grant, JobRef, Settlement } from "../../contracts/ledger-contract.ts";
import { type FinishedMessage, type OpenMessages, refsOf } from "../open/open-messages.ts";
import type { StuckMessages } from "./stuck-messages.ts";

/** Maximum number of messages that one alarm looks at. */
const OFFERS_PER_ROUND = 1_000;

const DONE: Job = { state: "done" };

export class Outbox {
  readonly #messages: OpenMessages;
  readonly #waits: Waits;
  readonly #stuckMessages: StuckMessages;

  constructor(messages: OpenMessages, waits: Waits, stuckMessages: StuckMessages) {
    this.#messages = messages;
    this.#waits = waits;
    this.#stuckMessages = stuckMessages;
  }

  /**
   * Leases the jobs that may be claimed, and returns their messages with content, of which at most
   * `largeBytes` are large. `isKept`: writes the leases, because a restart must not forget them.
   */
  claim(refs: readonly JobRef[], now: number, isKept: boolean, largeBytes: number): Claim {
    const claimed: number[] = [];
    const grants: Grant[] = [];
    for (const [emailId, asked] of groupByMessage(refs)) {
      const entry = this.#messages.schedule.get(emailId);
      if (!entry) continue;
      const jobs = this.#messages.jobsOf(entry);
      // The alarm released the job by this object's clock, so a consumer whose clock is behind must
      // not find it too early.
      const leasedFrom = Math.max(now, entry.releasedAt);
      const leased: Record<number, Job> = {};
      for (const recipientIndex of new Set(asked.map((ref) => ref.recipientIndex))) {
        const job = isReleased(recipientIndex, entry)
          ? claimJob(jobs[recipientIndex], leasedFrom, this.#waits.leaseMs)
          : undefined;
        if (!job) continue;
        leased[recipientIndex] = job;
        const { attempt, unheard } = job;
        grants.push({ emailId, recipientIndex, attempt, ...(unheard && { unheard }) });
      }
      if (Object.keys(leased).length === 0) continue;
      claimed.push(entry.seq);
      entry.unclaimedReleases = 0;
      this.#messages.change(entry, jobs, leased, isKept);
    }
    return { messages: this.#messages.read(claimed, largeBytes), grants };
  }

  /** Restarts the leases of claimed jobs. */
  hold(grants: readonly Grant[], now: number): void {
    this.#changeLeased(grants, (job, attempt) => holdJob(job, attempt, now, this.#waits.leaseMs));
  }

  /** Returns claimed jobs to the queue after a wait, for the same attempt. */
  postpone(grants: readonly Grant[], now: number, notBefore: number): void {
    this.#changeLeased(grants, (job, attempt) =>
      postponeJob(job, attempt, now, this.#waits, notBefore),
    );
  }

  /**
   * Applies outcomes. `applied` are the indexes of the settlements that counted, `repeated` those of
   * them whose attempt was settled before, `finished` the messages that have no open recipient any
   * more.
   */
  settle(settlements: readonly Settlement[]): {
    readonly applied: readonly number[];
    readonly repeated: readonly number[];
    readonly finished: readonly FinishedMessage[];
  } {
    const applied: number[] = [];
    const repeated: number[] = [];
    const finished: FinishedMessage[] = [];
    for (const [emailId, outcomes] of groupByMessage(
      settlements.map((outcome, index) => ({ ...outcome, index })),
    )) {
      const entry = this.#messages.schedule.get(emailId);
      if (!entry) continue;
      const jobs = this.#messages.jobsOf(entry);
      const settled: Record<number, Job> = {};
      for (const { index, ...outcome } of outcomes) {
        const before =
          settled[outcome.recipientIndex] ??
          jobUnderWay(jobs[outcome.recipientIndex], outcome.attempt, entry);
        const job = settleJob(before, outcome);
        if (!job) continue;
        settled[outcome.recipientIndex] = job;
        applied.push(index);
        if (before?.state !== "leased") repeated.push(index);
      }
      finished.push(...this.#messages.settle(emailId, entry, jobs, settled));
    }
    return { applied, repeated, finished };
  }

  /**
   * Stops further attempts for a recipient whose bounce was reported. Returns the message if that
   * finishes it.
   */
  endAttempts({ emailId, recipientIndex }: JobRef, now: number): readonly FinishedMessage[] {
    const entry = this.#messages.schedule.get(emailId);
    if (!entry || !isReleased(recipientIndex, entry)) return [];
    const jobs = this.#messages.jobsOf(entry);
    const job = endAttempts(jobs[recipientIndex], now, this.#waits.leaseMs);
    return job ? this.#messages.settle(emailId, entry, jobs, { [recipientIndex]: job }) : [];
  }

  /**
   * Returns the jobs to offer to the queue again: those released or leased too long ago, and those
   * due for a retry. Ends abandoned last attempts of reported recipients, and returns the messages
   * that this finishes.
   */
  offers(now: number): {
    readonly offered: readonly Released[];
    readonly finished: readonly FinishedMessage[];
  } {
    const offered: Released[] = [];
    const finished: FinishedMessage[] = [];
    for (const [emailId, entry] of this.#messages.schedule.due(now, OFFERS_PER_ROUND)) {
      const jobs = this.#messages.jobsOf(entry);
      const abandoned = Object.entries<Job>(jobs).flatMap(([index, job]) =>
        isAbandoned(job, now) ? [[index, DONE] as const] : [],
      );
      for (const ref of refsOf(emailId, 0, entry.released, entry.seq)) {
        const job = jobs[ref.recipientIndex];
        const at = offerAt(job, entry.releasedAt, entry.unclaimedReleases, this.#waits);
        if (at !== null && at <= now && !isAbandoned(job, now)) offered.push(ref);
      }
      this.#stuckMessages.note(emailId, entry.since, countUnanswered(jobs, entry));
      entry.releasedAt = now;
      entry.unclaimedReleases += 1;
      this.#messages.schedule.reschedule(entry, jobs);
      finished.push(...this.#messages.settle(emailId, entry, jobs, Object.fromEntries(abandoned)));
    }
    return { offered, finished };
  }

  #changeLeased(
    grants: readonly Grant[],
    change: (job: Job | undefined, attempt: number) => Job | undefined,
  ): void {
    for (const [emailId, asked] of groupByMessage(grants)) {
      const entry = this.#messages.schedule.get(emailId);
      if (!entry) continue;
      const jobs = this.#messages.jobsOf(entry);
      const changed: Record<number, Job> = {};
      for (const { recipientIndex, attempt } of asked) {
        const job = change(jobUnderWay(jobs[recipientIndex], attempt, entry), attempt);
        if (job) changed[recipientIndex] = job;
      }
      this.#messages.change(entry, jobs, changed, true);
    }
  }
}

function groupByMessage<Ref extends JobRef>(all: readonly Ref[]): Map<string, Ref[]> {
  return Map.groupBy(all, (ref) => ref.emailId);
}
