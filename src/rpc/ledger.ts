// The calls of a team's ledger (docs/architecture.md §Admit, §Settle). ledger-calls.ts has their
// arguments and results; ledger/team-ledger.ts answers them. Times are Unix milliseconds.
import type { AuditEntry, AuditQuery, NotedChange } from "../audit.ts";
import type { QuestionResults, LeftJobs, MessagesToSettle } from "./question-calls.ts";
import type { MessageRecord } from "./event-records.ts";
import type { ActiveHold, NamedHold } from "./holds.ts";
import type {
  Admission,
  AdmitRequest,
  AppendRequest,
  Beginning,
  BegunSend,
  Claim,
  Grant,
  IdempotencyClaim,
  JobRef,
  Policy,
  RateState,
  RecalledSend,
  SettleResult,
  Settlement,
} from "./ledger-calls.ts";
import type { CopyMatch, CopyQuery } from "./provider-copy-calls.ts";
import type {
  LedgerMessagesQuery,
  LedgerMessages,
  MessageInLedger,
  MessageWithContent,
} from "./message-list-calls.ts";
import type { RecentEvents, RecentEventsRequest } from "./recent-events-calls.ts";
import type {
  CanceledCampaign,
  Cancellation,
  ScheduledPage,
  ScheduledRange,
  WaitingCampaign,
} from "./schedule-calls.ts";
import type { Usage } from "./usage-calls.ts";

/** A message whose JSON (`meta`, see mail/message.ts) contains the text of a search. */
export interface MentioningMessage {
  readonly emailId: string;
  readonly meta: string;
}

