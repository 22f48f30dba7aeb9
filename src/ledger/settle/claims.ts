// Leases jobs to consumers and releases jobs again (docs/architecture.md §Claim). A restart may
// lose two facts that are only in memory. The first is that a job is in the queue: after a restart,
// the job is queued again. The second is a lease for a courier that remembers attempts: after a
// restart, the ledger asks that courier for the outcome (attempt-questions.ts). All other leases
// are written to disk.
import type { Claim, Grant, JobRef } from "../../rpc/ledger-calls.ts";
import type { AttemptQuestion, LeftJobs } from "../../rpc/question-calls.ts";
import type { LedgerChange, ReleasedJob } from "../after-commit.ts";
import { askJob, awaitGateway, isAsked } from "../open/asked-job.ts";
import { type InFlight, isReleased, leaseBefore, refsOf } from "../open/in-flight.ts";
import {
  claimJob,
  renewLease,
  isAbandoned,
  releaseAgainAt,
  postponeJob,
  type Job,
  type Jobs,
} from "../open/job.ts";
import { awaitRoom, withAge } from "../open/room-wait.ts";
import type { HeldMessage, OpenMessages } from "../open/open-messages.ts";
import { freeCarried, isOfHold, keepBack, leaveHeld, toldOfHold } from "./held-attempts.ts";
import { changeLeased, endOutage, groupByMessage } from "./leased-jobs.ts";

/** Maximum number of messages that one run of the alarm examines. */
const MESSAGES_PER_ALARM = 5_000;

const DONE: Job = { state: "done" };

/** The jobs of one message for which the alarm has work now. */
interface Due {
  readonly released: readonly ReleasedJob[];
  readonly asks: readonly AttemptQuestion[];
  /** The jobs about which the ledger asks a gateway now, by recipient index. */
  readonly asked: Jobs;
  /** The jobs that end without an outcome, by recipient index. */
  readonly abandoned: Jobs;
  /** The jobs that are put on hold, by recipient index. */
  readonly kept: Jobs;
}

/**
 * Leases the jobs that may be claimed, and returns their messages with content, but with at most
 * `largeBytes` of large content. `isKept` means that the leases are written to disk, because a
 * restart must not lose them.
 */
export function claimJobs(
  open: OpenMessages,
  refs: readonly JobRef[],
  now: number,
  isKept: boolean,
  largeBytes: number,
): Claim {
  const claimed: number[] = [];
  const grants: Grant[] = [];
  for (const [emailId, asked] of groupByMessage(refs)) {
    const entry = open.memory.find(emailId);
    const granted = entry ? claimOf(open, emailId, entry, asked, now, isKept) : [];
    if (granted.length > 0) claimed.push(entry!.seq);
    grants.push(...granted);
  }
  return { messages: open.read(claimed, largeBytes, now), grants };
}

function claimOf(
  open: OpenMessages,
  emailId: string,
  entry: InFlight,
  asked: readonly JobRef[],
  now: number,
  isKept: boolean,
): Grant[] {
  const held = open.holdOf(entry, now);
  // The clock of this Durable Object released the job. The consumer's clock (`now`) may be behind,
  // so that the job would not be due yet. A call may also have waited before the lease is granted.
  // So the latest of these times counts.
  const leasedFrom = Math.max(now, entry.releasedAt, Date.now());
  const grants: Grant[] = [];
  const [leased, kept]: Record<number, Job>[] = [{}, {}];
  for (const recipientIndex of new Set(asked.map((ref) => ref.recipientIndex))) {
    if (!isReleased(recipientIndex, entry)) continue;
    const before = entry.jobs[recipientIndex];
    // A gateway may have got a copy before the restart, so the ledger asks the gateway first.
    if (!isKept && leaseBefore(recipientIndex, before, entry)) continue;
    const job = claimJob(before, leasedFrom, open.waits.leaseMs, !isKept);
    if (!job) continue;
    const ref = { emailId, recipientIndex };
    const keptBack = keepBack(open, held, ref, before, now);
    if (keptBack) kept![recipientIndex] = keptBack;
    else {
      leased![recipientIndex] = job;
      const { attempt, unheard, waitsSince } = job;
      const known = { ...(unheard && { unheard }), ...(waitsSince && { waitsSince }) };
      grants.push({ ...ref, attempt, ...known, ...toldOfHold(open, held, ref) });
    }
  }
  if (grants.length > 0) entry.unclaimedReleases = 0;
  open.change(emailId, entry, leased!, isKept);
  if (held) open.hold(emailId, entry, kept!, held.domain, now);
  return grants;
}

