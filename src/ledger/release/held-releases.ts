// Releases mail on hold (docs/architecture.md §Hold): probes, copies that came back because of the
// hold, and mail that was on hold for too long. A probe shows whether a hold is over. A copy that
// came back leaves as soon as its hold is over. All changes run inside a group commit.
import type { ReleasedJob } from "../after-commit.ts";
import type { NotedMessage } from "../open/held-copies.ts";
import { freeJob } from "../open/held-job.ts";
import { ACCOUNT, copyName } from "../open/hold-periods.ts";
import type { InFlight } from "../open/in-flight.ts";
import { type Job, isHeld } from "../open/job.ts";
import type { OpenMessages } from "../open/open-messages.ts";
import type { Backlog } from "./backlog.ts";

/**
 * Maximum number of finished messages that one search for a probe skips in the table of held
 * copies.
 */
const PASSED_FOR_PROBE = 100;

/** The time at which releaseHeld() must run next, in Unix milliseconds. Infinity means never. */
export function heldReleaseAt(open: OpenMessages, now: number): number {
  return freedDomains(open).length > 0 ? now : open.holds.probeAt;
}

/**
 * Releases the mail that is due, but at most `room` jobs besides the probes. Copies that came back
 * are only made due, and are later released like all other jobs.
 */
export function releaseHeld(
  open: OpenMessages,
  backlog: Backlog,
  now: number,
  room: number,
): ReleasedJob[] {
  if (!open.holds.hasAny) return [];
  let left = room;
  for (const domain of freedDomains(open)) {
    if (left <= 0) break;
    left -= freeSome(open, domain, left, now);
  }
  return [...releaseExpired(open, backlog, now, left), ...releaseProbes(open, backlog, now)];
}

function freedDomains({ heldCopies, holds }: OpenMessages): string[] {
  return [...heldCopies.domains].filter((domain) => !holds.of(domain));
}

function freeSome(open: OpenMessages, domain: string, limit: number, now: number): number {
  let freed = 0;
  for (const noted of open.heldCopies.first(domain, limit)) {
    open.heldCopies.remove(noted);
    const entry = open.memory.find(noted.id);
    const jobs = entry ? freedJobs(entry, now) : [];
    if (entry) open.free(noted.id, entry, Object.fromEntries(jobs), now);
    freed += jobs.length;
  }
  return freed;
}

function releaseExpired(
  open: OpenMessages,
  backlog: Backlog,
  now: number,
  room: number,
): ReleasedJob[] {
  const startOf = (domain: string): number => open.holds.expiredStart(domain, now);
  return backlog
    .releaseStarted(startOf, Math.max(0, room))
    .flatMap((range) => open.release(range, now));
}

/**
 * Releases the probes that are due. If no mail of a hold can be the probe, the probe waits until
 * such mail comes.
 */
function releaseProbes(open: OpenMessages, backlog: Backlog, now: number): ReleasedJob[] {
  const { holds } = open;
  const newProbe = (isOf: (domain: string) => boolean): ReleasedJob | undefined =>
    backlog.releaseFirst(isOf).flatMap((range) => open.release(range, now))[0];
  return holds.due(now).flatMap((name) => {
    const isOf = (domain: string): boolean =>
      name === ACCOUNT ? !holds.isHeldAlone(domain) : domain === name;
    const released = returnedProbe(open, isOf, now) ?? newProbe(isOf);
    holds.noteProbe(name, released ? copyName(released) : null, now);
    return released ?? [];
  });
}

/**
 * Releases one job on hold, from the oldest message that came back. Considers only domains that
 * pass `isOf`.
 */
function returnedProbe(
  open: OpenMessages,
  isOf: (domain: string) => boolean,
  now: number,
): ReleasedJob | undefined {
  const { heldCopies, memory } = open;
  for (const domain of [...heldCopies.domains].filter(isOf))
    for (const noted of heldCopies.first(domain, PASSED_FOR_PROBE)) {
      const entry = memory.find(noted.id);
      const job = entry && freedJobs(entry, now)[0];
      if (entry && job) return releaseOne(open, noted, entry, job, now);
      heldCopies.remove(noted);
    }
  return undefined;
}

function releaseOne(
  open: OpenMessages,
  noted: NotedMessage,
  entry: InFlight,
  [index, job]: readonly [index: number, job: Job],
  now: number,
): ReleasedJob {
  open.free(noted.id, entry, { [index]: job }, now);
  if (freedJobs(entry, now).length === 0) open.heldCopies.remove(noted);
  entry.releasedAt = now;
  open.memory.keep(noted.id, entry);
  const contentGroup = open.rows.contentGroupOf(noted.seq);
  return { emailId: noted.id, recipientIndex: index, contentGroup };
}

/** Returns a message's jobs on hold in the state that they have after the end of the hold. */
function freedJobs({ jobs }: InFlight, now: number): (readonly [index: number, job: Job])[] {
  return Object.entries<Job>(jobs).flatMap(([index, job]) => {
    const freed = isHeld(job) ? freeJob(job, now) : undefined;
    return freed ? [[Number(index), freed] as const] : [];
  });
}
