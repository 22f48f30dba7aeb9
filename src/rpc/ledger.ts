// The calls of a team's ledger (docs/architecture.md §Admit, §Settle). ledger-calls.ts has their
// arguments and results; ledger/team-ledger.ts answers them. Times are Unix milliseconds.
import type { AskAnswers, LeftJobs, NotedAnswers } from "./ask-calls.ts";
import type { MessageRecord } from "./event-records.ts";
import type {
  Admission,
  AdmitRequest,
  Append,
  Beginning,
  Begun,
  Claim,
  FoundMessage,
  Grant,
  CopyMatch,
  CopyQuery,
  IdempotencyClaim,
  JobRef,
  Policy,
  RateState,
  Recalled,
  Settled,
  Settlement,
} from "./ledger-calls.ts";
import type { LedgerMessagesAsk, LedgerMessages } from "./message-list-calls.ts";
import type { RecentEvents, RecentEventsRequest } from "./recent-events-calls.ts";
import type {
  CanceledCampaign,
  Cancellation,
  ScheduledPage,
  ScheduledRange,
  WaitingCampaign,
} from "./schedule-calls.ts";
import type { Usage } from "./usage-calls.ts";

/** A message of mail/message.ts whose JSON, `meta`, contains a text. */
export interface MentioningMessage {
  readonly emailId: string;
  readonly meta: string;
}

export interface Ledger {
  /**
   * Takes one request from the rate of the console session, or without one of the team: for every
   * endpoint but the sends.
   */
  takeRequest(
    policy: Policy,
    now: number,
    session?: string | null,
  ): { allowed: boolean; rate: RateState };
  /**
   * Takes the rate, looks the Idempotency-Key up and locks it, for a send whose content has to be
   * stored elsewhere before admit(). `begun` is followed by admit() or abandon() with its `lock`.
   */
  begin(
    policy: Policy,
    claim: IdempotencyClaim,
    now: number,
    session?: string | null,
  ): Promise<Beginning>;
  /** Frees the key that begin() locked, when the request ends without an admit(). */
  abandon(key: string, lock: string): Promise<void>;
  /**
   * Decides a send. An item that it answers as accepted is on disk. `begun`: nothing is decided,
   * since the ledger has no room for the send's large content, which has to be stored in R2 first.
   */
  admit(request: AdmitRequest): Promise<Admission | Begun>;
  /** Decides each as admit() does, in their order. */
  admitEach(requests: readonly AdmitRequest[]): Promise<(Admission | Begun)[]>;
  /**
   * Tells what became of sends whose answer got lost. They come without their content, and as they
   * are named they are decided: one that the ledger does not know is not accepted any more, and its
   * key is free.
   */
  recall(requests: readonly AdmitRequest[]): Promise<Recalled[]>;
  /**
   * Leases the jobs that are released or due and not leased already. `courierRemembers`: the
   * courier deduplicates, so a restart may forget the leases. `largeBytes`: the large content that
   * the messages may bring along; 0 unless given.
   */
  claim(
    jobs: readonly JobRef[],
    now: number,
    courierRemembers?: boolean,
    largeBytes?: number,
  ): Promise<Claim>;
  /**
   * The content of a message whose claim did not bring it along; null: the message has its last
   * outcome.
   */
  readContent(emailId: string): Uint8Array<ArrayBuffer> | null;
  /** Stores outcomes and their events in one transaction. `messages`: those they name, by id. */
  settle(
    settlements: readonly Settlement[],
    messages: Readonly<Record<string, MessageRecord>>,
    now: number,
  ): Promise<Settled>;
  /** Appends events that no attempt led to. Answers for each whether it was appended. */
  append(appends: readonly Append[], now: number): Promise<boolean[]>;
  /** Finds the attempts that a provider's events are about, one for each query. */
  matchProviderCopies(queries: readonly CopyQuery[]): Promise<CopyMatch[]>;
  /** Reads the recent events, which are in no chunk yet. The last version calls it by this name. */
  readTail(request: RecentEventsRequest): RecentEvents;
  /**
   * Drops suppressions of the address that are not handed over yet. Answers whether there were
   * any.
   */
  dropPendingSuppressions(email: string): Promise<boolean>;
  /** Reads the team's webhooks again before the next row is dispatched. */
  webhooksChanged(): void;
  /** Renews the leases of jobs that a courier without deduplication is still working on. */
  hold(grants: readonly Grant[], now: number): Promise<void>;
  /** Notes what a consumer did with claimed jobs that it has not settled. */
  leave(left: LeftJobs, now: number): Promise<void>;
  /**
   * Notes what gateways answered about attempts, and returns what the caller needs to settle those
   * whose outcome is known or whose time is over.
   */
  noteAnswers(answers: AskAnswers, now: number): Promise<NotedAnswers>;
  /** Finds a message that is on its way, or that has events in no chunk yet. */
  find(emailId: string): FoundMessage;
  /**
   * Finds open messages, and those that wait for their time, whose JSON contains `text` in any
   * case: up to `limit` of each, among the newest.
   */
  mentioning(text: string, limit: number): MentioningMessage[];
  /** Lists open messages, scheduled and canceled ones, and those with events in no chunk yet. */
  listHeld(ask: LedgerMessagesAsk): LedgerMessages;
  /**
   * Cancels a message that waits for its time: nothing of it is ever released. A message that was
   * canceled before is answered with the time of that.
   */
  cancel(emailId: string, now: number): Promise<Cancellation>;
  /**
   * Moves a message that waits for its time. It is released at once if that time has come.
   * Answers whether the message was still waiting.
   */
  move(emailId: string, scheduledAt: number, now: number): Promise<boolean>;
  /** Cancels messages of a campaign that wait for their time, the next to go out first. */
  cancelCampaign(campaign: string, limit: number, now: number): Promise<CanceledCampaign>;
  /** Reads messages that wait for their time: at most `limit` of a range. */
  listScheduled(range: ScheduledRange, limit: number): ScheduledPage;
  /** Reads the campaigns that have messages waiting for their time, the next to go out first. */
  waitingCampaigns(): WaitingCampaign[];
  /** Answers which of these messages wait or have an open recipient, and so need their content. */
  needingContent(emailIds: readonly string[]): string[];
  usage(now: number): Usage;
  /** Uses up a link that signs in to the console. Answers whether that is its first use. */
  useLink(id: string, expiresAt: number, now: number): boolean;
  /** Sets a lost alarm again (the hourly sweep calls it). */
  restoreAlarm(): Promise<void>;
  /** Sets how many prepaid messages may be sent beyond the monthly cap. */
  setOverageCredits(balance: number): Promise<void>;
  /**
   * Deletes everything, because the team is deleted. Returns the R2 keys of content that it held.
   */
  destroy(): Promise<{ contentKeys: string[] }>;
}
