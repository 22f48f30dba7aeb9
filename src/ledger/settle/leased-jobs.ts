// Changes the jobs of attempts that are under way (docs/architecture.md §Claim). An attempt whose
// lease a restart forgot counts like one with a known lease.
import type { Grant, JobRef } from "../../rpc/ledger-calls.ts";
import { jobUnderWay } from "../open/in-flight.ts";
import type { Job } from "../open/job.ts";
import type { FinishedMessage, OpenMessages } from "../open/open-messages.ts";

/**
 * Applies `change` to the job of each grant; undefined leaves it as it is. `isKept`: writes the
 * change, so that a restart keeps it; the end of a job is always written. Returns the messages that
 * the change finishes; the caller then calls finish().
 */
export function changeLeased<Named extends Grant>(
  open: OpenMessages,
  grants: readonly Named[],
  isKept: boolean,
  change: (job: Job | undefined, grant: Named) => Job | undefined,
): readonly FinishedMessage[] {
  const finished: FinishedMessage[] = [];
  for (const [emailId, named] of groupByMessage(grants)) {
    const entry = open.inFlight.get(emailId);
    if (!entry) continue;
    const jobs = open.lookUps.jobsOf(entry);
    const changed: Record<number, Job> = {};
    const ended: Record<number, Job> = {};
    for (const grant of named) {
      const { recipientIndex, attempt } = grant;
      const job = change(jobUnderWay(jobs[recipientIndex], attempt, entry), grant);
      if (job) (job.state === "done" ? ended : changed)[recipientIndex] = job;
    }
    open.change(entry, jobs, changed, isKept);
    finished.push(...open.settle(emailId, entry, { ...jobs, ...changed }, ended));
  }
  return finished;
}

export function groupByMessage<Ref extends JobRef>(all: readonly Ref[]): Map<string, Ref[]> {
  return Map.groupBy(all, (ref) => ref.emailId);
}
