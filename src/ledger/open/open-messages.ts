// Keeps accepted messages that are not finished, one row each (docs/architecture.md §Admit), and
// applies the changes of their jobs. A row is written when its message is accepted, and again when
// some recipients are settled. When all recipients are settled, a row of the log replaces it.
import type { Candidate, ClaimedMessage, LoggedMessage } from "../../rpc/ledger-calls.ts";
import type { ReleasedJob } from "../after-commit.ts";
import type { TeamLog } from "../log/team-log.ts";
import { streamOf } from "../release-stream.ts";
import {
  countDone,
  countWithoutOutcome,
  type InFlight,
  InFlightSchedule,
  isResting,
  NO_JOBS,
  refsOf,
} from "./in-flight.ts";
import { JobCounts } from "./job-counts.ts";
import { inheritJob, type Job, type Jobs } from "./job.ts";
import type { Waits } from "./job-waits.ts";
import { OpenLookups } from "./open-lookups.ts";
import { MessageRows, type OpenMessageRow, type WaitedMessage } from "./message-rows.ts";
import { StuckMessages } from "./stuck-messages.ts";

/** A message whose last recipient is settled. Its row and its content in R2 must be deleted. */
export interface FinishedMessage {
  readonly seq: number;
  readonly contentKey: string | null;
}

/** A new open message, with the number of its row. */
export interface NewOpenMessage {
  readonly seq: number;
  readonly stream: string;
  readonly recipients: number;
}

/** Decides how many of a message's jobs are released immediately. The others wait in its stream. */
type Releasing = (message: NewOpenMessage) => number;

/** Jobs of one message that leave the backlog: those with an index from `from` to below `to`. */
export interface JobRange {
  readonly seq: number;
  readonly emailId: string;
  readonly recipients: number;
  readonly from: number;
  readonly to: number;
  readonly contentKey: string | null;
}

/** Tells how many jobs of a message were released before a restart. */
interface Past {
  releasedOf(stream: string | null, seq: number, recipients: number): number;
}

interface Times {
  readonly waits: Waits;
  /** Time without an outcome after which a message is reported as stuck. */
  readonly stuckMs: number;
}

export class OpenMessages {
  /** Schedules when the alarm has to look at each message in flight. */
  readonly inFlight: InFlightSchedule;
  readonly lookUps: OpenLookups;
  readonly stuck: StuckMessages;
  readonly #rows: MessageRows;
  readonly #waits: Waits;
  readonly #jobCounts = new JobCounts();
  readonly #log: TeamLog;
  #messages = 0;
  #openJobs = 0;

