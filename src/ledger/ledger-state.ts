// What a team's ledger has on disk, and how each call changes it (docs/architecture.md §Admit,
// §Settle): counters, labels, idempotency keys, open messages and the log, always together.
// Everything here runs inside a group commit; when one is undone, it is read from the disk again.
import { logWarning } from "../lib/log.ts";
import { decideAdmission } from "./admission.ts";
import { BACKLOG_SCHEMA } from "./backlog.ts";
import { LedgerCounters, COUNTERS_SCHEMA } from "./counters.ts";
import type {
  AdmitItem,
  AdmitRequest,
  Admission,
  AdmissionAnswer,
  Append,
  Candidate,
  Claim,
  JobRef,
  LoggedMessage,
  Policy,
} from "../contracts/ledger-contract.ts";
import type { Settled, Settlement } from "../contracts/ledger-contract.ts";
import type { MessageRecord } from "../contracts/event-records.ts";
import type { Released } from "./dispatch.ts";
import { LEDGER_SCHEMA } from "./log/event-log.ts";
import { IdempotencyKeys } from "./idempotency.ts";
import type { Waits } from "./job.ts";
import { Outbox, type Over } from "./outbox.ts";
import { StuckMessages, STUCK_SCHEMA } from "./stuck-messages.ts";
import { CONTENT_GROUPS_SCHEMA } from "./content-groups.ts";
import { nextRound, queueRoom, takeReleases } from "./pacing.ts";
import type { TeamLog } from "./log/team-log.ts";

/** How many ids one line of the log names. */
const STUCK_IDS = 100;

/** Omit, for each member of a union. */
type Without<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never;

/** What a group of writes leads to once it is on disk. */
export interface FollowUp {
  /** To the queue. */
  readonly released: Released[];
  /** Keys of R2 whose content is of no use any more. */
  readonly freed: string[];
  isAccepted: boolean;
}

interface Times {
  readonly waits: Waits;
  /** After so long without an outcome a message is told of as stuck. */
  readonly stuckMs: number;
}

export class LedgerState {
  readonly books: LedgerCounters;
  readonly keys: IdempotencyKeys;
  readonly outbox: Outbox;
  readonly #teamId: string;
  readonly #log: TeamLog;
  readonly #overdue: StuckMessages;
  #sequel = newSequel();

