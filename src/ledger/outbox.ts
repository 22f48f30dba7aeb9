// Holds the messages that were accepted and not yet settled for good, one row each
// (docs/architecture.md §Admit). A row is written on acceptance and when some of its recipients are
// settled; when all are, it makes way for a row of the log. Two facts live only in memory, because
// a restart may forget them: that a job was handed to the queue, since it is only released once
// more, and that it is leased for a courier which, asked twice, sends once. Other leases are
// written too.
import { Backlog, type Release } from "./backlog.ts";
import { JobCounts } from "./job-counts.ts";
import type {
  Candidate,
  Claim,
  ClaimedMessage,
  Grant,
  JobRef,
  OpenMessage,
  Settlement,
} from "../contracts/ledger-contract.ts";
import type { Released } from "./dispatch.ts";
import type { EventLog } from "./log/event-log.ts";
import {
  doneIn,
  type InFlight,
  isReleased,
  isResting,
  type NewInFlight,
  NO_JOBS,
  unansweredIn,
  underWay,
} from "./in-flight.ts";
import {
  claimJob,
  endAttempts,
  holdJob,
  inheritJob,
  isAbandoned,
  nextAttemptOf,
  offerAt,
  postponeJob,
  settleJob,
  type Job,
  type Jobs,
  type Waits,
} from "./job.ts";
import type { StuckMessages } from "./stuck-messages.ts";
import { ContentGroups } from "./content-groups.ts";

/** Messages that one statement writes: each has eight values, and a statement takes a hundred. */
const ROWS_AT_ONCE = 12;
const INSERT =
  "INSERT INTO ledger (seq, id, accepted_at, recipients, stream, jobs, content_key, meta, content) VALUES ";
const WRITE = "UPDATE ledger SET jobs = ? WHERE seq = ?";

/** How many messages an alarm looks at in one go. */
const OFFERS_PER_ROUND = 1_000;

const DONE: Job = { state: "done" };

/**
 * Recipients by what they wait for, those that are stuck (all of them counted once more), and the
 * oldest message, Unix milliseconds.
 */
export type OutboxGauges = Readonly<
  Record<"waiting" | "queued" | "attempting" | "deferred" | "stuck" | "oldestAcceptedAt", number>
>;

/**
 * A message whose last recipient is settled: its row is to be deleted, and its content in R2 too.
 */
export interface Over {
  readonly seq: number;
  readonly contentKey: string | null;
}

interface ClaimedRow extends Record<string, SqlStorageValue> {
  seq: number;
  id: string;
  accepted_at: number;
  content_key: string | null;
  meta: string;
  content: string | null;
}

interface InheritedRow extends Record<string, SqlStorageValue> {
  seq: number;
  id: string;
  accepted_at: number;
  recipients: number;
  stream: string | null;
  jobs: string;
  content_key: string | null;
}

export class Outbox {
  readonly backlog: Backlog;
  readonly #sql: SqlStorage;
  readonly #waits: Waits;
  readonly #overdue: StuckMessages;
  readonly #packs: ContentGroups;
  readonly #census = new JobCounts();
  readonly #log: EventLog;
  readonly #inFlight = new Map<string, InFlight>();
  #messages = 0;
  #openJobs = 0;
  #touchedWake = Number.POSITIVE_INFINITY;

