// Holds what a team's ledger has on disk, and decides how each call changes it
// (docs/architecture.md §Admit, §Settle): counters, labels, idempotency keys, open messages and the
// log, always together. All of it runs inside a group commit. When a group is rolled back, the
// state is read from the disk again.
import { decideAdmission } from "./admission/decide-items.ts";
import { BACKLOG_SCHEMA } from "./release/backlog.ts";
import { LedgerCounters, COUNTERS_SCHEMA } from "./admission/counters.ts";
import type {
  AdmitItem,
  AdmitRequest,
  Admission,
  AdmissionAnswer,
  Append,
  Begun,
  Candidate,
  Claim,
  FoundMessage,
  CopyMatch,
  CopyQuery,
  IdempotencyClaim,
  JobRef,
  LoggedMessage,
  Policy,
  Settled,
  Settlement,
} from "../contracts/ledger-contract.ts";
import type { MessageRecord } from "../contracts/event-records.ts";
import type { Released } from "./release/dispatch.ts";
import { LEDGER_SCHEMA } from "./log/event-log.ts";
import { IdempotencyKeys } from "./admission/idempotency.ts";
import { LARGE_CONTENT_SCHEMA, largeBytesIn } from "./open/large-content.ts";
import type { Waits } from "./open/job.ts";
import { type FinishedMessage, OpenMessages } from "./open/open-messages.ts";
import { Outbox } from "./settle/claims.ts";
import { StuckMessages, STUCK_SCHEMA } from "./settle/stuck-messages.ts";
import { CONTENT_GROUPS_SCHEMA } from "./open/content-groups.ts";
import { latestOf, PROVIDER_COPIES_SCHEMA, ProviderCopies } from "./settle/provider-copies.ts";
import { nextRound, queueRoom, takeReleases } from "./release/pacing.ts";
import { MessageSchedule } from "./release/message-schedule.ts";
import { SCHEDULED_SCHEMA } from "./release/scheduled-rows.ts";
import type { Cancellation } from "../contracts/schedule-contract.ts";
import type { TeamLog } from "./log/team-log.ts";

/** Omit, for each member of a union. */
type Without<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never;

/** Work to do once a group of writes is on disk. */
export interface FollowUp {
  /** Jobs to send to the queue. */
  readonly released: Released[];
  /** R2 keys of content that is not needed any more. */
  readonly unusedContent: string[];
  isAccepted: boolean;
}

interface Times {
  readonly waits: Waits;
  /** Time without an outcome after which a message is reported as stuck. */
  readonly stuckMs: number;
}

export class LedgerState {
  readonly counters: LedgerCounters;
  readonly keys: IdempotencyKeys;
  readonly messages: OpenMessages;
  readonly outbox: Outbox;
  readonly schedule: MessageSchedule;
  readonly #teamId: string;
  readonly #log: TeamLog;
  readonly #stuckMessages: StuckMessages;
  readonly #providerCopies: ProviderCopies;
  #followUp = newFollowUp();

