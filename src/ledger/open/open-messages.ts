// Stores accepted messages that are not finished, one row each (docs/architecture.md §Admit), and
// applies the changes of their jobs. A row is written when its message is accepted, and again when
// some recipients are settled. When all recipients are settled, a row of the log replaces it.
import type { Candidate, ClaimedMessage, LoggedMessage } from "../../rpc/ledger-calls.ts";
import type { ReleasedJob } from "../after-commit.ts";
import type { TeamLog } from "../log/team-log.ts";
import { streamOf } from "../release-stream.ts";
import type { ActiveHold } from "../../rpc/holds.ts";
import { CourierOutage } from "./courier-outage.ts";
import { HeldCopies } from "./held-copies.ts";
import type { HeldState, Holds } from "./hold-periods.ts";
import { type InFlight, isResting, isUntaken, newInFlight, refsOf } from "./in-flight.ts";
import { countJobs, recount } from "./job-counts.ts";
import type { Jobs } from "./job.ts";
import type { Waits } from "./job-waits.ts";
import { type MemoryBounds, OpenMemory, type Past } from "./open-memory.ts";
import { MessageRows, type WaitedMessage } from "./message-rows.ts";

/** A new open message, with the number of its row. */
export interface NewOpenMessage {
  readonly seq: number;
  readonly stream: string;
  readonly recipients: number;
}

/**
 * Decides how many of a message's jobs are released immediately, and in which stream the other jobs
 * wait.
 */
type Releasing = (message: NewOpenMessage) => FirstRelease;

/** The number of released jobs of a new message, and the stream in which the other jobs wait. */
export interface FirstRelease {
  readonly released: number;
  readonly stream: string;
}

/** Jobs of one message that leave the backlog, from index `from` up to but not including `to`. */
export interface JobRange {
  readonly seq: number;
  readonly emailId: string;
  readonly recipients: number;
  readonly from: number;
  readonly to: number;
  readonly contentKey: string | null;
}

/**
 * The hold of a message, and the time that the message has been on hold until now, in milliseconds.
 */
export interface HeldMessage extends HeldState {
  readonly hold: ActiveHold;
}

export class OpenMessages {
  readonly memory: OpenMemory;
  readonly holds: Holds;
  readonly heldCopies: HeldCopies;
  readonly outage: CourierOutage;
  readonly waits: Waits;
  readonly rows: MessageRows;
  readonly #log: TeamLog;
  /** The messages whose last recipient is settled. finish() deletes their rows. */
  #finished: Pick<InFlight, "seq" | "contentKey">[] = [];

  constructor(
    sql: SqlStorage,
    log: TeamLog,
    { past, holds }: { readonly past: Past; readonly holds: Holds },
    bounds: MemoryBounds,
    now: number,
  ) {
    this.holds = holds;
    this.heldCopies = new HeldCopies(sql);
    this.rows = new MessageRows(sql);
    this.memory = new OpenMemory(sql, log.rows, past, bounds, now);
    this.outage = new CourierOutage(bounds.waits);
    this.waits = bounds.waits;
    this.#log = log;
  }