  /**
   * Reads every row once, after a restart: what was released or leased before it is offered again
   * soon, `now` + inheritedMs.
   */
  constructor(sql: SqlStorage, log: EventLog, waits: Waits, overdue: StuckMessages, now: number) {
    this.#sql = sql;
    this.#log = log;
    this.#waits = waits;
    this.#overdue = overdue;
    this.backlog = new Backlog(sql);
    this.#packs = new ContentGroups(sql);
    const columns = "seq, id, accepted_at, recipients, stream, jobs, content_key";
    const rows = sql.exec<InheritedRow>(`SELECT ${columns} FROM ledger WHERE day IS NULL`);
    for (const row of rows) {
      const { seq, recipients, content_key: contentKey } = row;
      const jobs = this.#inherit(row, now);
      this.#messages += 1;
      this.#openJobs += row.recipients - doneIn(jobs);
      this.#census.add(jobs);
      const released = this.backlog.releasedOf(row.stream, row.seq, row.recipients);
      const times = {
        releasedAt: now + waits.inheritedMs - waits.releaseMs,
        since: row.stream === null ? row.accepted_at : now,
      };
      if (released === 0) continue;
      this.#track(
        row.id,
        { seq, recipients, released, ...times, contentKey, isInherited: true, jobs: undefined },
        jobs,
      );
    }
  }

  get size(): { readonly messages: number; readonly jobs: number } {
    return { messages: this.#messages, jobs: this.#openJobs };
  }

  /** Jobs that were released and that nobody has claimed yet. */
  get queued(): number {
    const { leased, waiting } = this.#census;
    return this.#openJobs - this.backlog.waiting - leased - waiting;
  }

  /** What is open, for the metrics; null: nothing is. */
  gauges(): OutboxGauges | null {
    if (this.#messages === 0) return null;
    const { leased: attempting, waiting: deferred } = this.#census;
    const { queued } = this;
    const { waiting } = this.backlog;
    const { at } = this.#sql
      .exec<{ at: number }>(
        "SELECT accepted_at AS at FROM ledger WHERE day IS NULL ORDER BY seq LIMIT 1",
      )
      .one();
    return {
      waiting,
      queued,
      attempting,
      deferred,
      stuck: this.#overdue.stuck,
      oldestAcceptedAt: at,
    };
  }

  /**
   * Stores messages. Of each `roomFor(recipients)` jobs go to the queue right now, the others join
   * the backlog. Returns those released.
   */
  insert(
    candidates: readonly Candidate[],
    acceptedAt: number,
    roomFor: (recipients: number) => number,
  ): Released[] {
    const rows: SqlStorageValue[][] = [];
    const released: Released[] = [];
    const stored = this.#packs.store(
      this.#log.lastSeq + 1,
      candidates.map(({ content }) => content),
    );
    for (const [index, candidate] of candidates.entries()) {
      const count = roomFor(candidate.recipientCount);
      const { content, lot } = stored[index]!;
      rows.push([...this.#admit(candidate, acceptedAt, count), content]);
      released.push(...refs(candidate.id, 0, count, lot));
    }
    for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
      const some = rows.slice(at, at + ROWS_AT_ONCE);
      this.#sql.exec(
        INSERT + some.map(() => "(?, ?, ?, ?, ?, '{}', ?, ?, ?)").join(", "),
        ...some.flat(),
      );
    }
    return released;
  }

  /** Releases up to `count` jobs from the backlog. */
  releaseWaiting(count: number, now: number): Released[] {
    return this.backlog.release(count).flatMap((release) => this.#release(release, now));
  }

  /**
   * Leases what may be claimed; the messages come with their content. `isKept`: a restart must not
   * forget the leases.
   */
  claim(wanted: readonly JobRef[], now: number, isKept: boolean): Claim {
    const claimed: number[] = [];
    const grants: Grant[] = [];
    for (const [emailId, asked] of byMessage(wanted)) {
      const entry = this.#inFlight.get(emailId);
      if (!entry) continue;
      const jobs = this.#jobs(entry);
      // The alarm released it by this object's clock: a consumer whose clock is behind must not
      // find it too early.
      const leasedFrom = Math.max(now, entry.releasedAt);
      const leased: Record<number, Job> = {};
      for (const recipientIndex of new Set(asked.map((ref) => ref.recipientIndex))) {
        const job = isReleased(recipientIndex, entry)
          ? claimJob(jobs[recipientIndex], leasedFrom, this.#waits.leaseMs)
          : undefined;
        if (!job) continue;
        leased[recipientIndex] = job;
        grants.push({ emailId, recipientIndex, attempt: job.attempt });
      }
      if (Object.keys(leased).length === 0) continue;
      claimed.push(entry.seq);
      entry.unclaimedReleases = 0;
      this.#change(entry, jobs, leased, isKept);
    }
    return { messages: this.#read(claimed), grants };
  }

  /** Begins the leases of claimed jobs anew. */
  hold(grants: readonly Grant[], now: number): void {
    this.#changeLeased(grants, (job, attempt) => holdJob(job, attempt, now, this.#waits.leaseMs));
  }

  /** Puts claimed jobs back, to be offered again after a while as the same attempt. */
  postpone(grants: readonly Grant[], now: number): void {
    this.#changeLeased(grants, (job, attempt) => postponeJob(job, attempt, now, this.#waits));
  }

  /**
   * Returns the places of the settlements that were applied, and the messages that are over with
   * them.
   */
  settle(settlements: readonly Settlement[]): {
    readonly applied: readonly number[];
    readonly over: readonly Over[];
  } {
    const applied: number[] = [];
    const over: Over[] = [];
    for (const [emailId, outcomes] of byMessage(
      settlements.map((outcome, index) => ({ ...outcome, index })),
    )) {
      const entry = this.#inFlight.get(emailId);
      if (!entry) continue;
      const jobs = this.#jobs(entry);
      const settled: Record<number, Job> = {};
      for (const { index, ...outcome } of outcomes) {
        const before =
          settled[outcome.recipientIndex] ??
          underWay(jobs[outcome.recipientIndex], outcome.attempt, entry);
        const job = settleJob(before, outcome);
        if (!job) continue;
        settled[outcome.recipientIndex] = job;
        applied.push(index);
      }
      over.push(...this.#end(emailId, entry, jobs, settled));
    }
    return { applied, over };
  }

  /**
   * A report has told of a recipient's bounce: no further attempt follows. Returns the message if
   * it is over with that.
   */
  endAttempts({ emailId, recipientIndex }: JobRef, now: number): readonly Over[] {
    const entry = this.#inFlight.get(emailId);
    if (!entry || !isReleased(recipientIndex, entry)) return [];
    const jobs = this.#jobs(entry);
    const job = endAttempts(jobs[recipientIndex], now, this.#waits.leaseMs);
    return job ? this.#end(emailId, entry, jobs, { [recipientIndex]: job }) : [];
  }

  /**
   * The rows of messages that are over are deleted: their content goes too. Returns the R2 keys of
   * what is not here.
   */
  dropContent(over: readonly Over[]): string[] {
    if (over.length > 0) this.#packs.drop(over.map(({ seq }) => seq));
    return over.flatMap(({ contentKey }) => contentKey ?? []);
  }

  /**
   * The jobs to offer to the queue (again): released or leased too long ago, or due for a retry.
   * Ends those that a report has made the last, with their messages.
   */
  offers(now: number): { readonly offered: readonly Released[]; readonly over: readonly Over[] } {
    const offered: Released[] = [];
    const over: Over[] = [];
    let looked = 0;
    for (const [emailId, entry] of this.#inFlight) {
      if (entry.wakeAt > now) continue;
      looked += 1;
      if (looked > OFFERS_PER_ROUND) break;
      const jobs = this.#jobs(entry);
      const abandoned = Object.entries<Job>(jobs).flatMap(([index, job]) =>
        isAbandoned(job, now) ? [[index, DONE] as const] : [],
      );
      for (const ref of refs(emailId, 0, entry.released, entry.seq)) {
        const job = jobs[ref.recipientIndex];
        const at = offerAt(job, entry.releasedAt, entry.unclaimedReleases, this.#waits);
        if (at !== null && at <= now && !isAbandoned(job, now)) offered.push(ref);
      }
      this.#overdue.note(emailId, entry.since, unansweredIn(jobs, entry));
      entry.releasedAt = now;
      entry.unclaimedReleases += 1;
      this.#schedule(entry, jobs);
      over.push(...this.#end(emailId, entry, jobs, Object.fromEntries(abandoned)));
    }
    return { offered, over };
  }

  /** The earliest time at which offers() will have something; Infinity: nothing is in flight. */
  nextWake(): number {
    let earliest = Number.POSITIVE_INFINITY;
    for (const { wakeAt } of this.#inFlight.values()) if (wakeAt < earliest) earliest = wakeAt;
    return earliest;
  }

  /**
   * The same, of the messages that changed since the last call: saves a commit from looking at all
   * of them.
   */
  takeTouchedWake(): number {
    const earliest = this.#touchedWake;
    this.#touchedWake = Number.POSITIVE_INFINITY;
    return earliest;
  }

  /** What of the message is still open; undefined: nothing, or it was never here. */
  find(emailId: string): OpenMessage | undefined {
    const entry = this.#inFlight.get(emailId);
    const seq = entry?.seq ?? this.#seqOfWaiting(emailId);
    if (seq === undefined) return undefined;
    const row = this.#sql
      .exec<{ recipients: number; jobs: string; meta: string }>(
        "SELECT recipients, jobs, meta FROM ledger WHERE seq = ?",
        seq,
      )
      .one();
    const jobs = entry?.jobs ?? (JSON.parse(row.jobs) as Jobs);
    return {
      meta: row.meta,
      nextAttempts: Array.from({ length: row.recipients }, (_, index) =>
        nextAttemptOf(jobs[index]),
      ),
    };
  }

  contentKeys(): string[] {
    const rows = this.#sql.exec<{ content_key: string }>(
      "SELECT content_key FROM ledger WHERE content_key IS NOT NULL",
    );
    return Array.from(rows, (row) => row.content_key);
  }

  /** Takes a message into memory. Returns its row, but for jobs and content. */
  #admit(
    { id, recipientCount, stream, contentKey, meta }: Candidate,
    acceptedAt: number,
    released: number,
  ): SqlStorageValue[] {
    const seq = this.#log.nextSeq();
    this.#messages += 1;
    this.#openJobs += recipientCount;
    const waitsIn = released < recipientCount ? stream : null;
    if (waitsIn !== null) this.backlog.add(waitsIn, seq, released, recipientCount);
    const message = {
      seq,
      recipients: recipientCount,
      contentKey,
      isInherited: false,
      jobs: NO_JOBS,
    };
    const times = { releasedAt: acceptedAt, since: acceptedAt };
    if (released > 0) this.#track(id, { ...message, ...times, released }, NO_JOBS);
    return [seq, id, acceptedAt, recipientCount, waitsIn, contentKey, meta];
  }

  #inherit({ seq, jobs }: { seq: number; jobs: string }, now: number): Jobs {
    const before = JSON.parse(jobs) as Jobs;
    const after = Object.fromEntries(
      Object.entries(before).map(([index, job]: [string, Job]) => [
        index,
        inheritJob(job, now, this.#waits),
      ]),
    );
    const text = JSON.stringify(after);
    if (text !== jobs) this.#sql.exec(WRITE, text, seq);
    return after;
  }

  #changeLeased(
    grants: readonly Grant[],
    change: (job: Job | undefined, attempt: number) => Job | undefined,
  ): void {
    for (const [emailId, asked] of byMessage(grants)) {
      const entry = this.#inFlight.get(emailId);
      if (!entry) continue;
      const jobs = this.#jobs(entry);
      const changed: Record<number, Job> = {};
      for (const { recipientIndex, attempt } of asked) {
        const job = change(underWay(jobs[recipientIndex], attempt, entry), attempt);
        if (job) changed[recipientIndex] = job;
      }
      this.#change(entry, jobs, changed, true);
    }
  }

  #track(id: string, message: NewInFlight, jobs: Jobs): void {
    const entry = { ...message, unclaimedReleases: 0, wakeAt: 0 };
    this.#schedule(entry, jobs);
    this.#inFlight.set(id, entry);
  }

  #release({ seq, emailId, recipients, from, to, contentKey }: Release, now: number): Released[] {
    const known = this.#inFlight.get(emailId);
    const times = { releasedAt: now, since: now };
    const isInherited = known?.isInherited ?? false;
    const jobs = known ? this.#jobs(known) : NO_JOBS;
    this.#track(
      emailId,
      { seq, recipients, released: to, ...times, contentKey, isInherited, jobs },
      jobs,
    );
    return refs(emailId, from, to, this.#packs.groupOf(seq));
  }

  #schedule(entry: InFlight, jobs: Jobs): void {
    entry.wakeAt = Number.POSITIVE_INFINITY;
    for (let index = 0; index < entry.released; index += 1) {
      const at = offerAt(jobs[index], entry.releasedAt, entry.unclaimedReleases, this.#waits);
      if (at !== null && at < entry.wakeAt) entry.wakeAt = at;
    }
    this.#touchedWake = Math.min(this.#touchedWake, entry.wakeAt);
  }

  #read(seqs: readonly number[]): ClaimedMessage[] {
    if (seqs.length === 0) return [];
    const rows = this.#sql.exec<ClaimedRow>(
      "SELECT seq, id, accepted_at, content_key, meta, content FROM ledger WHERE seq IN (SELECT value FROM json_each(?)) ORDER BY seq",
      JSON.stringify(seqs),
    );
    const packed = this.#packs.lookup();
    return Array.from(rows, (row) => ({
      emailId: row.id,
      acceptedAt: row.accepted_at,
      meta: row.meta,
      content: row.content ?? (row.content_key === null ? packed(row.seq) : null),
      contentKey: row.content_key,
    }));
  }

  /** Of a message none of whose jobs was released yet. */
  #seqOfWaiting(emailId: string): number | undefined {
    return this.#sql
      .exec<{ seq: number }>("SELECT seq FROM ledger WHERE id = ? AND stream IS NOT NULL", emailId)
      .toArray()[0]?.seq;
  }

  #jobs({ jobs, seq }: InFlight): Jobs {
    return (
      jobs ??
      (JSON.parse(
        this.#sql.exec<{ jobs: string }>("SELECT jobs FROM ledger WHERE seq = ?", seq).one().jobs,
      ) as Jobs)
    );
  }

  /**
   * Some jobs of a message change. It leaves the outbox when all of them are done; its row is then
   * the caller's to delete.
   */
  #end(emailId: string, entry: InFlight, jobs: Jobs, changed: Jobs): Over[] {
    if (Object.keys(changed).length === 0) return [];
    const after = { ...jobs, ...changed };
    this.#openJobs -= doneIn(changed);
    if (this.#overdue.has(emailId))
      this.#overdue.note(emailId, entry.since, unansweredIn(after, entry));
    if (doneIn(after) < entry.recipients) {
      this.#change(entry, jobs, changed, true);
      return [];
    }
    this.#census.change(jobs, changed);
    this.#inFlight.delete(emailId);
    this.#messages -= 1;
    return [entry];
  }

  #change(entry: InFlight, jobs: Jobs, changed: Jobs, isKept: boolean): void {
    if (Object.keys(changed).length === 0) return;
    const after = { ...jobs, ...changed };
    if (isKept) this.#sql.exec(WRITE, JSON.stringify(after), entry.seq);
    this.#census.change(jobs, changed);
    this.#schedule(entry, after);
    // What waits for hours takes no memory meanwhile.
    entry.jobs = isKept && isResting(after) ? undefined : after;
  }
}

function refs(emailId: string, from: number, to: number, lot: number): Released[] {
  return Array.from({ length: to - from }, (_, offset) => ({
    emailId,
    recipientIndex: from + offset,
    lot,
  }));
}

function byMessage<Ref extends JobRef>(all: readonly Ref[]): Map<string, Ref[]> {
  return Map.groupBy(all, (ref) => ref.emailId);
}
