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

/** The team's settings now. Each call passes them, so that the ledger need not read D1. */
export interface Policy {
  readonly daily: number;
  readonly monthly: number;
  readonly deliveryRatePerMinute: number;
  readonly requestsPerSecond: number;
  readonly tagsPerHour: number;
  readonly topicPerHour: number;
  readonly campaignPerHour: number;
  readonly campaignPer72Hours: number;
  /** The overage credits of a ledger that never counted any. Absent: none. */
  readonly startingCredits?: number;
  /** When the settings last changed. Absent: the caller runs the last version. */
  readonly asOf?: number;
}

export interface IdempotencyClaim {
  readonly key: string;
  /** SHA-256 of method, path and raw body (contract.md §Idempotency). */
  readonly fingerprint: string;
  /** Absent: the request came over HTTP, or its worker runs an earlier version. */
  readonly submission?: SubmissionIdentity;
}

/** A message that passed every check outside the ledger. */
export interface Candidate {
  readonly id: string;
  /** Number of envelope recipients. Each is one job, and counts as one message in quotas. */
  readonly recipientCount: number;
  /** The campaign, or "". Messages of one campaign, priority and domain are released in order. */
  readonly stream: string;
  /** The sending domain. Absent: the last version of the worker made the candidate. */
  readonly domain?: string;
  /** Undefined: normal. */
  readonly priority?: Priority | undefined;
  readonly tags: readonly string[];
  readonly topic: string | null;
  readonly campaign: string | null;
  /** The message (mail/message.ts Message) as JSON. */
  readonly meta: string;
  /** The content in the form of mail/stored-content.ts. Null: it is in R2 under `contentKey`. */
  readonly content: string | Uint8Array<ArrayBuffer> | null;
  readonly contentKey: string | null;
  /** When the message is released, Unix milliseconds. Absent: as soon as the rate allows. */
  readonly scheduledAt?: number;
}

export type AdmitItem =
  | { readonly kind: "candidate"; readonly candidate: Candidate }
  /**
   * A batch item that failed before admission. `error` is the JSON of its error object, kept for
   * replays. `isFault`: a fault of the service made it fail.
   */
  | { readonly kind: "failed"; readonly error: string; readonly isFault?: boolean };

/** The caller's verdict on a send, made before it asks the ledger. */
export type PreliminaryDecision =
  /**
   * Validation refused the request. The refusal is stored unchanged for replays (contract.md
   * §Idempotency), and nothing is debited.
   */
  | { readonly kind: "refused"; readonly status: number; readonly body: string }
  /** A fault or a 502, which is not stored. The ledger decides only rate and idempotency. */
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
  /** The entry that an accepted message leaves in the trail. Absent: the message leaves none. */
  readonly audit?: NotedChange;
}

export interface RateState {
  /** Requests per second. */
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the bucket is full again. */
  readonly resetSeconds: number;
  /**
   * The bucket's level. Present if the bucket held no token for the request (admission/rate.ts).
   */
  readonly level?: number;
}

export type ItemResult =
  /** `scheduledAt`: the candidate's. */
  | { readonly kind: "queued"; readonly id: string; readonly scheduledAt?: number }
  | { readonly kind: "failed"; readonly error: string }
  | { readonly kind: "capped"; readonly quota: Quota };

/** The answer to render. A replay gets the same value, so its response has the same bytes. */
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
   * A fault affected every item: nothing is accepted or stored. `items` is empty if the verdict was
   * `unavailable`. `isFull`: the ledger has no room; absent from other faults.
   */
  | {
      readonly kind: "unavailable";
      readonly rate: RateState;
      readonly isFull?: true;
      readonly items: readonly ItemResult[];
    }
  /**
   * The whole request is over the daily or monthly volume, or all its candidates are over a label
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
 * The caller must first store the send's large content in R2, and then call admit() with
 * `takesRate: false`, this `lock` and no large content. To give up the send, it calls abandon().
 */
export interface BegunSend {
  readonly kind: "begun";
  readonly rate: RateState;
  /** Null: the send has no idempotency key, so there is nothing to lock. */
  readonly lock: string | null;
}

/** The answer to begin(). Any answer except `begun` ends the request. */
export type Beginning =
  | BegunSend
  | Extract<Admission, { kind: "rate_limited" | "in_flight" | "mismatch" | "answered" }>;