  constructor(sql: SqlStorage, teamId: string, log: TeamLog, { waits, stuckMs }: Times) {
    sql.exec(
      LEDGER_SCHEMA + CONTENT_GROUPS_SCHEMA + STUCK_SCHEMA + BACKLOG_SCHEMA + COUNTERS_SCHEMA,
    );
    this.#teamId = teamId;
    this.#log = log;
    log.load(sql);
    this.books = new LedgerCounters(sql);
    this.keys = new IdempotencyKeys(sql);
    this.#overdue = new StuckMessages(sql, stuckMs);
    this.outbox = new Outbox(sql, log.rows, waits, this.#overdue, Date.now());
  }

  takeFollowUp(): FollowUp {
    const sequel = this.#sequel;
    this.#sequel = newSequel();
    return sequel;
  }

  admit(
    { policy, idempotency: claim, lock, now }: AdmitRequest,
    items: readonly AdmitItem[],
  ): Without<Admission, "rate"> {
    const decision = decideAdmission(items, policy, this.books.quota, this.books.labels, now);
    if (decision.kind !== "accepted") {
      if (claim && lock !== null) this.keys.release(claim.key, lock);
      return decision;
    }
    const answer: AdmissionAnswer = { kind: "accepted", createdAt: now, items: decision.items };
    this.books.quota = decision.book;
    this.books.saveLabels(this.books.labels.use(decision.queued, now));
    if (decision.queued.length > 0) this.#store(decision.queued, policy, now);
    if (claim) this.keys.answer(claim, answer, now);
    return { kind: "answered", replayed: false, answer };
  }

  claim(jobs: readonly JobRef[], now: number, isKept: boolean): Claim {
    const claim = this.outbox.claim(jobs, now, isKept);
    this.#releaseWaiting(Date.now());
    return claim;
  }

  /** Outcomes and their events. `messages`: those of the settlements, by their ids. */
  settle(
    settlements: readonly Settlement[],
    messages: Readonly<Record<string, MessageRecord>>,
    now: number,
  ): Settled {
    const { applied, over } = this.outbox.settle(settlements);
    const refused: string[] = [];
    const logged = applied.flatMap((place): LoggedMessage[] => {
      const { emailId, recipientIndex, events } = settlements[place]!;
      const message = messages[emailId];
      if (!message) throw new Error(`a settlement lacks its message ${emailId}`);
      const kept = events.filter((event) =>
        this.#log.take({ message, recipientIndex, event, once: null }, now),
      );
      refused.push(...events.filter((event) => !kept.includes(event)).map(({ id }) => id));
      return [{ message, events: kept }];
    });
    this.#append(logged, over, now);
    return { applied, refused };
  }

  /** Events that no attempt led to. Answers of each whether it was appended. */
  append(appends: readonly Append[], now: number): boolean[] {
    const areTaken = appends.map((one) => this.#log.take(one, now));
    const taken = appends.filter((_, index) => areTaken[index]);
    const over = taken.flatMap(({ event: { type }, message: { emailId }, recipientIndex }) =>
      type === "email.bounced" ? this.outbox.endAttempts({ emailId, recipientIndex }, now) : [],
    );
    const logged = taken.map(({ message, event }) => ({ message, events: [event] }));
    this.#append(logged, over, now);
    return areTaken;
  }

  /** Releases what waits and what got lost, and throws away what is over. */
  round(now: number): void {
    this.#releaseWaiting(now);
    const { offered, over } = this.outbox.offers(now);
    this.#sequel.released.push(...offered);
    this.#append([], over, now);
    this.#tellStuck(now);
    this.keys.sweep(now);
    this.books.sweepLabels(now);
    this.#log.sweep(now);
  }

  /** When a round is due, beside what outbox.nextWake() says, Unix milliseconds. */
  nextRound(now: number): number {
    return Math.min(this.keys.sweepAt, this.books.labelSweepAt, this.#nextReleaseAt(now));
  }

  /** When stuck messages are to be told of, Unix milliseconds. */
  nextReport(): number {
    return this.#overdue.nextDue();
  }

  #store(candidates: readonly Candidate[], policy: Policy, now: number): void {
    const released = this.outbox.insert(candidates, now, (recipients) =>
      this.#takeRoom(recipients, policy, now),
    );
    this.#sequel.released.push(...released);
    this.#sequel.isAccepted = true;
  }

  /**
   * How many of a message's jobs are released at once. While anything waits, none: a stream's turn
   * comes in the next round.
   */
  #takeRoom(recipients: number, { deliveryRatePerMinute }: Policy, now: number): number {
    const room = this.outbox.backlog.empty
      ? queueRoom(deliveryRatePerMinute, this.outbox.queued)
      : 0;
    const [bucket, released] = takeReleases(
      this.books.pacing.bucket,
      deliveryRatePerMinute,
      Math.min(recipients, room),
      now,
    );
    this.books.setPacing(bucket, deliveryRatePerMinute);
    return released;
  }

  /** As much of the backlog as the rate and the queue take now. */
  #releaseWaiting(now: number): void {
    const { backlog, queued } = this.outbox;
    const { bucket, perMinute } = this.books.pacing;
    const wanted = backlog.empty ? 0 : Math.min(backlog.waiting, queueRoom(perMinute, queued));
    if (wanted === 0) return;
    const [after, releases] = takeReleases(bucket, perMinute, wanted, now);
    this.books.setPacing(after, perMinute);
    this.#sequel.released.push(...this.outbox.releaseWaiting(releases, now));
  }

  #nextReleaseAt(now: number): number {
    const { bucket, perMinute } = this.books.pacing;
    return this.outbox.backlog.empty || !bucket
      ? Number.POSITIVE_INFINITY
      : nextRound(bucket, perMinute, now);
  }

  #append(messages: readonly LoggedMessage[], over: readonly Over[], now: number): void {
    const seqs = over.map(({ seq }) => seq);
    this.#log.append(messages, seqs, now);
    this.#sequel.freed.push(...this.outbox.dropContent(over));
  }

  /**
   * "Accepted, but no outcome": for the operator, who finds the ids in the log and the number in
   * the metrics.
   */
  #tellStuck(now: number): void {
    const stuck = this.#overdue.takeDue(now);
    if (stuck.length === 0) return;
    const recipients = stuck.reduce((sum, { jobs }) => sum + jobs, 0);
    const since = new Date(Math.min(...stuck.map((one) => one.since))).toISOString();
    const ids = stuck.slice(0, STUCK_IDS).map(({ emailId }) => emailId);
    logWarning("stuck", {
      team_id: this.#teamId,
      recipients,
      emails: stuck.length,
      since,
      email_ids: ids,
    });
  }
}

function newSequel(): FollowUp {
  return { released: [], freed: [], isAccepted: false };
}
