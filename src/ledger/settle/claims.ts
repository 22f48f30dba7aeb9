// Grants jobs to consumers and releases jobs again (docs/architecture.md §Claim). Two facts are
// only in memory, because a restart may lose them. If a job is in the queue, it is queued again
// after a restart. If a job is leased for a courier that remembers attempts, the courier is asked
// for the outcome after a restart (attempt-questions.ts). All other leases are written to disk.
import type { Claim, Grant, JobRef } from "../../rpc/ledger-calls.ts";
import type { AttemptQuestion, LeftJobs } from "../../rpc/question-calls.ts";
import type { LedgerChange, ReleasedJob } from "../after-commit.ts";
import { askJob, awaitGateway, isAsked } from "../open/asked-job.ts";
import {
  countWithoutOutcome,
  type InFlight,
  isReleased,
  leaseBefore,
  refsOf,
} from "../open/in-flight.ts";
import {
  claimJob,
  renewLease,
  isAbandoned,
  releaseAgainAt,
  postponeJob,
  type Job,
  type Jobs,
} from "../open/job.ts";
import type { Waits } from "../open/job-waits.ts";
import type { FinishedMessage, OpenMessages } from "../open/open-messages.ts";
import { changeLeased, groupByMessage } from "./leased-jobs.ts";

/** Maximum number of messages that one alarm examines. A restart may leave a hundred thousand. */
const MESSAGES_PER_ALARM = 5_000;

const DONE: Job = { state: "done" };

/** One message's jobs that are due. */
interface Due {
  readonly released: readonly ReleasedJob[];
  readonly asks: readonly AttemptQuestion[];
  /** The jobs that are asked for, by recipient index. */
  readonly asked: Jobs;
  /** The jobs that end, by recipient index. */
  readonly abandoned: Jobs;
}

export class Claims {
  readonly #open: OpenMessages;
  readonly #waits: Waits;

  constructor(open: OpenMessages, waits: Waits) {
    this.#open = open;
    this.#waits = waits;
  }

  /**
   * Leases the jobs that may be claimed, and returns their messages with content, but at most
   * `largeBytes` of large content. `isKept`: writes the leases, because a restart must not forget
   * them.
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
        if (!isReleased(recipientIndex, entry)) continue;
        const before = jobs[recipientIndex];
        // A gateway may have a copy from before the restart, so it is asked first.
        if (!isKept && leaseBefore(recipientIndex, before, entry)) continue;
        const job = claimJob(before, leasedFrom, this.#waits.leaseMs, !isKept);
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
  renew(grants: readonly Grant[], now: number): void {
    changeLeased(this.#open, grants, true, (job, { attempt }) =>
      renewLease(job, attempt, now, this.#waits.leaseMs),
    );
  }

  /** Notes what a consumer did with claimed jobs that it has not settled. */
  leave({ handedOver, postponed, courierRemembers }: LeftJobs, now: number): void {
    changeLeased(this.#open, handedOver, false, (job, { attempt, host }) =>
      awaitGateway(job, attempt, host, now, this.#waits),
    );
    changeLeased(this.#open, postponed, !courierRemembers, (job, { attempt, notBefore }) =>
      postponeJob(job, attempt, now, this.#waits, notBefore),
    );
  }

  /**
   * Sends jobs to the queue again: those released or leased too long ago, and those due for a
   * retry. Asks for the outcomes of copies that a gateway may have. Ends the abandoned last attempt
   * of a recipient whose bounce was reported.
   */
  releaseDue(now: number): LedgerChange<void> {
    const released: ReleasedJob[] = [];
    const asks: AttemptQuestion[] = [];
    const finished: FinishedMessage[] = [];
    for (const [emailId, entry] of this.#open.inFlight.due(now, MESSAGES_PER_ALARM)) {
      const jobs = this.#open.lookUps.jobsOf(entry);
      const due = this.#findDue(emailId, entry, jobs, now);
      for (const job of due.released) released.push(job);
      for (const ask of due.asks) asks.push(ask);
      this.#open.stuck.note(emailId, entry.since, countWithoutOutcome(jobs, entry.released));
      if (due.released.length > 0) {
        entry.releasedAt = now;
        entry.unclaimedReleases += 1;
      }
      this.#open.change(entry, jobs, due.asked, false);
      const after = { ...jobs, ...due.asked };
      this.#open.inFlight.reschedule(entry, after);
      finished.push(...this.#open.settle(emailId, entry, after, due.abandoned));
    }
    const unusedContent = this.#open.finish(finished, [], now);
    return { result: undefined, released, asks, unusedContent };
  }

  #findDue(emailId: string, entry: InFlight, jobs: Jobs, now: number): Due {
    const [released, asks]: [ReleasedJob[], AttemptQuestion[]] = [[], []];
    const [asked, abandoned]: Record<number, Job>[] = [{}, {}];
    for (const ref of refsOf(emailId, 0, entry.released, entry.seq)) {
      const { recipientIndex: index } = ref;
      const job = jobs[index];
      const at = releaseAgainAt(job, entry.releasedAt, entry.unclaimedReleases, this.#waits);
      if (at === null || at > now) continue;
      const before = isAsked(job) ? job : leaseBefore(index, job, entry);
      if (isAbandoned(job, now)) abandoned![index] = DONE;
      else if (before) {
        asked![index] = askJob(before, now, this.#waits);
        const { attempt, host = null } = before;
        asks.push({ emailId, recipientIndex: index, attempt, host });
      } else released.push(ref);
    }
    return { released, asks, asked: asked!, abandoned: abandoned! };
  }
}
