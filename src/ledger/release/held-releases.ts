// Releases held mail (docs/architecture.md §Hold): a probe that shows whether a hold is over, the
// copies that came back before their hold ended, and mail that was held for too long. All changes
// run inside a group commit.
import type { ReleasedJob } from "../after-commit.ts";
import type { NotedMessage } from "../open/held-copies.ts";
import { freeJob } from "../open/held-job.ts";
import { ACCOUNT, copyName } from "../open/hold-periods.ts";
import type { InFlight } from "../open/in-flight.ts";
import { type Job, isHeld } from "../open/job.ts";
import type { OpenMessages } from "../open/open-messages.ts";
import type { Backlog } from "./backlog.ts";

/** Maximum number of noted messages that one look for a probe passes, because they are finished. */
const PASSED_FOR_PROBE = 100;

export class HeldReleases {
  readonly #open: OpenMessages;
  readonly #backlog: Backlog;

  constructor(open: OpenMessages, backlog: Backlog) {
    this.#open = open;
    this.#backlog = backlog;
  }

  /** When held mail has to be looked at next, Unix milliseconds; Infinity: never. */
  nextAt(now: number): number {
    return this.#freedDomains().length > 0 ? now : this.#open.holds.probeAt;
  }

  /**
   * Releases what is due, but at most `room` jobs besides the probes. Copies that came back are made
   * due, and the claims release them like all other jobs.
   */
  release(now: number, room: number): ReleasedJob[] {
    if (!this.#open.holds.hasAny) return [];
    let left = room;
    for (const domain of this.#freedDomains()) {
      if (left <= 0) break;
      left -= this.#freeSome(domain, left, now);
    }
    return [...this.#releaseExpired(now, left), ...this.#releaseProbes(now)];
  }

  #freedDomains(): string[] {
    const { heldCopies, holds } = this.#open;
    return [...heldCopies.domains].filter((domain) => !holds.of(domain));
  }

  #freeSome(domain: string, limit: number, now: number): number {
    let freed = 0;
    for (const noted of this.#open.heldCopies.first(domain, limit)) {
      this.#open.heldCopies.remove(noted);
      const entry = this.#open.memory.find(noted.id);
      const jobs = entry ? freedJobs(entry, now) : [];
      if (entry) this.#open.free(noted.id, entry, Object.fromEntries(jobs), now);
      freed += jobs.length;
    }
    return freed;
  }

  #releaseExpired(now: number, room: number): ReleasedJob[] {
    const startOf = (domain: string): number => this.#open.holds.expiredStart(domain, now);
    return this.#backlog
      .releaseStarted(startOf, Math.max(0, room))
      .flatMap((range) => this.#open.release(range, now));
  }

  /** A hold without mail to probe with waits until there is some. */
  #releaseProbes(now: number): ReleasedJob[] {
    const { holds } = this.#open;
    return holds.due(now).flatMap((name) => {
      const isOf = (domain: string): boolean =>
        name === ACCOUNT ? !holds.isHeldAlone(domain) : domain === name;
      const released = this.#returnedProbe(isOf, now) ?? this.#newProbe(isOf, now);
      holds.noteProbe(name, released ? copyName(released) : null, now);
      return released ?? [];
    });
  }

  /** Takes one held job of the oldest message of such a domain that came back. */
  #returnedProbe(isOf: (domain: string) => boolean, now: number): ReleasedJob | undefined {
    const { heldCopies, memory } = this.#open;
    for (const domain of [...heldCopies.domains].filter(isOf))
      for (const noted of heldCopies.first(domain, PASSED_FOR_PROBE)) {
        const entry = memory.find(noted.id);
        const job = entry && freedJobs(entry, now)[0];
        if (entry && job) return this.#releaseOne(noted, entry, job, now);
        heldCopies.remove(noted);
      }
    return undefined;
  }

  #releaseOne(
    noted: NotedMessage,
    entry: InFlight,
    [index, job]: readonly [index: number, job: Job],
    now: number,
  ): ReleasedJob {
    this.#open.free(noted.id, entry, { [index]: job }, now);
    if (freedJobs(entry, now).length === 0) this.#open.heldCopies.remove(noted);
    entry.releasedAt = now;
    this.#open.memory.keep(noted.id, entry);
    const contentGroup = this.#open.rows.contentGroupOf(noted.seq);
    return { emailId: noted.id, recipientIndex: index, contentGroup };
  }

  /** Takes the first job of a stream of such a domain. */
  #newProbe(isOf: (domain: string) => boolean, now: number): ReleasedJob | undefined {
    const [range] = this.#backlog.releaseFirst(isOf);
    return range && this.#open.release(range, now)[0];
  }
}

/** Returns the held jobs of a message as they are after the end of their hold. */
function freedJobs({ jobs }: InFlight, now: number): (readonly [index: number, job: Job])[] {
  return Object.entries<Job>(jobs).flatMap(([index, job]) => {
    const freed = isHeld(job) ? freeJob(job, now) : undefined;
    return freed ? [[Number(index), freed] as const] : [];
  });
}
