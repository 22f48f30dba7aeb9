// The arguments and results of TeamLedger's RPC methods (docs/architecture.md §Admit, §Settle). The
// ledger stores and returns `meta` and `content` unchanged.
import type { NotedChange } from "../audit.ts";
import type { Priority } from "./priority.ts";
import type { Quota } from "../refusal.ts";
import type { DeliveryFacts } from "./delivery-facts.ts";
import type { MessageRecord, OwnEvent } from "./event-records.ts";
import type { ActiveHold, Hold } from "./holds.ts";
import type { WaitReason } from "./recipient-states.ts";
import type { SubmissionIdentity } from "./submission-calls.ts";

/** The team's current settings. Each call passes them, so that the ledger does not read D1. */
export interface Policy {
  readonly daily: number;
  readonly monthly: number;
  readonly deliveryRatePerMinute: number;
  readonly requestsPerSecond: number;
  readonly tagsPerHour: number;
  readonly topicPerHour: number;
  readonly campaignPerHour: number;
  readonly campaignPer72Hours: number;
  /** The overage credits with which a new ledger begins. Absent: the team has no credits. */
  readonly startingCredits?: number;
  /** When the settings last changed, Unix milliseconds. */
  readonly asOf: number;
}

export interface IdempotencyClaim {
  readonly key: string;
  /** SHA-256 of method, path and raw body (contract.md §Idempotency). */
  readonly fingerprint: string;
  /** Absent: the request came over HTTP. */
  readonly submission?: SubmissionIdentity;
}

/** A message that passed every check before the ledger's own checks. */
export interface Candidate {
  readonly id: string;
  /** Number of envelope recipients. Each recipient is a job, and one message in quotas. */
  readonly recipientCount: number;
  /** The campaign, or "". Messages of one campaign, priority and domain are released in order. */
  readonly stream: string;
  /** The sending domain. */
  readonly domain: string;
  /** Undefined: the priority is normal. */
  readonly priority?: Priority | undefined;
  readonly tags: readonly string[];
  readonly topic: string | null;
  readonly campaign: string | null;
  /** The message (mail/message.ts Message) as JSON. */
  readonly meta: string;
  /** The content in the form of mail/stored-content.ts. Null: it is in R2 under `contentKey`. */
  readonly content: string | Uint8Array<ArrayBuffer> | null;
  readonly contentKey: string | null;
  /** The time of release, Unix milliseconds. Absent: only the delivery rate delays the release. */
  readonly scheduledAt?: number;
}

export type AdmitItem =
  | { readonly kind: "candidate"; readonly candidate: Candidate }
  /**
   * A batch item that failed before admission. `error` is its error object as JSON, stored for
   * replays. `isFault` is true if the service, and not the item, caused the failure.
   */
  | { readonly kind: "failed"; readonly error: string; readonly isFault?: boolean };

/** The caller's decision about a send, made before it calls the ledger. */
export type PreliminaryDecision =
  /**
   * Validation refused the request. The refusal is stored unchanged for replays (contract.md
   * §Idempotency), and nothing is debited.
   */
  | { readonly kind: "refused"; readonly status: number; readonly body: string }
  /** A fault stopped the send. The ledger stores nothing, and checks only the rate and the key. */
  | { readonly kind: "unavailable" }
  | { readonly kind: "items"; readonly items: readonly AdmitItem[] };

export interface AdmitRequest {
  readonly policy: Policy;
  /** The console session whose rate applies. Null: the team's rate applies. */
  readonly session: string | null;
  /** False if begin() has already counted this request against the rate. */
  readonly takesRate: boolean;
  readonly idempotency: IdempotencyClaim | null;
  /** The lock that begin() returned for this request. Null: the caller did not call begin(). */
  readonly lock: string | null;
  readonly verdict: PreliminaryDecision;
  /** Unix milliseconds. Accepted messages get this time as created_at. */
  readonly now: number;
  /** The audit entry of an accepted message. Absent: the message gets no entry. */
  readonly audit?: NotedChange;
}

export interface RateState {
  /** Requests per second. */
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the rate's token bucket is full. */
  readonly resetSeconds: number;
  /** The token bucket's level. Present if the bucket had no token (admission/rate.ts). */
  readonly level?: number;
}