  constructor(sql: SqlStorage, teamId: string, log: TeamLog, { waits, stuckMs }: Times) {
    sql.exec(
      LEDGER_SCHEMA +
        CONTENT_GROUPS_SCHEMA +
        LARGE_CONTENT_SCHEMA +
        STUCK_SCHEMA +
        BACKLOG_SCHEMA +
        COUNTERS_SCHEMA +
        PROVIDER_COPIES_SCHEMA +
        SCHEDULED_SCHEMA,
    );
    this.#teamId = teamId;
    this.#log = log;
    log.load(sql);
    this.counters = new LedgerCounters(sql);
    this.keys = new IdempotencyKeys(sql);
    this.#stuckMessages = new StuckMessages(sql, stuckMs);
    this.messages = new OpenMessages(sql, log.rows, waits, this.#stuckMessages, Date.now());
    this.#providerCopies = new ProviderCopies(sql);
    this.outbox = new Outbox(this.messages, waits, this.#stuckMessages);
    this.schedule = new MessageSchedule(sql, this.counters);
  }

  takeFollowUp(): FollowUp {
    const followUp = this.#followUp;
    this.#followUp = newFollowUp();
    return followUp;
  }

  /**
   * Locks the key of a send whose large content has to be stored in R2 first, if it has a key.
   * `lock`: the lock that the send has already.
   */
  begin(claim: IdempotencyClaim | null, lock: string | null, now: number): Omit<Begun, "rate"> {
    if (!claim) return { kind: "begun", lock: null };
    const held = lock ?? crypto.randomUUID();
    this.keys.lock(claim, held, now);
    return { kind: "begun", lock: held };
  }

  admit(
    { policy, idempotency: claim, lock, now }: AdmitRequest,
    items: readonly AdmitItem[],
  ): Without<Admission | Begun, "rate"> {
    const decision = decideAdmission(items, policy, this.counters.quota, this.counters.labels, now);
    if (decision.kind !== "accepted") {
      if (claim && lock !== null) this.keys.release(claim.key, lock);
      return decision;
    }
    if (!this.messages.hasRoomFor(largeBytesIn(decision.queued)))
      return this.begin(claim, lock, now);
    const answer: AdmissionAnswer = { kind: "accepted", createdAt: now, items: decision.items };
    const overage = this.counters.quota.overageCredits - decision.quotaState.overageCredits;
    this.counters.quota = decision.quotaState;
    this.schedule.add(decision.queued, overage, now);
    this.counters.saveLabels(this.counters.labels.use(decision.queued, now));
    if (decision.queued.length > 0) this.#store(decision.queued, policy, now);
    if (claim) this.keys.answer(claim, answer, now);
    return { kind: "answered", replayed: false, answer };
  }

  claim(jobs: readonly JobRef[], now: number, isKept: boolean, largeBytes: number): Claim {
    const claim = this.outbox.claim(jobs, now, isKept, largeBytes);
    this.#releaseWaiting(Date.now());
    return claim;
  }

  /**
   * Applies outcomes and appends their events. `messages` holds the settlements' messages by id. A
   * provider's event that was applied before is not applied again, and an attempt that courier and
   * event settle at once has one `email.sent`.
   */
  settle(
    settlements: readonly Settlement[],
    messages: Readonly<Record<string, MessageRecord>>,
    now: number,
  ): Settled {
    const fresh = settlements.flatMap((settlement, place) =>
      this.#isRepeated(settlement) ? [] : [{ ...settlement, place }],
    );
    const settled = this.outbox.settle(fresh);
    const { finished } = settled;
    const applied = settled.applied.map((index) => fresh[index]!.place);
    const repeated = new Set(settled.repeated.map((index) => fresh[index]!.place));
    const refused: string[] = [];
    const logged = applied.flatMap((place): LoggedMessage[] => {
      const { emailId, recipientIndex, events, copyTaken, verdict, attempt } = settlements[place]!;
      if (copyTaken)
        this.#providerCopies.note(
          { emailId, recipientIndex, attempt },
          copyTaken,
          verdict === undefined,
          now,
        );
      if (typeof verdict?.eventId === "string") this.#log.noteApplied(verdict.eventId, now);
      const message = messages[emailId];
      if (!message) throw new Error(`a settlement lacks its message ${emailId}`);
      const kept = events.filter(
        (event) =>
          // The attempt's first settlement recorded it.
          !(repeated.has(place) && event.type === "email.sent") &&
          this.#log.take({ message, recipientIndex, event, once: null }, now),
      );
      refused.push(...events.filter((event) => !kept.includes(event)).map(({ id }) => id));
      return [{ message, events: kept }];
    });
    this.#append(logged, finished, now);
    return { applied, refused };
  }

  /**
   * Finds a message that has open recipients, or events that are in no page yet, or that was never
   * released.
   */
  find(emailId: string): FoundMessage {
    const open = this.messages.find(emailId) ?? null;
    const logged = this.#log.rows.find(emailId);
    const scheduled = open || logged ? undefined : this.schedule.find(emailId);
    return { open, logged, ...(scheduled && { scheduled }) };
  }

  /** Releases scheduled messages that are due. Returns whether more of them are. */
  releaseDue(now: number): boolean {
    const { perMinute } = this.counters.pacing;
    const roomFor = (recipients: number): number => this.#takeRoom(recipients, perMinute, now);
    this.#followUp.released.push(...this.schedule.release(now, this.messages, roomFor));
    return this.schedule.dueAt <= now;
  }

  /** Cancels a scheduled message that was not released. */
  cancel(emailId: string, now: number): Cancellation {
    const { answer, contentKey } = this.schedule.cancel(emailId, now);
    if (contentKey !== null) this.#followUp.unusedContent.push(contentKey);
    return answer;
  }

  /** Moves a scheduled message, and releases it if its new time has come. */
  move(emailId: string, scheduledAt: number, now: number): boolean {
    const isMoved = this.schedule.move(emailId, scheduledAt);
    if (isMoved && scheduledAt <= now) this.releaseDue(now);
    return isMoved;
  }

  /** The messages among these that still need their content. */
  needingContent(emailIds: readonly string[]): string[] {
    return emailIds.filter((id) => this.schedule.isWaiting(id) || this.messages.has(id));
  }

  /** Finds the attempts that a provider's events are about. */
  matchProviderCopies(queries: readonly CopyQuery[]): CopyMatch[] {
    return queries.map((query): CopyMatch => {
      const grant = this.#providerCopies.findById(query.providerId);
      if (grant)
        return { byId: { ...grant, found: this.find(grant.emailId) }, byAddress: [], underWay: [] };
      if (!query.byAddress) return { byId: null, byAddress: [], underWay: [] };
      const fitting = this.#providerCopies.findByAddress(query);
      return {
        byId: null,
        byAddress: fitting.filter((one) => this.messages.isOpen(one)),
        underWay: this.messages.underWay(query.recipient, latestOf(query.at)),
      };
    });
  }

  /** Appends events that no attempt led to. Returns for each whether it was appended. */
  append(appends: readonly Append[], now: number): boolean[] {
    const areNew = appends.map((one) => this.#log.take(one, now));
    const fresh = appends.filter((_, index) => areNew[index]);
    const finished = fresh.flatMap(({ event: { type }, message: { emailId }, recipientIndex }) =>
      type === "email.bounced" ? this.outbox.endAttempts({ emailId, recipientIndex }, now) : [],
    );
    const logged = fresh.map(({ message, event }) => ({ message, events: [event] }));
    this.#append(logged, finished, now);
    return areNew;
  }

  /** Releases waiting and lost jobs, and deletes what is finished or too old. */
  round(now: number): void {
    this.#releaseWaiting(now);
    const { offered, finished } = this.outbox.offers(now);
    this.#followUp.released.push(...offered);
    this.#append([], finished, now);
    this.#stuckMessages.report(this.#teamId, now);
    this.keys.sweep(now);
    this.counters.sweepLabels(now);
    this.#log.sweep(now);
    this.#providerCopies.sweep(now);
    this.schedule.sweep(now);
  }

  /**
   * When a round is due, Unix milliseconds, apart from the messages in flight
   * (InFlightSchedule.nextWake).
   */
  nextRound(now: number): number {
    return Math.min(
      this.keys.sweepAt,
      this.counters.labelSweepAt,
      this.#nextReleaseAt(now),
      this.schedule.dueAt,
      this.schedule.sweepAt,
    );
  }

  /** When stuck messages are to be reported, Unix milliseconds. */
  nextReport(): number {
    return this.#stuckMessages.nextDue();
  }

  #isRepeated({ verdict }: Settlement): boolean {
    return typeof verdict?.eventId === "string" && this.#log.isApplied(verdict.eventId);
  }

  #store(candidates: readonly Candidate[], policy: Policy, now: number): void {
    const { deliveryRatePerMinute } = policy;
    const immediate = candidates.filter(({ scheduledAt }) => scheduledAt === undefined);
    // Scheduled messages are released later at the rate that is noted now.
    if (immediate.length < candidates.length) this.#takeRoom(0, deliveryRatePerMinute, now);
    const released = this.messages.insert(immediate, now, (recipients) =>
      this.#takeRoom(recipients, deliveryRatePerMinute, now),
    );
    this.#followUp.released.push(...released);
    this.#followUp.isAccepted = true;
  }

