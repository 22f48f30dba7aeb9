// Keeps the messages that were accepted and are not finished yet, one row each
// (docs/architecture.md §Admit): it stores and releases them, and applies the changes of their
// jobs. A row is written when its message is accepted and when some of its recipients are settled.
// When all are settled, a row of the log takes its place.
import { Backlog, type Release } from "../release/backlog.ts";
import type { Released } from "../release/dispatch.ts";
import {
  countDone,
  countUnanswered,
  type InFlight,
  InFlightSchedule,
  isResting,
  NO_JOBS,
} from "./in-flight.ts";
import { JobCounts } from "./job-counts.ts";
import { inheritJob, nextAttemptOf, type Job, type Jobs, type Waits } from "./job.ts";
import type {
  Candidate,
  ClaimedMessage,
  Grant,
  OpenMessage,
} from "../../contracts/ledger-contract.ts";
import type { EventLog } from "../log/event-log.ts";
import { MessageRows, type NewMessageRow, type OpenRow } from "./message-rows.ts";
import type { DueMessage } from "../release/scheduled-rows.ts";
import type { StuckMessages } from "../settle/stuck-messages.ts";

/**
 * Open recipients by state, and the start of the oldest open message (Unix milliseconds).
 * Stuck recipients are counted in their state as well.
 */
export type OpenGauges = Readonly<
  Record<
    "waiting" | "queued" | "attempting" | "deferred" | "awaiting" | "stuck" | "oldestAcceptedAt",
    number
  >
>;

/** A message whose last recipient is settled: its row and its content in R2 are to be deleted. */
export interface FinishedMessage {
  readonly seq: number;
  readonly contentKey: string | null;
}

export class OpenMessages {
  readonly backlog: Backlog;
  /** Knows when the alarm has to look at each message in flight. */
  readonly schedule: InFlightSchedule;
  readonly #rows: MessageRows;
  readonly #waits: Waits;
  readonly #stuckMessages: StuckMessages;
  readonly #jobCounts = new JobCounts();
  readonly #log: EventLog;
  #messages = 0;
  #openJobs = 0;

