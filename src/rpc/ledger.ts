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
   * Counts one request against the rate of the console session or, without one, of the team. Used
   * by all endpoints except sends.
   */
  takeRequest(
    policy: Policy,
    now: number,
    session?: string | null,
  ): { allowed: boolean; rate: RateState };
  /**
   * Counts the request against the rate, and looks up and locks the Idempotency-Key. Used for a
   * send that must store its content elsewhere before admit(). After `begun`, the caller must call
   * admit() or abandon() with the `lock` of the answer.
   */
  begin(
    policy: Policy,
    claim: IdempotencyClaim,
    now: number,
    session?: string | null,
  ): Promise<Beginning>;
  /** Frees the Idempotency-Key that begin() locked, if the request ends without admit(). */
  abandon(key: string, lock: string): Promise<void>;
  /**
   * Decides a send. Accepted items are on disk when this resolves. `begun`: nothing is decided yet,
   * because the ledger has no room for the send's large content, which must be stored in R2 first.
   */
  admit(request: AdmitRequest): Promise<Admission | BegunSend>;
  /** Decides each request as admit() does, in order. */
  admitEach(requests: readonly AdmitRequest[]): Promise<(Admission | BegunSend)[]>;
  /**
   * Tells what became of sends whose answer was lost. The requests come without their content. A
   * send that the ledger does not know will not be accepted after this call, and its key becomes
   * free.
   */
  recall(requests: readonly AdmitRequest[]): Promise<RecalledSend[]>;
  /**
   * Leases those jobs that are released or due, and not leased yet. `courierRemembers`: the courier
   * recognises repeated attempts, so a restart may forget the leases; absent: the ledger knows the
   * team's courier. `largeBytes`: how much large content the messages may include; 0 by default.
   */
  claim(
    jobs: readonly JobRef[],
    now: number,
    courierRemembers?: boolean,
    largeBytes?: number,
  ): Promise<Claim>;
  /**
   * Returns the content of a message, if the answer to claim() did not include it. Null: all
   * recipients of the message have their final outcome.
   */
  readContent(emailId: string): Uint8Array<ArrayBuffer> | null;
  /**
   * Stores outcomes and their events in one transaction. `messages`: the outcomes' messages, by id.
   */
  settle(
    settlements: readonly Settlement[],
    messages: Readonly<Record<string, MessageRecord>>,
    now: number,
  ): Promise<SettleResult>;
  /**
   * Appends events that do not follow from an attempt. Returns for each event whether it was
   * appended.
   */
  append(appends: readonly AppendRequest[], now: number): Promise<boolean[]>;
  /** Finds the attempts that a provider's events belong to, one result for each query. */
  matchProviderCopies(queries: readonly CopyQuery[]): Promise<CopyMatch[]>;
  /**
   * Reads the recent events, which are in no chunk yet. The method keeps its name, because the
   * previous version of the worker calls it.
   */
  readTail(request: RecentEventsRequest): RecentEvents;
  /**
   * Drops suppressions of the address that the ledger has not yet passed on. Returns whether there
   * were any.
   */
  dropPendingSuppressions(email: string): Promise<boolean>;
  /**
   * Makes the ledger read the team's settings, domains and webhooks again, because some of them
   * changed. The method keeps its name, because the previous version of the worker calls it.
   */
  webhooksChanged(): Promise<void>;
  /**
   * Renews the leases of jobs on which a consumer still works. `courierRemembers`: the courier
   * recognises repeated attempts, so a restart may forget the leases.
   */
  hold(grants: readonly Grant[], now: number, courierRemembers?: boolean): Promise<void>;
  /** Records what a consumer did with claimed jobs that it leaves unsettled. */
  leave(left: LeftJobs, now: number): Promise<void>;
  /**
   * Records the gateways' answers about attempts. Returns what the caller needs to settle attempts
   * whose outcome is known or whose time is over.
   */
  noteAnswers(answers: QuestionResults, now: number): Promise<MessagesToSettle>;
  /** Finds a message that is open, or that has events in no chunk yet. */
  find(emailId: string): MessageInLedger;
  /** Finds a message as find() does, with its content while it is open or scheduled. */
  findWithContent(emailId: string): MessageWithContent;
  /**
   * Finds open messages and scheduled messages whose JSON contains `text`, in any case: up to
   * `limit` of each, among the newest.
   */
  mentioning(text: string, limit: number): MentioningMessage[];
  /** Lists open, scheduled and canceled messages, and messages with events in no chunk yet. */
  listHeld(ask: LedgerMessagesQuery): LedgerMessages;
  /**
   * Cancels a scheduled message, so that it is never released. If the message was canceled before,
   * returns the time of that cancelation.
   */
  cancel(emailId: string, now: number, audit?: NotedChange): Promise<Cancellation>;
  /**
   * Reschedules a scheduled message. If the new time has already passed, the message is released
   * immediately. Returns whether the message was still waiting.
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
  /**
   * Lists up to `limit` entries of the trail, newest first. Absent in the previous version.
   */
  listAudit(query: AuditQuery, limit: number): AuditEntry[];
  /** Reads at most `limit` scheduled messages of a range. */
  listScheduled(range: ScheduledRange, limit: number): ScheduledPage;
  /** Reads the campaigns with scheduled messages, sorted by their earliest release. */
  waitingCampaigns(): WaitingCampaign[];
  /**
   * Returns which of these messages are scheduled or have an open recipient, and so need their
   * content.
   */
  needingContent(emailIds: readonly string[]): string[];
  /** `startingCredits`: as in Policy. */
  usage(now: number, startingCredits?: number): Usage;
  /**
   * Releases the held mail of a sending domain that was deleted, so that the mail ends at once.
   * Absent in the previous version.
   */
  dropDomain(name: string, now: number): Promise<void>;
  /** Returns the hold that stops the mail of a sending domain. Absent in the previous version. */
  holdOf(domain: string): ActiveHold | null;
  /** Returns the holds in force, each with its domain; null: the whole account's. */
  listHolds(): NamedHold[];
  /** Sets the ledger's alarm again if it was lost (a cron trigger calls it). */
  restoreAlarm(): Promise<void>;
  /** Sets how many prepaid messages may be sent beyond the monthly quota. */
  setOverageCredits(balance: number): Promise<void>;
  /** Deletes everything, because the team is deleted. Returns the R2 keys of the team's content. */
  destroy(): Promise<{ contentKeys: string[] }>;
}
