// Grants jobs to consumers and offers them again (docs/architecture.md §Claim). Two facts live only
// in memory, because losing them in a restart is harmless: that a job was handed to the queue (it
// is queued again), and that it is leased for a courier that remembers attempts (it is asked what
// became of them, asks.ts). Other leases are written too.
import type { Claim, Grant, JobRef } from "../../rpc/ledger-calls.ts";
import type { AttemptAsk, LeftJobs } from "../../rpc/ask-calls.ts";
import type { Changed, Released } from "../after-commit.ts";
import { askJob, awaitGateway, isAsked } from "../open/asked-job.ts";
import {
  countUnanswered,
  type InFlight,
  isReleased,
  leaseBefore,
  refsOf,
} from "../open/in-flight.ts";
import {
  claimJob,
  holdJob,
  isAbandoned,
  releaseAgainAt,
  postponeJob,
  type Job,
  type Jobs,
} from "../open/job.ts";
import type { Waits } from "../open/job-waits.ts";
import type { FinishedMessage, OpenMessages } from "../open/open-messages.ts";
import { changeLeased, groupByMessage } from "./leased-jobs.ts";

/** Maximum number of messages that one alarm looks at. A restart may leave a hundred thousand. */
const OFFERS_PER_ROUND = 5_000;

const DONE: Job = { state: "done" };

/** One message's jobs that are due. */
interface Due {
  readonly released: readonly Released[];
  readonly asks: readonly AttemptAsk[];
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
        if (!isReleased(recipientIndex, entry)) continue;
        const before = jobs[recipientIndex];
        // A gateway may have a copy from before the restart: it is asked first.
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
  hold(grants: readonly Grant[], now: number): void {
    changeLeased(this.#open, grants, true, (job, { attempt }) =>
      holdJob(job, attempt, now, this.#waits.leaseMs),
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
   * Offers jobs to the queue again: those released or leased too long ago, and those due for a
   * retry. Asks for the outcomes of those that a gateway may have. Ends abandoned last attempts of
   * reported recipients.
   */
  offer(now: number): Changed<void> {
    const released: Released[] = [];
    const asks: AttemptAsk[] = [];
    const finished: FinishedMessage[] = [];
    for (const [emailId, entry] of this.#open.inFlight.due(now, OFFERS_PER_ROUND)) {
      const jobs = this.#open.lookUps.jobsOf(entry);
      const due = this.#findDue(emailId, entry, jobs, now);
      for (const job of due.released) released.push(job);
      for (const ask of due.asks) asks.push(ask);
      this.#open.stuck.note(emailId, entry.since, countUnanswered(jobs, entry.released));
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
    const [released, asks]: [Released[], AttemptAsk[]] = [[], []];
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