  /** Reads every row after a restart. Jobs that were released before are released again later. */
  constructor(sql: SqlStorage, log: TeamLog, past: Past, { waits, stuckMs }: Times, now: number) {
    this.#rows = new MessageRows(sql);
    this.stuck = new StuckMessages(sql, stuckMs);
    this.inFlight = new InFlightSchedule(waits);
    this.lookUps = new OpenLookups(this.#rows, this.inFlight);
    this.#log = log;
    this.#waits = waits;
    for (const row of this.#rows.all()) this.#restore(row, past, now);
  }

  get size(): { readonly messages: number; readonly jobs: number } {
    return { messages: this.#messages, jobs: this.#openJobs };
  }

  /** Number of open jobs in each state. A job that was never claimed has no state. */
  get jobCounts(): Pick<JobCounts, "leased" | "waiting" | "awaiting"> {
    return this.#jobCounts;
  }

  /** Stores messages that were accepted. Returns the released jobs. */
  insert(
    candidates: readonly Candidate[],
    acceptedAt: number,
    releasing: Releasing,
  ): readonly ReleasedJob[] {
    const entered = candidates.map(({ id: emailId, recipientCount: recipients, ...rest }) =>
      this.#enter({ emailId, recipients, ...rest, stream: streamOf(rest) }, acceptedAt, releasing),
    );
    const contentGroups = this.#rows.insert(
      candidates.map(({ meta, content }, index) => ({
        ...entered[index]!,
        startsAt: acceptedAt,
        meta,
        content,
      })),
    );
    return entered.flatMap(({ emailId, released }, index) =>
      refsOf(emailId, 0, released, contentGroups[index]!),
    );
  }

  /** Stores scheduled messages that are due. The caller deletes the rows in which they waited. */
  insertWaited(
    due: readonly WaitedMessage[],
    now: number,
    releasing: Releasing,
  ): readonly ReleasedJob[] {
    return due.flatMap((message) => {
      const { seq, stream, released, emailId } = this.#enter(message, now, releasing);
      this.#rows.insertFrom(message, seq, stream);
      return refsOf(emailId, 0, released, seq);
    });
  }

  /** Releases jobs that waited in the backlog. */
  release(range: JobRange, now: number): ReleasedJob[] {
    const { seq, emailId, recipients, from, to, contentKey } = range;
    const known = this.inFlight.get(emailId);
    const { inherited } = known ?? { inherited: null };
    const jobs = known ? this.lookUps.jobsOf(known) : NO_JOBS;
    const message = { seq, recipients, contentKey, inherited, jobs };
    const times = { releasedAt: now, since: now };
    this.inFlight.track(emailId, { ...message, ...times, released: to }, jobs);
    return refsOf(emailId, from, to, this.#rows.contentGroupOf(seq));
  }

  /** Tells whether the ledger has room for this many more bytes of large content. */
  hasRoomFor(largeBytes: number): boolean {
    return this.#rows.large.hasRoomFor(largeBytes);
  }

  /** Reads messages with their content, but with at most `largeBytes` of large content. */
  read(seqs: readonly number[], largeBytes: number): ClaimedMessage[] {
    return this.#rows.read(seqs, largeBytes);
  }

  /** Changes some jobs of a message. `isKept`: writes the change, so that a restart keeps it. */
  change(entry: InFlight, jobs: Jobs, changed: Jobs, isKept: boolean): void {
    if (Object.keys(changed).length === 0) return;
    const after = { ...jobs, ...changed };
    if (isKept) this.#rows.saveJobs(entry.seq, JSON.stringify(after));
    this.#jobCounts.change(jobs, changed);
    this.inFlight.reschedule(entry, after);
    // Jobs that may wait for hours are removed from memory, and read again from the row.
    entry.jobs = isKept && isResting(after) ? undefined : after;
  }

  /**
   * Changes some jobs of a message and writes the change. When all jobs are done, returns the
   * message, which is not in memory any more; the caller must then call finish().
   */
  settle(emailId: string, entry: InFlight, jobs: Jobs, changed: Jobs): FinishedMessage[] {
    if (Object.keys(changed).length === 0) return [];
    const after = { ...jobs, ...changed };
    this.#openJobs -= countDone(changed);
    if (this.stuck.has(emailId))
      this.stuck.note(emailId, entry.since, countWithoutOutcome(after, entry.released));
    if (countDone(after) < entry.recipients) {
      this.change(entry, jobs, changed, true);
      return [];
    }
    this.#jobCounts.change(jobs, changed);
    this.inFlight.remove(emailId);
    this.#messages -= 1;
    return [entry];
  }

  /**
   * Puts events into the log and deletes finished messages, whose rows the log's rows replace.
   * Returns the R2 keys of content that is not needed any more.
   */
  finish(
    finished: readonly FinishedMessage[],
    logged: readonly LoggedMessage[],
    now: number,
  ): string[] {
    const seqs = finished.map(({ seq }) => seq);
    this.#log.append(logged, seqs, now);
    this.#rows.dropContent(seqs);
    return finished.flatMap(({ contentKey }) => contentKey ?? []);
  }

  /**
   * Takes a message into memory. `stream`: the stream in which jobs of it wait; null: none wait.
   */
  #enter(
    { emailId, recipients, stream, contentKey }: Omit<WaitedMessage, "table" | "row">,
    now: number,
    releasing: Releasing,
  ) {
    const seq = this.#log.rows.nextSeq();
    const released = releasing({ seq, stream, recipients });
    this.#messages += 1;
    this.#openJobs += recipients;
    const message = { seq, recipients, contentKey, inherited: null, jobs: NO_JOBS };
    const times = { releasedAt: now, since: now };
    if (released > 0) this.inFlight.track(emailId, { ...message, ...times, released }, NO_JOBS);
    const waitsIn = released < recipients ? stream : null;
    return { emailId, seq, recipients, contentKey, released, stream: waitsIn };
  }

  /** Takes a message from disk into memory, after a restart. */
  #restore(row: OpenMessageRow, past: Past, now: number): void {
    const { seq, recipients, content_key: contentKey } = row;
    const jobs = this.#inheritJobs(row, now);
    this.#messages += 1;
    this.#openJobs += recipients - countDone(jobs);
    this.#jobCounts.add(jobs);
    const released = past.releasedOf(row.stream, seq, recipients);
    if (released === 0) return;
    const times = {
      releasedAt: now + this.#waits.inheritedMs - this.#waits.releaseMs,
      since: row.stream === null ? row.accepted_at : now,
    };
    const inherited = { jobs: released, restartedAt: now };
    this.inFlight.track(
      row.id,
      { seq, recipients, released, ...times, contentKey, inherited, jobs: undefined },
      jobs,
    );
    this.stuck.note(row.id, times.since, countWithoutOutcome(jobs, released));
  }

  #inheritJobs({ seq, jobs }: OpenMessageRow, now: number): Jobs {
    const before = JSON.parse(jobs) as Jobs;
    const after = Object.fromEntries(
      Object.entries(before).map(([index, job]: [string, Job]) => [
        index,
        inheritJob(job, now, this.#waits),
      ]),
    );
    const json = JSON.stringify(after);
    if (json !== jobs) this.#rows.saveJobs(seq, json);
    return after;
  }
}