/**
 * Restarts the leases of claimed jobs. `isRemembered` means that the courier remembers attempts, so
 * the leases are only in memory.
 */
export function renewLeases(
  open: OpenMessages,
  grants: readonly Grant[],
  now: number,
  isRemembered: boolean,
): void {
  changeLeased(open, grants, !isRemembered, (job) =>
    renewLease(job, Math.max(now, Date.now()), open.waits.leaseMs, isRemembered),
  );
}

/**
 * Records which claimed jobs a consumer transferred to a gateway, and which jobs no courier took.
 * Returns the R2 keys of content that is not needed any more.
 */
export function leaveJobs(
  open: OpenMessages,
  { handedOver, postponed, courierRemembers, courierIsDown }: LeftJobs,
  now: number,
): LedgerChange<void> {
  if (courierIsDown) open.outage.noteDown(now);
  else if (handedOver.length > 0) endOutage(open, now);
  freeCarried(open, handedOver, now);
  changeLeased(open, handedOver, false, (job, { host }) =>
    awaitGateway(job, host, now, open.waits),
  );
  const others = postponed.filter((grant) => !isOfHold(grant));
  changeLeased(open, others, !courierRemembers, (job, grant) =>
    grant.isForRoom
      ? awaitRoom(job, grant, Math.max(now, Date.now()))
      : withAge(postponeJob(job, now, open.waits.postponedMs, grant.notBefore), grant.waitsSince),
  );
  leaveHeld(open, postponed.filter(isOfHold), now);
  return { result: undefined, unusedContent: open.finish([], now) };
}

/**
 * Releases jobs again: jobs that were released or leased too long ago, and jobs that are due for a
 * retry. Asks for the outcomes of copies that a gateway may have. Ends the last attempt of a
 * recipient whose bounce was reported, if no consumer works on that attempt any more.
 */
export function releaseDueJobs(open: OpenMessages, now: number): LedgerChange<void> {
  const released: ReleasedJob[] = [];
  const asks: AttemptQuestion[] = [];
  for (const [emailId, entry] of open.memory.inFlight.due(now, MESSAGES_PER_ALARM)) {
    const held = open.holdOf(entry, now);
    const due = findDue(open, emailId, entry, held, now);
    for (const job of due.released) released.push(job);
    for (const ask of due.asks) asks.push(ask);
    if (due.released.length > 0) {
      entry.releasedAt = now;
      entry.unclaimedReleases += 1;
    }
    open.change(emailId, entry, due.asked, false);
    entry.isLate = true;
    open.memory.stuck.note(emailId, entry, now);
    if (Object.keys(due.abandoned).length > 0) open.settle(emailId, entry, due.abandoned);
    else if (Object.keys(due.kept).length === 0) open.memory.reschedule(emailId, entry, now);
    if (held) open.hold(emailId, entry, due.kept, held.domain, now);
  }
  return { result: undefined, released, asks, unusedContent: open.finish([], now) };
}

function findDue(
  open: OpenMessages,
  emailId: string,
  entry: InFlight,
  held: HeldMessage | undefined,
  now: number,
): Due {
  const [released, asks]: [ReleasedJob[], AttemptQuestion[]] = [[], []];
  const [asked, abandoned, kept]: Record<number, Job>[] = [{}, {}, {}];
  for (const ref of refsOf(emailId, 0, entry.released, entry.seq)) {
    const { recipientIndex: index } = ref;
    const job = entry.jobs[index];
    const at = releaseAgainAt(job, entry.releasedAt, entry.unclaimedReleases, open.waits);
    if (at === null || at > now) continue;
    const before = isAsked(job) ? job : leaseBefore(index, job, entry);
    if (isAbandoned(job, now)) abandoned![index] = DONE;
    else if (before) {
      asked![index] = askJob(before, now, open.waits);
      const { attempt, host = null } = before;
      asks.push({ emailId, recipientIndex: index, attempt, host });
    } else {
      const keptBack = keepBack(open, held, ref, job, now);
      if (keptBack) kept![index] = keptBack;
      else released.push(ref);
    }
  }
  return { released, asks, asked: asked!, abandoned: abandoned!, kept: kept! };
}