  get size(): { readonly messages: number; readonly jobs: number } {
    return { messages: this.memory.messages, jobs: this.memory.counts.open };
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
    const contentGroups = this.rows.insert(
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
      this.rows.insertFrom(message, seq, stream);
      return refsOf(emailId, 0, released, seq);
    });
  }

  /** Releases jobs that waited in the backlog. */
  release(
    { seq, emailId, recipients, from, to, contentKey }: JobRange,
    now: number,
  ): ReleasedJob[] {
    const message = { seq, recipients, contentKey, released: to, since: now, isInStream: true };
    const known = from === 0 ? undefined : this.memory.findWaiting(emailId, seq);
    if (known && known.restsUntil !== null) this.memory.resting.clear(seq);
    this.memory.keep(emailId, known ? afterMore(known, from, to, now) : newInFlight(message));
    return refsOf(emailId, from, to, this.rows.contentGroupOf(seq));
  }

  /** Reads messages with their content, but with at most `largeBytes` of large content. */
  read(seqs: readonly number[], largeBytes: number, now: number): ClaimedMessage[] {
    const messages = this.rows.read(seqs, largeBytes);
    if (!this.holds.hasAny) return messages;
    return messages.map((message) => {
      const { fromDomain } = JSON.parse(message.meta) as { readonly fromDomain?: string };
      const heldMs = this.holds.heldFor(fromDomain ?? "", message.startsAt, now);
      return heldMs > 0 ? { ...message, heldMs } : message;
    });
  }

  /** Finds the hold that stops a message now. Undefined means that no hold stops the message. */
  holdOf({ seq }: InFlight, now: number): HeldMessage | undefined {
    if (this.holds.isEmpty) return undefined;
    const { hold, ...held } = this.holds.stateOf(this.rows.originOf(seq), now);
    return hold && { ...held, hold };
  }

  /** Puts some jobs of a message on hold, and stores the message in the table of held copies. */
  hold(emailId: string, entry: InFlight, held: Jobs, domain: string, now: number): void {
    if (Object.keys(held).length === 0) return;
    this.#apply(entry, held);
    this.heldCopies.add(domain, entry.seq, emailId);
    this.holds.noteMail(domain, now);
    this.memory.rest(emailId, entry);
  }

  /** Ends the hold of some jobs of a message, so that they are due now. */
  free(emailId: string, entry: InFlight, freed: Jobs, now: number): void {
    if (Object.keys(freed).length === 0) return;
    this.#apply(entry, freed);
    entry.since = now;
    this.memory.rest(emailId, entry);
  }

  /**
   * Changes some jobs of a message. `isKept` means that the change is written to disk, so that a
   * restart does not lose it. The end of isUntaken() is always written.
   */
  change(emailId: string, entry: InFlight, changed: Jobs, isKept: boolean): void {
    if (Object.keys(changed).length === 0) return;
    const isWritten =
      isKept ||
      Object.entries(changed).some(
        ([index, job]) => isUntaken(entry.jobs[Number(index)]) && !isUntaken(job),
      );
    this.#apply(entry, changed);
    if (isWritten) this.#write(emailId, entry);
    else this.memory.keep(emailId, entry);
  }

  /**
   * Changes some jobs of a message and writes the change. All jobs may be done after that, so the
   * same group commit must call finish().
   */
  settle(emailId: string, entry: InFlight, changed: Jobs): void {
    if (Object.keys(changed).length === 0) return;
    this.#apply(entry, changed);
    this.memory.stuck.settle(emailId, entry, entry.jobs);
    if (countJobs(entry.jobs, entry.recipients).open === 0) {
      this.memory.inFlight.remove(emailId);
      this.memory.messages -= 1;
      this.#finished.push(entry);
    } else this.#write(emailId, entry);
  }

  /**
   * Puts events into the log and deletes finished messages, whose rows the log's rows replace.
   * Returns the R2 keys of content that is not needed any more.
   */
  finish(logged: readonly LoggedMessage[], now: number): string[] {
    const finished = this.#finished;
    this.#finished = [];
    const seqs = finished.map(({ seq }) => seq);
    this.#log.append(logged, seqs, now);
    this.rows.dropContent(seqs);
    return finished.flatMap(({ contentKey }) => contentKey ?? []);
  }

  /** Writes a message's jobs, with its next wake time if no consumer and no gateway has a job. */
  #write(emailId: string, entry: InFlight): void {
    if (isResting(entry, entry.jobs)) return this.memory.rest(emailId, entry);
    this.memory.save(entry);
    this.memory.keep(emailId, entry);
  }

  #apply(entry: InFlight, changed: Jobs): void {
    recount(this.memory.counts, entry.jobs, changed);
    entry.jobs = { ...entry.jobs, ...changed };
  }

  /**
   * Takes a message into memory. `stream` is the stream in which its other jobs wait. Null means
   * that no job waits.
   */
  #enter(
    { emailId, recipients, contentKey, ...waited }: Omit<WaitedMessage, "table" | "row">,
    now: number,
    releasing: Releasing,
  ) {
    const seq = this.#log.rows.nextNumber();
    const { released, stream } = releasing({ seq, stream: waited.stream, recipients });
    this.memory.messages += 1;
    this.memory.counts.open += recipients;
    const isInStream = released < recipients;
    const message = { seq, recipients, contentKey, released, since: now, isInStream };
    if (released > 0) this.memory.keep(emailId, newInFlight(message));
    return { emailId, seq, recipients, contentKey, released, stream: isInStream ? stream : null };
  }
}

/**
 * Returns the entry after the release of the jobs from index `from` up to but not including `to`.
 */
function afterMore(entry: InFlight, from: number, to: number, now: number): InFlight {
  const inherited = entry.inherited && { ...entry.inherited, jobs: from };
  const times = { releasedAt: now, since: now, restsUntil: null };
  return { ...entry, ...times, inherited, released: to, isLate: false, unclaimedReleases: 0 };
}