  /**
   * Returns how many of a message's jobs are released at once. While any message waits, none are:
   * the stream's turn comes in the next round.
   */
  #takeRoom(recipients: number, deliveryRatePerMinute: number, now: number): number {
    const room = this.messages.backlog.empty
      ? queueRoom(deliveryRatePerMinute, this.messages.queued)
      : 0;
    const [bucket, released] = takeReleases(
      this.counters.pacing.bucket,
      deliveryRatePerMinute,
      Math.min(recipients, room),
      now,
    );
    this.counters.setPacing(bucket, deliveryRatePerMinute);
    return released;
  }

  /** Releases as much of the backlog as the rate and the queue take now. */
  #releaseWaiting(now: number): void {
    const { backlog, queued } = this.messages;
    const { bucket, perMinute } = this.counters.pacing;
    const wanted = backlog.empty ? 0 : Math.min(backlog.waiting, queueRoom(perMinute, queued));
    if (wanted === 0) return;
    const [after, releases] = takeReleases(bucket, perMinute, wanted, now);
    this.counters.setPacing(after, perMinute);
    this.#followUp.released.push(...this.messages.releaseWaiting(releases, now));
  }

  #nextReleaseAt(now: number): number {
    const { bucket, perMinute } = this.counters.pacing;
    return this.messages.backlog.empty || !bucket
      ? Number.POSITIVE_INFINITY
      : nextRound(bucket, perMinute, now);
  }

  #append(
    messages: readonly LoggedMessage[],
    finished: readonly FinishedMessage[],
    now: number,
  ): void {
    const seqs = finished.map(({ seq }) => seq);
    this.#log.append(messages, seqs, now);
    this.#followUp.unusedContent.push(...this.messages.dropContent(finished));
  }
}

function newFollowUp(): FollowUp {
  return { released: [], unusedContent: [], isAccepted: false };
}
