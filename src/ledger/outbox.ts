// Holds the messages that were accepted and not yet settled for good, one row each (docs/architecture.md §Admit). A row is written on acceptance, on
// settle and on its end. Two facts live only in memory, because a restart may forget them: that a job was handed to the queue, since it is only
// released once more, and that it is leased for a courier which, asked twice, sends once. Other leases are written too.
import { Backlog, type Release } from "./backlog.ts";
import { Census } from "./census.ts";
import type { Candidate, Claim, ClaimedMessage, ForgetRequest, Grant, JobRef, OpenMessage, Settlement, Unrecorded } from "./contract.ts";
import type { Released } from "./dispatch.ts";
import { doneIn, type InFlight, isOver, isReleased, isResting, type NewInFlight, NO_JOBS, unansweredIn, underWay } from "./in-flight.ts";
import {
  claimJob,
  forgetJob,
  holdJob,
  inheritJob,
  nextAttemptOf,
  offerAt,
  postponeJob,
  settleJob,
  type Job,
  type Jobs,
  type Waits,
} from "./job.ts";
import type { Overdue } from "./overdue.ts";
import { Packs } from "./packs.ts";

/** `stream` is null unless the message had to wait for its release; only those are in the indexes. `jobs` is JSON of Jobs. Content is here, in R2 or in a pack. */
export const OUTBOX_SCHEMA = `
  CREATE TABLE IF NOT EXISTS messages (
    seq INTEGER PRIMARY KEY, id TEXT NOT NULL, accepted_at INTEGER NOT NULL, recipients INTEGER NOT NULL, stream TEXT,
    jobs TEXT NOT NULL, content_key TEXT, meta TEXT NOT NULL, content TEXT
  );
  CREATE INDEX IF NOT EXISTS messages_waiting ON messages (stream, seq, recipients) WHERE stream IS NOT NULL;
  CREATE INDEX IF NOT EXISTS messages_waiting_id ON messages (id) WHERE stream IS NOT NULL;
`;

/** Messages that one statement writes: each has eight values, and a statement takes a hundred. */
const ROWS_AT_ONCE = 12;
const WRITE = "UPDATE messages SET jobs = ? WHERE seq = ?";
/** Content that nobody will be sent any more: the row that is left takes a page less to write. */
const WRITE_LAST = "UPDATE messages SET jobs = ?, content = NULL WHERE seq = ?";

/** Of the sequence numbers in a JSON array. */
const AMONG = "seq IN (SELECT value FROM json_each(?))";

/** How many messages an alarm looks at in one go. */
const OFFERS_PER_ROUND = 1_000;

/** Recipients by what they wait for, those that are stuck (all of them counted once more), and the oldest message, Unix milliseconds. */
export type OutboxGauges = Readonly<
  Record<"waiting" | "queued" | "attempting" | "deferred" | "recording" | "stuck" | "oldestAcceptedAt", number>
