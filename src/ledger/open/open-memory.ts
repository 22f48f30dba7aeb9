// Decides which open messages are in memory (docs/storage.md §Open messages), namely those in
// flight (in-flight.ts). All other messages rest: they are only on disk until the time in their
// row, or until a call names their id (resting-rows.ts). So a large number of open messages takes
// no more memory, and does not slow a restart. Also counts the open messages and their jobs.
import type { EventLog } from "../log/event-log.ts";
import {
  type InFlight,
  InFlightSchedule,
  inheritJobs,
  mayLeave,
  newInFlight,
  wakeOf,
} from "./in-flight.ts";
import { addCounts, countJobs, type JobCounts, noCounts } from "./job-counts.ts";
import type { Jobs } from "./job.ts";
import type { Waits } from "./job-waits.ts";
import { type OpenMessageRow, RestingRows } from "./resting-rows.ts";
import { StuckMessages } from "./stuck-messages.ts";

/**
 * Number of messages in memory above which messages move to disk, if no consumer works on them. A
 * message takes some 600 bytes.
 */
export const MESSAGES_IN_MEMORY = 20_000;
/**
 * Age at which a message in flight gets a wake time in its row, counted from its release. Then a
 * restart need not search for the message.
 */
const YOUNG_MS = 60_000;
/**
 * Maximum number of messages that one run of the alarm reads from disk. If memory is full, the run
 * reads ALWAYS_LOADED messages.
 */
const LOADED_PER_ALARM = 5_000;
const ALWAYS_LOADED = 100;
/** Maximum number of messages that leave memory in one commit. */
const LEAVING_PER_COMMIT = 1_000;

/** The messages that wait in the backlog after a restart. */
export interface Past {
  /** The messages that have no released job. */
  readonly unreleased: { readonly messages: number; readonly jobs: number };
  releasedOf(stream: string | null, seq: number, recipients: number): number;
}

export interface MemoryBounds {
  readonly waits: Waits;
  /** Time without an outcome after which a message is reported as stuck. */
  readonly stuckMs: number;
  /** Number of messages in memory above which messages move to disk. */
  readonly messagesInMemory: number;
}

export class OpenMemory {
  /** The messages in memory, each with the time at which the alarm must examine it. */
  readonly inFlight = new InFlightSchedule();
  readonly stuck: StuckMessages;
  readonly resting: RestingRows;
  /** Number of open jobs in each state. A job that was never claimed has no state. */
  readonly counts: JobCounts = noCounts();
  /** Number of open messages. */
  messages = 0;
  readonly #past: Past;
  readonly #bounds: MemoryBounds;
  readonly #restartedAt: number;
  /** The number of the last row that was written before the restart. */
  readonly #lastBefore: number;