  /**
   * Reads every row once, after a restart. Jobs that were released or leased before the restart are
   * offered again at `now` + inheritedMs.
   */
  constructor(
    sql: SqlStorage,
    log: EventLog,
    waits: Waits,
    stuckMessages: StuckMessages,
    now: number,
  ) {
    this.#rows = new MessageRows(sql);
    this.schedule = new InFlightSchedule(waits);
    this.#log = log;
    this.#waits = waits;
    this.#stuckMessages = stuckMessages;
    this.backlog = new Backlog(sql);
    for (const row of this.#rows.all()) this.#restore(row, now);
  }

  get size(): { readonly messages: number; readonly jobs: number } {
    return { messages: this.#messages, jobs: this.#openJobs };
  }

  /** Number of jobs that are released and not claimed yet. */
  get queued(): number {
    const { leased, waiting, awaiting } = this.#jobCounts;
    return this.#openJobs - this.backlog.waiting - leased - waiting - awaiting;
  }

  /** Counts open recipients for the metrics; null: no message is open. */
  gauges(): OpenGauges | null {
    if (this.#messages === 0) return null;
    const { leased: attempting, waiting: deferred, awaiting } = this.#jobCounts;
    return {
      waiting: this.backlog.waiting,
      queued: this.queued,
      attempting,
      deferred,
      awaiting,
      stuck: this.#stuckMessages.stuck,
      oldestAcceptedAt: this.#rows.oldestAcceptedAt(),
    };
  }

  /**
   * Stores messages. Of each message `roomFor(recipients)` jobs are released at once, and the
   * others join the backlog. Returns the released jobs.
   */
  insert(
    candidates: readonly Candidate[],
    acceptedAt: number,
    roomFor: (recipients: number) => number,
  ): Released[] {
    const counts: number[] = [];
    const rows = candidates.map((candidate) => {
      const count = roomFor(candidate.recipientCount);
      counts.push(count);
      return this.#admit(candidate, acceptedAt, count);
    });
    const contentGroups = this.#rows.insert(rows);
    return candidates.flatMap(({ id }, index) =>
      refsOf(id, 0, counts[index]!, contentGroups[index]!),
    );
  }

  /**
   * Takes in scheduled messages whose time has come, as insert() does with new ones. The caller
   * deletes their rows.
   */
  insertDue(
    due: readonly DueMessage[],
    now: number,
    roomFor: (recipients: number) => number,
  ): Released[] {
    return due.flatMap(({ row, emailId, ...message }) => {
      const count = roomFor(message.recipients);
      const { seq, stream } = this.#enter(emailId, message, now, count);
      this.#rows.insertScheduled(row, seq, stream);
      return refsOf(emailId, 0, count, seq);
    });
  }

  /** Releases up to `count` jobs from the backlog. */
  releaseWaiting(count: number, now: number): Released[] {
    return this.backlog.release(count).flatMap((release) => this.#release(release, now));
  }

  /** The message's jobs: from memory, or from its row. */
  jobsOf({ jobs, seq }: InFlight): Jobs {
    return jobs ?? this.#rows.readJobs(seq);
  }

  /** Tells whether the ledger takes so many bytes of large content more. */
  hasRoomFor(largeBytes: number): boolean {
    return this.#rows.large.hasRoomFor(largeBytes);
  }

  /** Reads messages with their content, of which at most `largeBytes` are large content. */
  read(seqs: readonly number[], largeBytes: number): ClaimedMessage[] {
    return this.#rows.read(seqs, largeBytes);
  }

  /** Reads the large content of a message in flight; null: the message is not in flight. */
  readLarge(emailId: string): Uint8Array<ArrayBuffer> | null {
    const entry = this.schedule.get(emailId);
    return entry ? this.#rows.large.read(entry.seq) : null;
  }

  /** Changes some jobs of a message. `isKept`: writes the change, so that a restart keeps it. */
  change(entry: InFlight, jobs: Jobs, changed: Jobs, isKept: boolean): void {
    if (Object.keys(changed).length === 0) return;
    const after = { ...jobs, ...changed };
    if (isKept) this.#rows.saveJobs(entry.seq, JSON.stringify(after));
    this.#jobCounts.change(jobs, changed);
    this.schedule.reschedule(entry, after);
    // Jobs that wait for hours take no memory meanwhile.
    entry.jobs = isKept && isResting(after) ? undefined : after;
  }

  /**
   * Changes some jobs of a message and writes the change. When all jobs are done, the message
   * leaves memory and is returned; the caller then deletes its row.
   */
  settle(emailId: string, entry: InFlight, jobs: Jobs, changed: Jobs): FinishedMessage[] {
    if (Object.keys(changed).length === 0) return [];
    const after = { ...jobs, ...changed };
    this.#openJobs -= countDone(changed);
    if (this.#stuckMessages.has(emailId))
      this.#stuckMessages.note(emailId, entry.since, countUnanswered(after, entry));
    if (countDone(after) < entry.recipients) {
      this.change(entry, jobs, changed, true);
      return [];
    }
    this.#jobCounts.change(jobs, changed);
    this.schedule.remove(emailId);
    this.#messages -= 1;
    return [entry];
  }

  /**
   * Drops the content of finished messages, whose rows are deleted. Returns the R2 keys of content
   * that is stored there.
   */
  dropContent(finished: readonly FinishedMessage[]): string[] {
    this.#rows.dropContent(finished.map(({ seq }) => seq));
    return finished.flatMap(({ contentKey }) => contentKey ?? []);
  }

  /** Finds a message that has open recipients. */
  find(emailId: string): OpenMessage | undefined {
    const entry = this.schedule.get(emailId);
    const seq = entry?.seq ?? this.#rows.seqOfWaiting(emailId);
    if (seq === undefined) return undefined;
    const row = this.#rows.find(seq);
    const jobs = entry?.jobs ?? row.jobs;
    return {
      meta: row.meta,
      startsAt: row.startsAt,
      nextAttempts: Array.from({ length: row.recipients }, (_, index) =>
        nextAttemptOf(jobs[index]),
      ),
    };
  }

  /** Tells whether a message has open recipients. */
  has(emailId: string): boolean {
    return (
      this.schedule.get(emailId) !== undefined || this.#rows.seqOfWaiting(emailId) !== undefined
    );
  }

  /** Tells whether this attempt of a recipient has no final outcome and no attempt after it. */
  isOpen({ emailId, recipientIndex, attempt }: Grant): boolean {
    const entry = this.schedule.get(emailId);
    const job = entry && this.jobsOf(entry)[recipientIndex];
    return job !== undefined && job.state !== "done" && job.attempt === attempt;
  }

  /**
   * Finds messages whose JSON contains `text`, with the attempts on disk that a consumer had begun
   * at `at` (Unix milliseconds).
   */
  underWay(
    text: string,
    at: number,
  ): { readonly meta: string; readonly grants: readonly Grant[] }[] {
    return this.#rows.leased(text).map(({ id: emailId, meta, jobs }) => ({
      meta,
      grants: Object.entries<Job>(JSON.parse(jobs) as Jobs).flatMap(([index, job]) =>
        job.state === "leased" && !job.unheard && (job.claimedAt ?? Infinity) <= at
          ? [{ emailId, recipientIndex: Number(index), attempt: job.attempt }]
          : [],
      ),
    }));
  }

  /** The R2 keys of all content that open messages have there. */
  contentKeys(): string[] {
    return this.#rows.contentKeys();
  }

  /** Takes a new message into memory, of which `released` jobs are released. Returns its row. */
  #admit(
    { id, recipientCount: recipients, stream, contentKey, meta, content }: Candidate,
    acceptedAt: number,
    released: number,
  ): NewMessageRow {
    const message = { recipients, stream, contentKey };
    const entered = this.#enter(id, message, acceptedAt, released);
    return { emailId: id, startsAt: acceptedAt, recipients, contentKey, meta, content, ...entered };
  }

  /**
   * Takes a message into memory, of which `released` jobs are released at `now`. Returns its number,
   * and the stream in which it waits; null: all its jobs are released.
   */
  #enter(
    emailId: string,
    { recipients, stream, contentKey }: Pick<DueMessage, "recipients" | "stream" | "contentKey">,
    now: number,
    released: number,
  ): { readonly seq: number; readonly stream: string | null } {
    const seq = this.#log.nextSeq();
    this.#messages += 1;
    this.#openJobs += recipients;
    const waitsIn = released < recipients ? stream : null;
    if (waitsIn !== null) this.backlog.add(waitsIn, seq, released, recipients);
    const message = { seq, recipients, contentKey, isInherited: false, jobs: NO_JOBS };
    const times = { releasedAt: now, since: now };
    if (released > 0) this.schedule.track(emailId, { ...message, ...times, released }, NO_JOBS);
    return { seq, stream: waitsIn };
  }