/** Tells what became of a send whose answer was lost. */
export interface RecalledSend {
  readonly rate: RateState;
  /**
   * True: the ledger accepted the send and has a message of it. False: the ledger has no message of
   * the send, and will not accept the send any more. But if all messages of the send are in chunks
   * by now, the ledger may have accepted the send earlier.
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
   * The attempt's number, counted from 1. After a lease expires, the attempt is granted again with
   * the same number, so that couriers can recognise it.
   */
  readonly attempt: number;
  /** When the attempt was first offered to a courier that did not take it, Unix milliseconds. */
  readonly waitsSince?: number;
  /**
   * Present if the courier's provider took this attempt's copy, but reported no outcome before the
   * recipient's time was over. Nothing is sent again. The recipient gets its final outcome.
   */
  readonly unheard?: NoVerdict;
  /**
   * Present if the message was held for too long. Nothing is sent any more, and the recipient gets
   * its final outcome.
   */
  readonly heldOut?: Hold;
  /** Present if the copy is a probe: it is offered to the provider although its mail is held. */
  readonly isProbe?: true;
}

/** The last report of a provider about a copy without an outcome. */
export interface NoVerdict {
  /** The last server reply that the provider quoted. Null: the provider reported nothing. */
  readonly lastReply: LastReply | null;
  /** True: the provider reports nothing about mail to this recipient, and delivers it. */
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
  /** The message's scheduled time or, without one, its acceptance, Unix milliseconds. */
  readonly startsAt: number;
  readonly meta: string;
  /**
   * The message's content. Null: the content is in R2 under `contentKey`. If that is null too, the
   * content did not fit into the claim, and readContent() returns it.
   */
  readonly content: Candidate["content"];
  readonly contentKey: string | null;
  /**
   * Time for which the message was held, in milliseconds. This time does not count in its 72 hours.
   * Absent: never.
   */
  readonly heldMs?: number;
}

export interface Claim {
  /** The messages of all granted attempts, each message once. */
  readonly messages: readonly ClaimedMessage[];
  readonly grants: readonly Grant[];
  /**
   * Null: the team was deleted. Absent: nothing was granted, or the ledger runs an earlier version.
   */
  readonly facts?: DeliveryFacts | null;
}

/** The reason why an event suppresses its recipient. The ledger passes it on with the event. */
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
   * When the next attempt is due, Unix milliseconds. Null: the recipient has its final outcome.
   * Ignored if `awaits` is present.
   */
  readonly nextAttemptAt: number | null;
  /**
   * Present if the courier's provider has the copy and will report its outcome. `until`: when the
   * ledger stops waiting for the report, Unix milliseconds.
   */
  readonly awaits?: NoVerdict & { readonly until: number };
  /** Present if the courier's provider took the copy, or may have taken it. */
  readonly copyTaken?: ProviderCopy;
  /**
   * Present if a provider took the copy earlier and its outcome comes only now. `eventId`: the
   * provider's event with the outcome; the ledger applies the event only once. Null: no event came,
   * and the ledger has stopped waiting.
   */
  readonly verdict?: { readonly eventId: string | null };
  /** True: the team's courier took or judged the copy, so no hold stops the domain's mail. */
  readonly isCarried?: true;
}

/** The facts by which a provider's event is matched with a copy. */
export interface ProviderCopy {
  /** The provider's id of the copy. Null: the provider did not answer. */
  readonly providerId: string | null;
  readonly sender: string;
  readonly recipient: string;
  /** Unix milliseconds. */
  readonly at: number;
}

export interface SettleResult {
  /**
   * The indexes of the settlements that were applied. Unknown attempts, and attempts that are
   * already settled, are not applied.
   */
  readonly applied: readonly number[];
  /**
   * The ids of events that were not appended, because they may happen only once and were appended
   * before.
   */
  readonly refused: readonly string[];
}

/** An event that does not follow from a delivery attempt. */
export interface AppendRequest {
  readonly message: MessageRecord;
  readonly recipientIndex: number;
  readonly event: LoggedEvent;
  /**
   * A key under which an event is appended at most once in 35 days. Null: a repeated event is
   * appended again, unless it is a bounce or a complaint (once-only-events.ts).
   */
  readonly once: string | null;
}

/** A message that has a recipient without a final outcome. */
export interface OpenMessage {
  readonly meta: string;
  /** The message's scheduled time or, without one, its acceptance, Unix milliseconds. */
  readonly startsAt: number;
  /** When each recipient is tried again, Unix milliseconds; null: the recipient is not deferred. */
  readonly nextAttempts: readonly (number | null)[];
  /**
   * Why each recipient's job waits. Null: it is done. Absent: the ledger runs an earlier version.
   */
  readonly holds?: readonly (WaitReason | null)[];
  /** True for each job that waits for a connection. Absent: none does. */
  readonly waitForRoom?: readonly boolean[];
  /** The hold that stops the message's mail now. Absent: none does. */
  readonly hold?: ActiveHold;
  /** Time for which the message was held until now, in milliseconds. Absent: never. */
  readonly heldMs?: number;
}
