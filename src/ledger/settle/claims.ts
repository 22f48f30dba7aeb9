// Leases jobs to consumers and releases jobs again (docs/architecture.md §Claim). Two facts are
// only in memory, and a restart may lose them. The first is that a job is in the queue: after a
// restart, the job is queued again. The second is the lease for a courier that remembers attempts:
// after a restart, that courier is asked for the outcome (attempt-questions.ts). All other leases
// are written to disk.
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

/**
 * Maximum number of messages that one run of the alarm examines. After a restart, a hundred
 * thousand messages may have to be examined, in several runs.
 */
const MESSAGES_PER_ALARM = 5_000;

const DONE: Job = { state: "done" };

/** The jobs of one message on which the alarm has to act now. */
interface Due {
  readonly released: readonly ReleasedJob[];
  readonly asks: readonly AttemptQuestion[];
  /** The jobs for whose outcome the ledger asks a gateway now, by recipient index. */
  readonly asked: Jobs;
  /** The jobs that are ended without an outcome, by recipient index. */
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
   * Leases the jobs that may be claimed, and returns their messages with content, but with at most
   * `largeBytes` of large content. `isKept`: the leases are written to disk, because a restart must
   * not lose them.
   */
  claim(refs: readonly JobRef[], now: number, isKept: boolean, largeBytes: number): Claim {
    const claimed: number[] = [];
    const grants: Grant[] = [];
    for (const [emailId, asked] of groupByMessage(refs)) {
      const entry = this.#open.inFlight.get(emailId);
      if (!entry) continue;
      const jobs = this.#open.lookUps.jobsOf(entry);
      // The alarm released the job by the clock of this Durable Object. If a consumer's clock is
      // behind, the job seems not to be due yet. So the later of both times counts.
      // A lease begins when it is granted, because the consumer's call may have waited.
      const leasedFrom = Math.max(now, entry.releasedAt, Date.now());
      const leased: Record<number, Job> = {};
      for (const recipientIndex of new Set(asked.map((ref) => ref.recipientIndex))) {
        if (!isReleased(recipientIndex, entry)) continue;
        const before = jobs[recipientIndex];
        // A gateway may have got a copy before the restart, so the gateway is asked first.
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

  /**
   * Restarts the leases of claimed jobs. `isRemembered`: the courier remembers attempts, so the
   * leases are only in memory.
   */
  renew(grants: readonly Grant[], now: number, isRemembered: boolean): void {
    changeLeased(this.#open, grants, !isRemembered, (job, { attempt }) =>
      renewLease(job, attempt, Math.max(now, Date.now()), this.#waits.leaseMs, isRemembered),
    );
  }

  /** Records which claimed jobs a consumer left with a gateway, and which no courier took. */
  leave({ handedOver, postponed, courierRemembers }: LeftJobs, now: number): void {
    changeLeased(this.#open, handedOver, false, (job, { attempt, host }) =>
      awaitGateway(job, attempt, host, now, this.#waits),
    );
    changeLeased(this.#open, postponed, !courierRemembers, (job, { attempt, notBefore }) =>
      postponeJob(job, attempt, now, this.#waits, notBefore),
    );
  }

  /**
   * Releases jobs again: those that were released or leased too long ago, and those due for a
   * retry. Asks for the outcomes of copies that a gateway may have. Ends the last attempt of a
   * recipient whose bounce was reported, if no consumer works on that attempt any more.
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