  /** Takes a message into memory that a restart found. */
  #restore(row: OpenRow, now: number): void {
    const { seq, recipients, content_key: contentKey } = row;
    const jobs = this.#inheritJobs(row, now);
    this.#messages += 1;
    this.#openJobs += recipients - countDone(jobs);
    this.#jobCounts.add(jobs);
    const released = this.backlog.releasedOf(row.stream, seq, recipients);
    if (released === 0) return;
    const times = {
      releasedAt: now + this.#waits.inheritedMs - this.#waits.releaseMs,
      since: row.stream === null ? row.accepted_at : now,
    };
    this.schedule.track(
      row.id,
      { seq, recipients, released, ...times, contentKey, isInherited: true, jobs: undefined },
      jobs,
    );
  }

  #inheritJobs({ seq, jobs }: OpenRow, now: number): Jobs {
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

  #release({ seq, emailId, recipients, from, to, contentKey }: Release, now: number): Released[] {
    const known = this.schedule.get(emailId);
    const times = { releasedAt: now, since: now };
    const isInherited = known?.isInherited ?? false;
    const jobs = known ? this.jobsOf(known) : NO_JOBS;
    this.schedule.track(
      emailId,
      { seq, recipients, released: to, ...times, contentKey, isInherited, jobs },
      jobs,
    );
    return refsOf(emailId, from, to, this.#rows.contentGroupOf(seq));
  }
}

/** The jobs of a message with an index from `from` to below `to`. */
export function refsOf(
  emailId: string,
  from: number,
  to: number,
  contentGroup: number,
): Released[] {
  return Array.from({ length: to - from }, (_, offset) => ({
    emailId,
    recipientIndex: from + offset,
    contentGroup,
  }));
}