  /** Reads the messages that are due or in flight, after a restart. */
  constructor(sql: SqlStorage, log: EventLog, past: Past, bounds: MemoryBounds, now: number) {
    this.resting = new RestingRows(sql);
    this.stuck = new StuckMessages(sql, bounds.stuckMs);
    this.#past = past;
    this.#bounds = bounds;
    this.#restartedAt = now;
    this.#lastBefore = log.lastNumber;
    const { messages, ...counts } = this.resting.count();
    this.messages = messages + past.unreleased.messages;
    addCounts(this.counts, counts);
    this.counts.open += past.unreleased.jobs;
    log.watchUnderWay(() => this.#firstUnderWay());
    for (const row of this.resting.underWay(log.underWayFrom)) this.#enterAgain(row);
    this.loadDue(now);
  }

  /**
   * Finds a message with released jobs, in memory or on disk. A caller that changes the message
   * must call keep() or rest().
   */
  find(emailId: string): InFlight | undefined {
    const known = this.inFlight.get(emailId);
    if (known) return known;
    const row = this.resting.find(emailId);
    if (!row) return undefined;
    const entry = this.#restore(row);
    return entry.released > 0 ? entry : undefined;
  }

  /**
   * Returns the number of an open message, in memory or on disk. Undefined means that the message
   * is not open.
   */
  seqOf(emailId: string): number | undefined {
    return this.inFlight.get(emailId)?.seq ?? this.resting.find(emailId)?.seq;
  }

  /** Finds a message with jobs in the backlog, even if no job is released. */
  findWaiting(emailId: string, seq: number): InFlight {
    return this.find(emailId) ?? this.#restore(this.resting.read(seq));
  }

  /** Keeps a changed message in memory, and sets the time at which the alarm must examine it. */
  keep(emailId: string, entry: InFlight): void {
    const wakeAt = wakeOf(entry, entry.jobs, this.#bounds.waits);
    entry.wakeAt = Math.min(wakeAt, this.stuck.dueOf(entry, entry.jobs));
    this.inFlight.keep(emailId, entry);
  }

  /**
   * Writes a message's jobs and its next wake time. Removes the message from memory, except while a
   * consumer may be working on the message or some of its copies are unsent.
   */
  rest(emailId: string, entry: InFlight): void {
    this.keep(emailId, entry);
    const { seq, jobs, recipients, released, since, wakeAt } = entry;
    if (wakeAt === Number.POSITIVE_INFINITY) {
      this.save(entry);
      return this.inFlight.remove(emailId);
    }
    const leavesStream = entry.isInStream && released === recipients;
    const counts = countJobs(jobs, recipients);
    const until = Math.max(Math.ceil(wakeAt), this.resting.earliest);
    this.resting.write(seq, { jobs, counts, wakeAt: until, since, leavesStream });
    entry.isInStream &&= !leavesStream;
    entry.restsUntil = until;
    this.inFlight.noteWake(until);
    if (mayLeave(entry) && entry.unsent === 0) this.inFlight.remove(emailId);
  }

  /** Writes a message's jobs, and their counts if the message's row has counts. */
  save({ seq, jobs, recipients, restsUntil }: InFlight): void {
    const counts = restsUntil === null ? null : countJobs(jobs, recipients);
    this.resting.saveJobs(seq, jobs, counts);
  }

  /**
   * Sets the time at which the alarm must examine a message. Writes this time to the message's row
   * if the message was released more than YOUNG_MS ago.
   */
  reschedule(emailId: string, entry: InFlight, now: number): void {
    if (entry.restsUntil === null && entry.since + YOUNG_MS <= now) this.rest(emailId, entry);
    else this.keep(emailId, entry);
  }

  /** Takes up to `limit` messages that are due from disk into memory, if memory has space. */
  loadDue(now: number, limit = LOADED_PER_ALARM): void {
    const room = Math.max(ALWAYS_LOADED, this.#bounds.messagesInMemory - this.inFlight.size);
    for (const row of this.resting.takeDue(now, Math.min(LOADED_PER_ALARM, limit, room)))
      if (!this.inFlight.get(row.id)) this.keep(row.id, this.#restore(row));
  }

  /** Reads up to `limit` messages on disk that may have a copy at a gateway. */
  restingHandedOver(limit: number): InFlight[] {
    const rows = this.resting.handedOver(this.#restartedAt, limit);
    return rows.filter(({ id }) => !this.inFlight.get(id)).map((row) => this.#restore(row));
  }

  /** Returns all messages with released jobs. Only a test build may call this. */
  all(): (readonly [emailId: string, entry: InFlight])[] {
    const resting = this.resting.others().filter(({ id }) => !this.inFlight.get(id));
    return [...this.inFlight.all(), ...resting.map((row) => [row.id, this.#restore(row)] as const)];
  }

  /**
   * The time at which the alarm must next examine a message, in Unix milliseconds. Infinity means
   * never. Messages on disk may not come into memory before `notBefore`.
   */
  nextWake(notBefore = 0): number {
    return Math.min(this.inFlight.nextWake(), Math.max(notBefore, this.resting.nextWake()));
  }

  /**
   * Moves messages from memory to their rows while too many are in memory. A message stays in
   * memory while a consumer works on it.
   */
  leaveMemory(): void {
    const { messagesInMemory } = this.#bounds;
    let surplus = Math.min(LEAVING_PER_COMMIT, this.inFlight.size - messagesInMemory);
    if (surplus <= 0) return;
    for (const [emailId, entry] of this.inFlight.all()) {
      if (surplus === 0) return;
      if (!mayLeave(entry) || entry.wakeAt < this.resting.earliest) continue;
      this.rest(emailId, entry);
      this.inFlight.remove(emailId);
      surplus -= 1;
    }
  }

  /** Makes the entry of a message from its row. */
  #restore(row: OpenMessageRow): InFlight {
    const { seq, recipients, stream, content_key: contentKey } = row;
    const { waits } = this.#bounds;
    const released = this.#past.releasedOf(stream, seq, recipients);
    const jobs = JSON.parse(row.jobs) as Jobs;
    const isFromBefore = seq <= this.#lastBefore;
    const since = row.since ?? (stream === null ? row.accepted_at : this.#restartedAt);
    const message = { seq, recipients, contentKey, released, since, isInStream: stream !== null };
    return {
      ...newInFlight(message),
      releasedAt: this.#restartedAt + waits.inheritedMs - waits.releaseMs,
      restsUntil: row.wake_at,
      isLate: true,
      stuckJobs: this.stuck.jobsOf(row.id),
      inherited: isFromBefore ? { jobs: released, restartedAt: this.#restartedAt } : null,
      jobs: isFromBefore ? inheritJobs(jobs, this.#restartedAt, waits) : jobs,
    };
  }

  /** Takes a message that was in flight at the restart into memory again. */
  #enterAgain(row: OpenMessageRow): void {
    const entry = this.#restore(row);
    this.messages += 1;
    addCounts(this.counts, countJobs(entry.jobs, entry.recipients));
    this.keep(row.id, entry);
  }

  /**
   * The lowest number of a message in flight whose row has no wake time and no stream. A restart
   * searches from this number on.
   */
  #firstUnderWay(): number {
    let first = Number.POSITIVE_INFINITY;
    for (const [, { seq, restsUntil, isInStream }] of this.inFlight.all())
      if (restsUntil === null && !isInStream && seq < first) first = seq;
    return first;
  }
}
