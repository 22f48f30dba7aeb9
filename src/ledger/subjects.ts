// Builds the in-memory state of a ledger from its database: one object for each subject, such as
// open messages or quotas (docs/architecture.md §Admit). Answers questions that concern several of
// these objects: where a message is, when the alarm is due, which rows are too old. After a
// rollback all objects are built again, so that memory matches the disk.
import type { MentioningMessage } from "../rpc/ledger.ts";
import type { CopyMatch, CopyQuery, MessageInLedger } from "../rpc/ledger-calls.ts";
import type { LedgerMessagesQuery, LedgerMessages } from "../rpc/message-list-calls.ts";
import { IDEMPOTENCY_LOCK_MS, STUCK_AFTER_MS } from "../limits.ts";
import type { Settings } from "../settings.ts";
import type { AdmissionState } from "./admission/accept-send.ts";
import { LedgerCounters } from "./admission/counters.ts";
import { IdempotencyKeys } from "./admission/idempotency.ts";
import type { LedgerChange } from "./after-commit.ts";
import { listLedgerMessages } from "./ledger-messages.ts";
import type { TeamLog } from "./log/team-log.ts";
import { type Waits, waitsFor } from "./open/job-waits.ts";
import { OpenMessages } from "./open/open-messages.ts";
import { Backlog } from "./release/backlog.ts";
import { Releases } from "./release/releases.ts";
import { AttemptQuestions } from "./settle/attempt-questions.ts";
import { Claims } from "./settle/claims.ts";
import { ProviderCopies } from "./settle/provider-copies.ts";
import { Settlements } from "./settle/settlements.ts";

export interface Times {
  readonly waits: Waits;
  /** Time without an outcome after which a message is reported as stuck. */
  readonly stuckMs: number;
  /** Time for which a request locks its Idempotency-Key. */
  readonly lockMs: number;
}

/** Returns the times of a deployment. Test stacks divide them (docs/settings.md). */
export function timesFor(settings: Settings): Times {
  return {
    waits: waitsFor(settings),
    stuckMs: STUCK_AFTER_MS / settings.retrySpeedup,
    lockMs: IDEMPOTENCY_LOCK_MS / settings.leaseSpeedup,
  };
}

export class Subjects {
  readonly log: TeamLog;
  readonly waits: Waits;
  readonly counters: LedgerCounters;
  readonly open: OpenMessages;
  readonly releases: Releases;
  readonly claims: Claims;
  readonly asks: AttemptQuestions;
  readonly settlements: Settlements;
  readonly admission: AdmissionState;
  readonly #teamId: string;
  readonly #copies: ProviderCopies;
  readonly #keys: IdempotencyKeys;

  constructor(sql: SqlStorage, teamId: string, log: TeamLog, times: Times) {
    this.#teamId = teamId;
    this.waits = times.waits;
    log.load(sql);
    this.log = log;
    this.counters = new LedgerCounters(sql);
    this.#keys = new IdempotencyKeys(sql, times.lockMs);
    const backlog = new Backlog(sql);
    this.open = new OpenMessages(sql, log, backlog, times, Date.now());
    this.releases = new Releases(sql, backlog, this.open, this.counters);
    this.#copies = new ProviderCopies(sql);
    this.claims = new Claims(this.open, times.waits);
    this.asks = new AttemptQuestions(this.open, times.waits);
    this.settlements = new Settlements(this.open, log, this.#copies, times.waits);
    this.admission = { counters: this.counters, keys: this.#keys, intake: this.#intake() };
  }

  /**
   * Finds a message that has open recipients, that has events outside chunks, or that was never
   * released.
   */
  find(emailId: string): MessageInLedger {
    const open = this.open.lookUps.find(emailId) ?? null;
    const logged = this.log.rows.find(emailId);
    const scheduled = open || logged ? undefined : this.releases.findUnreleased(emailId);
    return { open, logged, ...(scheduled && { scheduled }) };
  }

  /**
   * Finds open messages and scheduled messages whose JSON contains `text`: up to `limit` of each
   * kind.
   */
  mentioning(text: string, limit: number): MentioningMessage[] {
    return [
      ...this.open.lookUps.mentioning(text, limit),
      ...this.releases.schedule.mentioning(text, limit),
    ];
  }

  /**
   * Lists open, scheduled and canceled messages, and messages with events that are not in a chunk
   * yet.
   */
  listHeld(ask: LedgerMessagesQuery): LedgerMessages {
    const { lookUps } = this.open;
    return listLedgerMessages(
      { lookUps, schedule: this.releases.schedule, log: this.log.rows },
      ask,
    );
  }

  /** Finds the attempts to which a provider's events belong. */
  matchCopies(queries: readonly CopyQuery[]): CopyMatch[] {
    return queries.map((query) =>
      this.#copies.match(query, this.open.lookUps, (emailId) => this.find(emailId)),
    );
  }

  /** Returns those of the given message ids whose messages still need their content. */
  needingContent(emailIds: readonly string[]): string[] {
    return emailIds.filter((id) => this.releases.isWaiting(id) || this.open.lookUps.has(id));
  }

  /**
   * Returns the R2 keys of all content in R2, which is not needed any more when the ledger is
   * deleted.
   */
  contentKeys(): string[] {
    return [...this.open.lookUps.contentKeys(), ...this.releases.contentKeys()];
  }

  /** Releases jobs that wait or were lost, and deletes rows that are finished or too old. */
  round(now: number): LedgerChange<void> {
    const waiting = this.releases.releaseWaiting(now);
    const { released = [], ...rest } = this.claims.releaseDue(now);
    this.open.stuck.report(this.#teamId, now);
    this.#keys.sweep(now);
    this.counters.sweepLabels(now);
    this.log.sweep(now);
    this.#copies.sweep(now);
    this.releases.sweep(now);
    return { ...rest, released: [...waiting, ...released] };
  }

  /**
   * When the alarm is due next, Unix milliseconds. Ignores the messages in flight, whose time is
   * InFlightSchedule.nextWake.
   */
  nextRound(now: number): number {
    return Math.min(
      this.#keys.sweepAt,
      this.counters.labelSweepAt,
      this.releases.nextAt(now),
      this.log.dueAt(now),
    );
  }

  #intake(): AdmissionState["intake"] {
    return {
      hasRoomFor: (largeBytes) => this.open.hasRoomFor(largeBytes),
      accept: (...accepted) => this.releases.accept(...accepted),
      isKnown: (emailId) => {
        const { open, logged, scheduled } = this.find(emailId);
        return open !== null || logged !== null || scheduled !== undefined;
      },
    };
  }
}
