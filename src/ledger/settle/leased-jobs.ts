// Changes the jobs of running attempts (docs/architecture.md §Claim). If a restart lost the lease
// of an attempt, the attempt still counts as running.
import type { Grant, JobRef } from "../../rpc/ledger-calls.ts";
import { isPutOff, leaseUnderWay } from "../open/in-flight.ts";
import type { Job, Leased } from "../open/job.ts";
import type { OpenMessages } from "../open/open-messages.ts";

/**
 * Calls `change` for the lease of each running attempt in `grants`. If `change` returns undefined,
 * the job stays unchanged. `isKept` means that the changed jobs are written to disk, so that a
 * restart does not lose the change. The end of a job is always written. The caller must call
 * finish() after this call.
 */
export function changeLeased<Named extends Grant>(
  open: OpenMessages,
  grants: readonly Named[],
  isKept: boolean,
  change: (job: Leased, grant: Named) => Job | undefined,
): void {
  for (const [emailId, named] of groupByMessage(grants)) {
    const entry = open.memory.find(emailId);
    if (!entry) continue;
    const changed: Record<number, Job> = {};
    const ended: Record<number, Job> = {};
    for (const grant of named) {
      const lease = leaseUnderWay(entry, grant);
      const job = lease && change(lease, grant);
      if (job) (job.state === "done" ? ended : changed)[grant.recipientIndex] = job;
    }
    open.change(emailId, entry, changed, isKept);
    open.settle(emailId, entry, ended);
  }
}

/**
 * Ends an outage of the courier, because the courier is up. A consumer may claim the postponed jobs
 * now.
 */
export function endOutage(open: OpenMessages, now: number): void {
  if (!open.outage.noteUp()) return;
  for (const [emailId, entry] of open.memory.inFlight.all()) {
    const due = Object.entries<Job>(entry.jobs).flatMap(([index, job]) =>
      job.state === "leased" && isPutOff(job) ? [[index, { ...job, until: now }] as const] : [],
    );
    open.change(emailId, entry, Object.fromEntries(due), false);
  }
}

export function groupByMessage<Ref extends JobRef>(all: readonly Ref[]): Map<string, Ref[]> {
  return Map.groupBy(all, (ref) => ref.emailId);
}