export type ItemResult =
  /** `scheduledAt` is copied from the candidate. */
  | { readonly kind: "queued"; readonly id: string; readonly scheduledAt?: number }
  | { readonly kind: "failed"; readonly error: string }
  | { readonly kind: "capped"; readonly quota: Quota };

/** The result to render. A replay gets the same result, so its response has the same bytes. */
export type AdmissionResult =
  | { readonly kind: "refused"; readonly status: number; readonly body: string }
  | {
      readonly kind: "accepted";
      readonly createdAt: number;
      readonly items: readonly ItemResult[];
    };

export type Admission =
  | { readonly kind: "rate_limited"; readonly rate: RateState }
  | { readonly kind: "in_flight"; readonly rate: RateState }
  | { readonly kind: "mismatch"; readonly rate: RateState }
  /**
   * A fault affected every item, so the ledger accepted and stored nothing. `items` is empty if the
   * verdict was `unavailable`. `isFull`: the ledger's storage is full.
   */
  | {
      readonly kind: "unavailable";
      readonly rate: RateState;
      readonly isFull?: true;
      readonly items: readonly ItemResult[];
    }
  /**
   * The whole request exceeds the daily or monthly cap, or each of its candidates exceeds a label
   * cap. Nothing is stored.
   */
  | {
      readonly kind: "over_quota";
      readonly rate: RateState;
      readonly quota: Quota;
      readonly items: readonly ItemResult[];
    }
  | {
      readonly kind: "answered";
      readonly rate: RateState;
      readonly replayed: boolean;
      readonly answer: AdmissionResult;
    };

/**
 * The caller must store the send's large content in R2. Then it calls admit() with `takesRate:
 * false`, this `lock` and no large content, or abandon() to end the send.
 */
export interface BegunSend {
  readonly kind: "begun";
  readonly rate: RateState;
  /** Null: the send has no idempotency key, so begin() locked nothing. */
  readonly lock: string | null;
}

/** The answer to begin(). Any answer except `begun` ends the request. */
export type Beginning =
  | BegunSend
  | Extract<Admission, { kind: "rate_limited" | "in_flight" | "mismatch" | "answered" }>;

/** The result of a send whose response from the ledger was lost. */
export interface RecalledSend {
  readonly rate: RateState;
  /**
   * True: the ledger accepted the send and still has a message of it. False: the ledger has no
   * message of the send, and does not accept it any more. Also false: all messages of the send are
   * in chunks.
   */
  readonly isKnown: boolean;
  /** The results of the items, if the send was accepted. */
  readonly items: readonly ItemResult[];
}

export interface JobRef {
  readonly emailId: string;
  readonly recipientIndex: number;
}

export interface Grant extends JobRef {
  /**
   * The attempt's number, counted from 1. If a lease expires, the ledger grants the attempt again
   * with the same number, so that couriers can recognise it.
   */
  readonly attempt: number;
  /** When a courier first rejected this attempt without trying to deliver it, Unix milliseconds. */
  readonly waitsSince?: number;
  /**
   * Present if the courier's provider accepted the copy, but reported no outcome before the
   * deadline. The recipient gets its final outcome, and no further copy.
   */
  readonly unheard?: NoVerdict;
  /** Present if a hold blocked the message for too long. The recipient gets its final outcome. */
  readonly heldOut?: Hold;
  /** Present if the copy is a probe. A probe tests whether the hold is over. */
  readonly isProbe?: true;
}

/** A provider's last report about a copy whose outcome is unknown. */
export interface NoVerdict {
  /** The last server reply that the provider quoted. Null: the provider reported nothing. */
  readonly lastReply: LastReply | null;
  /** True: the provider delivers mail to this recipient, but never reports the outcome. */
  readonly isSilent?: true;
}

/** A reply of the recipient's server, as a provider quoted it. */
export interface LastReply {
  readonly code: number;
  readonly enhanced: string | null;
  readonly text: string;
}

