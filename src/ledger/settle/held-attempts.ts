// Stops the attempts of mail on hold (docs/architecture.md §Hold): attempts that a consumer wants
// to claim, attempts that are due, and attempts whose copy the provider refused because of a hold.
import type { Grant, JobRef } from "../../rpc/ledger-calls.ts";
import type { PostponedGrant } from "../../rpc/question-calls.ts";
import { freeJob, holdJob } from "../open/held-job.ts";
import { ACCOUNT, copyName } from "../open/hold-periods.ts";
import { leaseUnderWay } from "../open/in-flight.ts";
import type { Job } from "../open/job.ts";
import type { HeldMessage, OpenMessages } from "../open/open-messages.ts";
import { groupByMessage } from "./leased-jobs.ts";

type HeldGrant = PostponedGrant & Required<Pick<PostponedGrant, "hold">>;

/**
 * Returns the job on hold if no consumer may get the job now. Undefined means that a consumer may
 * get it: no hold stops the job, the job is a probe, or its mail was on hold for too long.
 */
export function keepBack(
  { holds }: OpenMessages,
  held: HeldMessage | undefined,
  ref: JobRef,
  job: Job | undefined,
  now: number,
): Job | undefined {
  if (!held || holds.isExpired(held.heldMs) || holds.isProbe(copyName(ref))) return undefined;
  return holdJob(job, holds.expiryAfter(held.heldMs, now));
}

/** Returns the facts about holds that a consumer needs with a granted attempt. */
export function toldOfHold(
  { holds }: OpenMessages,
  held: HeldMessage | undefined,
  ref: JobRef,
): Pick<Grant, "heldOut" | "isProbe"> {
  if (!held) return {};
  if (holds.isExpired(held.heldMs)) return { heldOut: held.hold };
  return holds.isProbe(copyName(ref)) ? { isProbe: true } : {};
}

/** Returns whether the provider refused the copy because of a hold. */
export function isOfHold(grant: PostponedGrant): grant is HeldGrant {
  return grant.hold !== undefined;
}

/**
 * Begins the holds that the provider's refusals show, and puts the jobs of the refused copies on
 * hold. If a hold has ended since the refusal, its jobs may soon be claimed again. The caller must
 * call finish() after this call.
 */
export function leaveHeld(open: OpenMessages, refused: readonly HeldGrant[], now: number): void {
  for (const [emailId, grants] of groupByMessage(refused)) {
    const entry = open.memory.find(emailId);
    if (!entry) continue;
    const { domain, heldMs } = open.holds.stateOf(open.rows.originOf(entry.seq), now);
    const until = open.holds.expiryAfter(heldMs, now);
    const [held, offered, ended]: Record<number, Job>[] = [{}, {}, {}];
    for (const grant of grants) {
      const { recipientIndex: index, hold } = grant;
      const lease = leaseUnderWay(entry, grant);
      const job = lease && holdJob(lease, until);
      if (!job) continue;
      const name = hold.scope === "account" ? ACCOUNT : domain;
      const names = { name, domain, copy: copyName(grant) };
      if (job.state === "done") ended![index] = job;
      else if (open.holds.begin(hold, names, now)) held![index] = job;
      else offered![index] = freeJob(job, now + open.waits.postponedMs)!;
    }
    open.change(emailId, entry, offered!, true);
    open.hold(emailId, entry, held!, domain, now);
    open.settle(emailId, entry, ended!);
  }
}

/**
 * Ends the holds of the copies' domains, because the team's courier has just taken copies of these
 * domains.
 */
export function freeCarried(open: OpenMessages, carried: readonly Grant[], now: number): void {
  if (open.holds.isEmpty) return;
  for (const { emailId } of carried) {
    const entry = open.memory.find(emailId);
    if (entry) open.holds.free(open.rows.originOf(entry.seq).domain, now, now);
  }
}