export interface Ledger {
  /**
   * Counts one request against the rate of the console session, or of the team if the request has
   * no session. All endpoints except sends call this method.
   */
  takeRequest(
    policy: Policy,
    now: number,
    session?: string | null,
  ): { allowed: boolean; rate: RateState };
  /**
   * Counts the request against the rate, and looks up and locks the Idempotency-Key. Only a send
   * that stores its content in R2 before admit() needs this call. After `begun`, the caller must
   * call admit() or abandon() with the returned `lock`.
   */
  begin(
    policy: Policy,
    claim: IdempotencyClaim,
    now: number,
    session?: string | null,
  ): Promise<Beginning>;
  /**
   * Unlocks the Idempotency-Key that begin() locked. The caller uses it if the request ends without
   * admit().
   */
  abandon(key: string, lock: string): Promise<void>;
  /**
   * Accepts or refuses a send, and stores accepted items durably. Returns `begun`, without a
   * decision, if the ledger has no space for the send's large content. Then the caller must store
   * the content in R2 first.
   */
  admit(request: AdmitRequest): Promise<Admission | BegunSend>;
  /** Decides each request as admit() does, in order. */
  admitEach(requests: readonly AdmitRequest[]): Promise<(Admission | BegunSend)[]>;
  /**
   * Returns the results of sends whose response was lost. The requests lack their content. If the
   * ledger does not know a send, it never accepts the send after this call, and unlocks the send's
   * idempotency key.
   */
  recall(requests: readonly AdmitRequest[]): Promise<RecalledSend[]>;
  /**
   * Leases those jobs that are released or due, and not leased yet. `courierRemembers` is true if
   * the courier recognises repeated attempts, so that the ledger need not store the leases durably.
   * By default, the team's courier decides this. `largeBytes` is the maximum of large content in
   * the messages, 0 by default.
   */
  claim(
    jobs: readonly JobRef[],
    now: number,
    courierRemembers?: boolean,
    largeBytes?: number,
  ): Promise<Claim>;
  /**
   * Returns the content of a message, for a caller whose claim() did not return it. Returns null if
   * all recipients of the message have their final outcome.
   */
  readContent(emailId: string): Uint8Array<ArrayBuffer> | null;
  /**
   * Stores outcomes and their events in one transaction. `messages` has the messages of the
   * outcomes, by id.
   */
  settle(
    settlements: readonly Settlement[],
    messages: Readonly<Record<string, MessageRecord>>,
    now: number,
  ): Promise<SettleResult>;
  /** Appends events that no attempt caused. Returns for each event whether it was appended. */
  append(appends: readonly AppendRequest[], now: number): Promise<boolean[]>;
  /** Finds the attempts that a provider's events belong to, one result for each query. */
  matchProviderCopies(queries: readonly CopyQuery[]): Promise<CopyMatch[]>;
  /**
   * Reads the recent events, which are in no chunk yet. The method keeps its name, because the
   * previous version of the worker calls it (decision 0022).
   */
  readTail(request: RecentEventsRequest): RecentEvents;
  /**
   * Drops the address's suppressions that the ledger has not dispatched yet. Returns whether it
   * dropped any.
   */
  dropPendingSuppressions(email: string): Promise<boolean>;
  /**
   * Makes the ledger reload the team's settings, domains and webhooks after a change. The method
   * keeps its name, because the previous version of the worker calls it.
   */
  webhooksChanged(): Promise<void>;
  /**
   * Renews the leases of jobs on which a consumer still works. `courierRemembers`: as in claim().
   */
  hold(grants: readonly Grant[], now: number, courierRemembers?: boolean): Promise<void>;
  /** Records what a consumer did with the claimed jobs that it did not settle. */
  leave(left: LeftJobs, now: number): Promise<void>;
  /**
   * Records the gateways' answers about attempts. Returns the messages of the attempts that the
   * caller must settle next.
   */
  noteAnswers(answers: QuestionResults, now: number): Promise<MessagesToSettle>;
  /** Finds a message that is open, or that has events in no chunk yet. */
  find(emailId: string): MessageInLedger;
  /** Finds a message as find() does, with its content while it is open or scheduled. */
  findWithContent(emailId: string): MessageWithContent;
  /**
   * Finds open messages and scheduled messages whose JSON contains `text`, without regard to case.
   * Searches the newest messages, and returns up to `limit` open and `limit` scheduled messages.
   */
  mentioning(text: string, limit: number): MentioningMessage[];
  /** Lists open, scheduled and canceled messages, and messages with events in no chunk yet. */
  listHeld(ask: LedgerMessagesQuery): LedgerMessages;
  /**
   * Cancels a scheduled message, so that it is never released. If the message is already canceled,
   * returns the time of the first cancelation.
   */
  cancel(emailId: string, now: number, audit?: NotedChange): Promise<Cancellation>;
  /**
   * Reschedules a message. If the new time has passed, releases the message immediately. Returns
   * false if the message no longer waits for its scheduled time.
   */
  move(emailId: string, scheduledAt: number, now: number, audit?: NotedChange): Promise<boolean>;
  /**
   * Cancels up to `limit` scheduled messages of a campaign, beginning with the earliest release.
   */
  cancelCampaign(
    campaign: string,
    limit: number,
    now: number,
    audit?: NotedChange,
  ): Promise<CanceledCampaign>;
  /** Lists up to `limit` entries of the audit trail, newest first. */
  listAudit(query: AuditQuery, limit: number): AuditEntry[];
  /** Reads at most `limit` scheduled messages of a range. */
  listScheduled(range: ScheduledRange, limit: number): ScheduledPage;
  /** Reads the campaigns with scheduled messages, sorted by their earliest release. */
  waitingCampaigns(): WaitingCampaign[];
  /**
   * Returns those messages that still need their content: scheduled messages, and messages with an
   * open recipient.
   */
  needingContent(emailIds: readonly string[]): string[];
  /** Returns the team's current counters. `startingCredits`: as in Policy. */
  usage(now: number, startingCredits?: number): Usage;
  /**
   * Releases the blocked mail of a deleted sending domain, so that this mail gets its final outcome
   * at once.
   */
  dropDomain(name: string, now: number): Promise<void>;
  /** Returns the hold that blocks the mail of a sending domain, or null. */
  holdOf(domain: string): ActiveHold | null;
  /** Returns the holds that are in force. */
  listHolds(): NamedHold[];
  /** Sets the ledger's alarm if the alarm was lost. A cron trigger calls it. */
  restoreAlarm(): Promise<void>;
  /** Sets how many prepaid messages may be sent beyond the monthly quota. */
  setOverageCredits(balance: number): Promise<void>;
  /**
   * Deletes all data of a team that is being deleted. Returns the R2 keys of the team's content.
   */
  destroy(): Promise<{ contentKeys: string[] }>;
}