export interface ClaimedMessage {
  readonly emailId: string;
  /** The message's scheduled time, or else its acceptance, Unix milliseconds. */
  readonly startsAt: number;
  readonly meta: string;
  /**
   * The message's content. Null: the content is in R2 under `contentKey`. If `contentKey` is null
   * too, the content did not fit into the claim, and readContent() returns it.
   */
  readonly content: Candidate["content"];
  readonly contentKey: string | null;
  /**
   * Milliseconds for which holds blocked the message. Its 72 hours do not include this time.
   * Absent: no hold blocked it.
   */
  readonly heldMs?: number;
}

export interface Claim {
  /** The messages of all granted attempts, each message once. */
  readonly messages: readonly ClaimedMessage[];
  readonly grants: readonly Grant[];
  /** Null: the team was deleted. Absent: `grants` is empty. */
  readonly facts?: DeliveryFacts | null;
}

/** The reason why an event suppresses its recipient. */
type Suppressing =
  | {
      readonly kind: "bounce";
      readonly classification: string | null;
      readonly smtpCode: number | null;
      readonly at: number;
    }
  | { readonly kind: "complaint"; readonly feedbackType: string; readonly at: number };

/** An event as a row of the log stores it. */
export interface LoggedEvent extends OwnEvent {
  readonly suppress?: Suppressing;
}

/** Events of one message, as a row of the log stores them. */
export interface LoggedMessage {
  readonly message: MessageRecord;
  readonly events: readonly LoggedEvent[];
}

export interface Settlement extends JobRef {
  readonly attempt: number;
  readonly events: readonly LoggedEvent[];
  /**
   * When the next attempt is due, Unix milliseconds. Null: the recipient has its final outcome. If
   * `awaits` is present, the ledger ignores this time.
   */
  readonly nextAttemptAt: number | null;
  /**
   * Present if the courier's provider accepted the copy and will report its outcome. `until`: when
   * the ledger stops waiting for the report, Unix milliseconds.
   */
  readonly awaits?: NoVerdict & { readonly until: number };
  /** Present if the courier's provider accepted the copy, or may have accepted it. */
  readonly copyTaken?: ProviderCopy;
  /**
   * Present if the provider accepted the copy in an earlier settlement. `eventId` names the
   * provider's event with the outcome. The ledger applies an event only once. `eventId` null: the
   * provider sent no event before the deadline.
   */
  readonly verdict?: { readonly eventId: string | null };
  /** True: the team's courier accepted or judged the copy, so no hold blocks the domain. */
  readonly isCarried?: true;
}

/** The facts that match a provider's event with a copy. */
export interface ProviderCopy {
  /** The provider's id for the copy. Null: the provider did not respond. */
  readonly providerId: string | null;
  readonly sender: string;
  readonly recipient: string;
  /** Unix milliseconds. */
  readonly at: number;
}

export interface SettleResult {
  /** The indexes of the applied settlements. Unknown and settled attempts are not applied. */
  readonly applied: readonly number[];
  /** The ids of events that were too old, or can happen only once and were already in the log. */
  readonly refused: readonly string[];
}

/** An event that no delivery attempt caused. */
export interface AppendRequest {
  readonly message: MessageRecord;
  readonly recipientIndex: number;
  readonly event: LoggedEvent;
  /**
   * The ledger appends at most one event with this key in 35 days. Null: the ledger appends
   * repeated events too, except bounces and complaints (once-only-events.ts).
   */
  readonly once: string | null;
}

/** A message that has a recipient without a final outcome. */
export interface OpenMessage {
  readonly meta: string;
  /** The message's scheduled time, or else its acceptance, Unix milliseconds. */
  readonly startsAt: number;
  /** When each next attempt is due, Unix milliseconds. Null: the recipient is not deferred. */
  readonly nextAttempts: readonly (number | null)[];
  /** Why each recipient's job waits. Null: the job is done. */
  readonly holds: readonly (WaitReason | null)[];
  /** True for each job that waits for a connection to the mail server. Absent: no job does. */
  readonly waitForRoom?: readonly boolean[];
  /** The hold that blocks the message now. Absent: no hold does. */
  readonly hold?: ActiveHold;
  /** Milliseconds for which holds blocked the message. Absent: no hold blocked it. */
  readonly heldMs?: number;
}
