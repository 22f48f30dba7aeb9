// Lists the work that a ledger still has to do. Each entry has the time at which the ledger itself
// does that work next. Only a test build shows this list (docs/architecture.md §Where it can be
// killed).
import type { Env } from "../env.ts";
import { releaseAgainAt } from "./open/job.ts";
import { waitReasonOf } from "./open/wait-reason.ts";
import type { Subjects } from "./ledger-state.ts";

export interface OpenWork {
  /**
   * An attempt as `<email id>/<recipient index>: <wait reason>`, or a description of other work.
   */
  readonly what: string;
  /** Unix milliseconds. Null means that the work is running, and an event ends it. */
  readonly dueAt: number | null;
}

export function listOpenWork(
  { open, releases, log }: Subjects,
  { CRASH_POINT_URL: crashPointUrl }: Env,
  now: number,
): OpenWork[] {
  if (!crashPointUrl) throw new Error("the list of open work needs CRASH_POINT_URL");
  const work: OpenWork[] = [];
  const add = (what: string, dueAt: number): number =>
    work.push({ what, dueAt: Number.isFinite(dueAt) ? dueAt : null });
  for (const [emailId, entry] of open.memory.all()) {
    for (let index = 0; index < entry.released; index += 1) {
      const job = entry.jobs[index];
      const at = releaseAgainAt(job, entry.releasedAt, entry.unclaimedReleases, open.waits);
      if (at !== null) add(`${emailId}/${index}: ${waitReasonOf(job)}`, at);
    }
  }
  const { waiting } = releases.backlog;
  if (waiting > 0) add(`recipients in the backlog: ${waiting}`, releases.nextAt(now));
  const scheduledAt = releases.schedule.rows.dueAt;
  if (Number.isFinite(scheduledAt)) add("the next scheduled message", scheduledAt);
  if (log.undelivered > 0) add(`events to dispatch: ${log.undelivered}`, log.dueAt(now));
  return work;
}