>;

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
  readonly #overdue: Overdue;
  readonly #packs: Packs;
  readonly #census = new Census();
  readonly #inFlight = new Map<string, InFlight>();
  #lastSeq: number;
  #messages = 0;
  #openJobs = 0;
  #touchedWake = Number.POSITIVE_INFINITY;

  /** Reads every row once, after a restart: what was released or leased before it is offered again soon, `now` + inheritedMs. */
  constructor(sql: SqlStorage, waits: Waits, overdue: Overdue, now: number) {
    this.#sql = sql;
    this.#waits = waits;
    this.#overdue = overdue;
    this.backlog = new Backlog(sql);
    this.#packs = new Packs(sql);
    const { last } = sql.exec<{ last: number | null }>("SELECT max(seq) AS last FROM messages").one();
    this.#lastSeq = Math.max(last ?? 0, this.#packs.lastSeq);
    const rows = sql.exec<InheritedRow>("SELECT seq, id, accepted_at, recipients, stream, jobs, content_key FROM messages");
    for (const row of rows) {
      const { seq, recipients, content_key: contentKey } = row;
      const jobs = this.#inherit(row, now);
      this.#messages += 1;
      this.#openJobs += row.recipients - doneIn(jobs);
      this.#census.add(jobs);
      const released = this.backlog.releasedOf(row.stream, row.seq, row.recipients);
      const times = { releasedAt: now + waits.inheritedMs - waits.releaseMs, since: row.stream === null ? row.accepted_at : now };
      if (released === 0) continue;
      this.#track(row.id, { seq, recipients, released, ...times, contentKey, isInherited: true, jobs: undefined }, jobs);
    }
  }

  get size(): { readonly messages: number; readonly jobs: number } {
    return { messages: this.#messages, jobs: this.#openJobs };
  }

  /** Jobs that were released and that nobody has claimed yet. */
  get queued(): number {
    const { leased, settled, waiting } = this.#census;
    return this.#openJobs - this.backlog.waiting - leased - settled - waiting;
  }

  /** What is open, for the metrics; null: nothing is. */
  gauges(): OutboxGauges | null {
    if (this.#messages === 0) return null;
    const { leased: attempting, settled: recording, waiting: deferred } = this.#census;
    const { queued } = this;
    const { waiting } = this.backlog;
    const { at } = this.#sql.exec<{ at: number }>("SELECT accepted_at AS at FROM messages ORDER BY seq LIMIT 1").one();
    return { waiting, queued, attempting, deferred, recording, stuck: this.#overdue.stuck, oldestAcceptedAt: at };
  }

  /** Stores messages. Of each `roomFor(recipients)` jobs go to the queue right now, the others join the backlog. Returns those released. */
  insert(candidates: readonly Candidate[], acceptedAt: number, roomFor: (recipients: number) => number): Released[] {
    const rows: SqlStorageValue[][] = [];
    const released: Released[] = [];
    const stored = this.#packs.store(
      this.#lastSeq + 1,
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
      this.#sql.exec(`INSERT INTO messages VALUES ${some.map(() => "(?, ?, ?, ?, ?, '{}', ?, ?, ?)").join(", ")}`, ...some.flat());
    }
    return released;
  }

  /** Releases up to `count` jobs from the backlog. */
  releaseWaiting(count: number, now: number): Released[] {
    return this.backlog.release(count).flatMap((release) => this.#release(release, now));
  }

  /** Leases what may be claimed; the messages come with their content. `isKept`: a restart must not forget the leases. */
  claim(wanted: readonly JobRef[], now: number, isKept: boolean): Claim {
    const claimed: number[] = [];
    const grants: Grant[] = [];
    const unrecorded: Unrecorded[] = [];
    for (const [emailId, asked] of byMessage(wanted)) {
      const entry = this.#inFlight.get(emailId);
      if (!entry) continue;
      const jobs = this.#jobs(entry);
      // The alarm released it by this object's clock: a consumer whose clock is behind must not find it too early.
      const leasedFrom = Math.max(now, entry.releasedAt);
      const before = grants.length + unrecorded.length;
      const leased: Record<number, Job> = {};
      for (const recipientIndex of new Set(asked.map((ref) => ref.recipientIndex))) {
        if (!isReleased(recipientIndex, entry)) continue;
        const claiming = claimJob(jobs[recipientIndex], leasedFrom, this.#waits.leaseMs);
        if (claiming.kind === "refused") continue;
        if (claiming.kind === "granted") {
          leased[recipientIndex] = claiming.job;
          grants.push({ emailId, recipientIndex, attempt: claiming.attempt });
        } else unrecorded.push({ emailId, recipientIndex, attempt: claiming.attempt, facts: claiming.facts });
      }
      if (grants.length + unrecorded.length === before) continue;
      claimed.push(entry.seq);
      entry.unclaimedReleases = 0;
      this.#change(entry, jobs, leased, isKept);
    }
    return { messages: this.#read(claimed), grants, unrecorded };
  }

  /** Begins the leases of claimed jobs anew. */
  hold(grants: readonly Grant[], now: number): void {
    this.#changeLeased(grants, (job, attempt) => holdJob(job, attempt, now, this.#waits.leaseMs));
  }

  /** Puts claimed jobs back, to be offered again after a while as the same attempt. */
  postpone(grants: readonly Grant[], now: number): void {
    this.#changeLeased(grants, (job, attempt) => postponeJob(job, attempt, now, this.#waits));
  }

  /** Returns the places of the settlements that were applied. */
  settle(settlements: readonly Settlement[], now: number): number[] {
    const applied: number[] = [];
    for (const [emailId, outcomes] of byMessage(settlements.map((outcome, index) => ({ ...outcome, index })))) {
      const entry = this.#inFlight.get(emailId);
      if (!entry) continue;
      const jobs = this.#jobs(entry);
      const settled: Record<number, Job> = {};
      for (const { index, ...outcome } of outcomes) {
        const before = settled[outcome.recipientIndex] ?? underWay(jobs[outcome.recipientIndex], outcome.attempt, entry);
        const job = settleJob(before, outcome, now);
        if (!job) continue;
        settled[outcome.recipientIndex] = job;
        applied.push(index);
      }
      this.#change(entry, jobs, settled, true);
      if (this.#overdue.has(emailId)) this.#overdue.note(emailId, entry.since, unansweredIn({ ...jobs, ...settled }, entry));
    }
    return applied;
  }

  /** Drops recorded facts, and with the last job its message. Returns the R2 keys that nothing refers to any more. */
  forget(requests: readonly ForgetRequest[]): string[] {
    const gone: InFlight[] = [];
    for (const [emailId, asked] of byMessage(requests)) {
      const entry = this.#inFlight.get(emailId);
      if (!entry) continue;
      const jobs = this.#jobs(entry);
      const forgotten: Record<number, Job> = {};
      for (const { recipientIndex, attempt } of asked) {
        const job = forgetJob(forgotten[recipientIndex] ?? jobs[recipientIndex], attempt);
        if (job) forgotten[recipientIndex] = job;
      }
      this.#openJobs -= doneIn(forgotten);
      if (doneIn({ ...jobs, ...forgotten }) < entry.recipients) {
        this.#change(entry, jobs, forgotten, true);
        continue;
      }
      this.#census.change(jobs, forgotten);
      this.#inFlight.delete(emailId);
      this.#messages -= 1;
      gone.push(entry);
    }
    if (gone.length > 0) {
      const seqs = gone.map(({ seq }) => seq);
      this.#sql.exec(`DELETE FROM messages WHERE ${AMONG}`, JSON.stringify(seqs));
      this.#packs.drop(seqs);
    }
    return gone.flatMap(({ contentKey }) => (contentKey === null ? [] : [contentKey]));
  }

  /** The jobs to offer to the queue (again): released or leased too long ago, due for a retry, or settled and never recorded. */
  offers(now: number): Released[] {
    const offered: Released[] = [];
    let looked = 0;
    for (const [emailId, entry] of this.#inFlight) {
      if (entry.wakeAt > now) continue;
      looked += 1;
      if (looked > OFFERS_PER_ROUND) break;
      const jobs = this.#jobs(entry);
      for (const ref of refs(emailId, 0, entry.released, entry.seq)) {
        const at = offerAt(jobs[ref.recipientIndex], entry.releasedAt, entry.unclaimedReleases, this.#waits);
        if (at !== null && at <= now) offered.push(ref);
      }
      this.#overdue.note(emailId, entry.since, unansweredIn(jobs, entry));
      entry.releasedAt = now;
      entry.unclaimedReleases += 1;
      this.#schedule(entry, jobs);
    }
    return offered;
  }

  /** The earliest time at which offers() will have something; Infinity: nothing is in flight. */
  nextWake(): number {
    let earliest = Number.POSITIVE_INFINITY;
    for (const { wakeAt } of this.#inFlight.values()) if (wakeAt < earliest) earliest = wakeAt;
    return earliest;
  }

  /** The same, of the messages that changed since the last call: saves a commit from looking at all of them. */
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
      .exec<{ recipients: number; jobs: string; meta: string }>("SELECT recipients, jobs, meta FROM messages WHERE seq = ?", seq)
      .one();
    const jobs = entry?.jobs ?? (JSON.parse(row.jobs) as Jobs);
    return { meta: row.meta, nextAttempts: Array.from({ length: row.recipients }, (_, index) => nextAttemptOf(jobs[index])) };
  }

  contentKeys(): string[] {
    const rows = this.#sql.exec<{ content_key: string }>("SELECT content_key FROM messages WHERE content_key IS NOT NULL");
    return Array.from(rows, (row) => row.content_key);
  }

  /** Takes a message into memory. Returns its row, but for jobs and content. */
  #admit({ id, recipientCount, stream, contentKey, meta }: Candidate, acceptedAt: number, released: number): SqlStorageValue[] {
    this.#lastSeq += 1;
    this.#messages += 1;
    this.#openJobs += recipientCount;
    const waitsIn = released < recipientCount ? stream : null;
    if (waitsIn !== null) this.backlog.add(waitsIn, this.#lastSeq, released, recipientCount);
    const message = { seq: this.#lastSeq, recipients: recipientCount, contentKey, isInherited: false, jobs: NO_JOBS };
    const times = { releasedAt: acceptedAt, since: acceptedAt };
    if (released > 0) this.#track(id, { ...message, ...times, released }, NO_JOBS);
    return [this.#lastSeq, id, acceptedAt, recipientCount, waitsIn, contentKey, meta];
  }

  #inherit({ seq, jobs }: { seq: number; jobs: string }, now: number): Jobs {
    const before = JSON.parse(jobs) as Jobs;
    const after = Object.fromEntries(
      Object.entries(before).map(([index, job]: [string, Job]) => [index, inheritJob(job, now, this.#waits)]),
    );
    const text = JSON.stringify(after);
    if (text !== jobs) this.#sql.exec("UPDATE messages SET jobs = ? WHERE seq = ?", text, seq);
    return after;
  }

  #changeLeased(grants: readonly Grant[], change: (job: Job | undefined, attempt: number) => Job | undefined): void {
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
    this.#track(emailId, { seq, recipients, released: to, ...times, contentKey, isInherited, jobs }, jobs);
    return refs(emailId, from, to, this.#packs.lotOf(seq));
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
      `SELECT seq, id, accepted_at, content_key, meta, content FROM messages WHERE ${AMONG} ORDER BY seq`,
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
    return this.#sql.exec<{ seq: number }>("SELECT seq FROM messages WHERE id = ? AND stream IS NOT NULL", emailId).toArray()[0]?.seq;
  }

  #jobs({ jobs, seq }: InFlight): Jobs {
    return jobs ?? (JSON.parse(this.#sql.exec<{ jobs: string }>("SELECT jobs FROM messages WHERE seq = ?", seq).one().jobs) as Jobs);
  }

  #change(entry: InFlight, jobs: Jobs, changed: Jobs, isKept: boolean): void {
    if (Object.keys(changed).length === 0) return;
    const after = { ...jobs, ...changed };
    if (isKept) this.#sql.exec(isOver(after, entry) ? WRITE_LAST : WRITE, JSON.stringify(after), entry.seq);
    this.#census.change(jobs, changed);
    this.#schedule(entry, after);
    // What waits for hours takes no memory meanwhile.
    entry.jobs = isKept && isResting(after) ? undefined : after;
  }
}

function refs(emailId: string, from: number, to: number, lot: number): Released[] {
  return Array.from({ length: to - from }, (_, offset) => ({ emailId, recipientIndex: from + offset, lot }));
}

function byMessage<Ref extends JobRef>(all: readonly Ref[]): Map<string, Ref[]> {
  return Map.groupBy(all, (ref) => ref.emailId);
}
