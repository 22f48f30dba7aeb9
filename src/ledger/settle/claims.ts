// Grants jobs to consumers and offers them again (docs/architecture.md §Claim). Two facts live only
// in memory, because losing them in a restart is harmless: that a job was handed to the queue (it is
// queued again), and that it is leased for a courier that remembers attempts (asked twice, it sends
// once). Other leases are written too.
import type { Claim, Grant, JobRef } from "../../contracts/ledger-contract.ts";
import type { Changed, Released } from "../after-commit.ts";
import { countUnanswered, isReleased, jobUnderWay, refsOf } from "../open/in-flight.ts";
import {
  claimJob,
  holdJob,
  isAbandoned,
  offerAt,
  postponeJob,
  type Job,
  type Waits,
} from "../open/job.ts";
import type { FinishedMessage, OpenMessages } from "../open/open-messages.ts";

/** Maximum number of messages that one alarm looks at. */
const OFFERS_PER_ROUND = 1_000;

const DONE: Job = { state: "done" };

export class Claims {
  readonly #open: OpenMessages;
  readonly #waits: Waits;

  constructor(open: OpenMessages, waits: Waits) {
    this.#open = open;
    this.#waits = waits;
  }

  /**
   * Leases the jobs that may be claimed, and returns their messages with content, of which at most
   * `largeBytes` are large. `isKept`: writes the leases, because a restart must not forget them.
   */
  claim(refs: readonly JobRef[], now: number, isKept: boolean, largeBytes: number): Claim {
    const claimed: number[] = [];
    const grants: Grant[] = [];
    for (const [emailId, asked] of groupByMessage(refs)) {
      const entry = this.#open.inFlight.get(emailId);
      if (!entry) continue;
      const jobs = this.#open.lookUps.jobsOf(entry);
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
      this.#open.change(entry, jobs, leased, isKept);
    }
    return { messages: this.#open.read(claimed, largeBytes), grants };
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
   * Offers jobs to the queue again: those released or leased too long ago, and those due for a
   * retry. Ends abandoned last attempts of reported recipients.
   */
  offer(now: number): Changed<void> {
    const released: Released[] = [];
    const finished: FinishedMessage[] = [];
    for (const [emailId, entry] of this.#open.inFlight.due(now, OFFERS_PER_ROUND)) {
      const jobs = this.#open.lookUps.jobsOf(entry);
      const abandoned = Object.entries<Job>(jobs).flatMap(([index, job]) =>
        isAbandoned(job, now) ? [[index, DONE] as const] : [],
      );
      for (const ref of refsOf(emailId, 0, entry.released, entry.seq)) {
        const job = jobs[ref.recipientIndex];
        const at = offerAt(job, entry.releasedAt, entry.unclaimedReleases, this.#waits);
        if (at !== null && at <= now && !isAbandoned(job, now)) released.push(ref);
      }
      this.#open.stuck.note(emailId, entry.since, countUnanswered(jobs, entry));
      entry.releasedAt = now;
      entry.unclaimedReleases += 1;
      this.#open.inFlight.reschedule(entry, jobs);
      finished.push(...this.#open.settle(emailId, entry, jobs, Object.fromEntries(abandoned)));
    }
    const unusedContent = this.#open.finish(finished, [], now);
    return { result: undefined, released, unusedContent };
  }

  #changeLeased(
    grants: readonly Grant[],
    change: (job: Job | undefined, attempt: number) => Job | undefined,
  ): void {
    for (const [emailId, asked] of groupByMessage(grants)) {
      const entry = this.#open.inFlight.get(emailId);
      if (!entry) continue;
      const jobs = this.#open.lookUps.jobsOf(entry);
      const changed: Record<number, Job> = {};
      for (const { recipientIndex, attempt } of asked) {
        const job = change(jobUnderWay(jobs[recipientIndex], attempt, entry), attempt);
        if (job) changed[recipientIndex] = job;
      }
      this.#open.change(entry, jobs, changed, true);
    }
  }
}

export function groupByMessage<Ref extends JobRef>(all: readonly Ref[]): Map<string, Ref[]> {
  return Map.groupBy(all, (ref) => ref.emailId);
}
