// The arguments and results of TeamLedger's RPC methods (docs/architecture.md §Admit, §Settle). The
// ledger never looks inside a message: it stores `meta` and `content` as they are, and hands them
// out again.
import type { Priority } from "./priority.ts";
import type { Quota } from "../refusal.ts";
import type { MessageRecord, OwnEvent } from "./event-records.ts";
import type { WaitReason } from "./recipient-states.ts";
import type { ScheduledMessage } from "./schedule-calls.ts";

/** The team's settings in force. They come with every call, because the ledger has no database. */
export interface Policy {
  readonly daily: number;
  readonly monthly: number;
  readonly deliveryRatePerMinute: number;
  readonly requestsPerSecond: number;
  readonly tagsPerHour: number;
  readonly topicPerHour: number;
  readonly campaignPerHour: number;
  readonly campaignPer72Hours: number;
}

export interface IdempotencyClaim {
  readonly key: string;
  /** SHA-256 of method, path and raw body (contract.md §Idempotency). */
  readonly fingerprint: string;
}

/** One message that passed every check outside the ledger. */
export interface Candidate {
  readonly id: string;
  /** Number of envelope recipients. Each is one job and one message of quota. */
  readonly recipientCount: number;
  /** The campaign, or "": messages of one stream and one priority are released in turn. */
  readonly stream: string;
  /** Undefined: normal. */
  readonly priority?: Priority | undefined;
  readonly tags: readonly string[];
  readonly topic: string | null;
  readonly campaign: string | null;
  /** JSON of mail/message.ts Message. */
  readonly meta: string;
  /**
   * The content as mail/stored-content.ts describes it, or null when it is stored in R2 under
   * `contentKey`.
   */
  readonly content: string | Uint8Array<ArrayBuffer> | null;
  readonly contentKey: string | null;
  /** When the message is released, Unix milliseconds. Absent: as soon as the pace allows. */
  readonly scheduledAt?: number;
}

export type AdmitItem =
  | { readonly kind: "candidate"; readonly candidate: Candidate }
  /**
   * A batch item that failed before admission. `error` is the JSON of its error object, kept for
   * replays. `isFault`: a fault of the service made it fail.
   */
  | { readonly kind: "failed"; readonly error: string; readonly isFault?: boolean };

/** The caller's verdict before it asks the ledger. */
export type PreliminaryVerdict =
  /**
   * Validation refused the request. The refusal is stored for replay as it is (contract.md
   * §Idempotency), and nothing is debited.
   */
  | { readonly kind: "refused"; readonly status: number; readonly body: string }
  /** A fault or a 502, which is not stored. The ledger decides only rate and idempotency. */
  | { readonly kind: "unavailable" }
  | { readonly kind: "items"; readonly items: readonly AdmitItem[] };

export interface AdmitRequest {
  readonly policy: Policy;
  /** The console session whose rate the request takes; null: it takes the team's. */
  readonly session: string | null;
  /** False if begin() already took this request from the rate. */
  readonly takesRate: boolean;
  readonly idempotency: IdempotencyClaim | null;
  /** The lock that begin() gave this request; null if begin() was not called. */
  readonly lock: string | null;
  readonly verdict: PreliminaryVerdict;
  /** Unix milliseconds; becomes the created_at of accepted messages. */
  readonly now: number;
}

export interface RateState {
  /** Requests per second. */
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the bucket is full again. */
  readonly resetSeconds: number;
  /** The level of a refused request's bucket, which held no token (ledger/admission/rate.ts). */
  readonly level?: number;
}

export type ItemResult =
  /** `scheduledAt`: the candidate's. */
  | { readonly kind: "queued"; readonly id: string; readonly scheduledAt?: number }
  | { readonly kind: "failed"; readonly error: string }
  | { readonly kind: "capped"; readonly quota: Quota };

/**
 * The answer that the caller renders. A replay gets the same value, so its response has the same
 * bytes.
 */
export type AdmissionAnswer =
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
   * `unavailable`.
   */
  | {
      readonly kind: "unavailable";
      readonly rate: RateState;
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
      readonly answer: AdmissionAnswer;
    };

/**
 * The send waits for its large content to be stored in R2. Call admit() with `takesRate: false`,
 * this `lock` and no large content then, or abandon().
 */
export interface Begun {
  readonly kind: "begun";
  readonly rate: RateState;
  /** Null without an idempotency key: there is nothing to lock. */
  readonly lock: string | null;
}

/** The answer to begin(). Any other answer than `begun` ends the request. */
export type Beginning =
  | Begun
  | Extract<Admission, { kind: "rate_limited" | "in_flight" | "mismatch" | "answered" }>;

/** Tells what became of a send whose answer got lost. */
export interface Recalled {
  readonly rate: RateState;
  /**
   * True: the ledger has a message of the send, which it accepted. False: it has none, and will not
   * accept the send any more. If it accepted the send before, all its messages are in chunks.
   */
  readonly isKnown: boolean;
  /** The results of the items if the send was accepted. */
  readonly items: readonly ItemResult[];
}

export interface JobRef {
  readonly emailId: string;
  readonly recipientIndex: number;
}

export interface Grant extends JobRef {
  /**
   * Counted from 1. An attempt whose lease expired is granted again with the same number, so that a
   * courier can recognise it.
   */
  readonly attempt: number;
  /**
   * Present if the courier's provider took this attempt's copy and gave no verdict until the
   * recipient's time was over. Nothing is sent again: the recipient gets its final outcome.
   */
  readonly unheard?: Unheard;
}

/** The last that a provider reported of a copy to which it gave no verdict. */
export interface Unheard {
  /** Null: it reported nothing. */
  readonly lastReply: LastReply | null;
}

/** A reply of the recipient's server, as a provider quoted it. */
export interface LastReply {
  readonly code: number;
  readonly enhanced: string | null;
  readonly text: string;
}

export interface ClaimedMessage {
  readonly emailId: string;
  /** The message's start (docs/glossary.md), Unix milliseconds. */
  readonly startsAt: number;
  readonly meta: string;
  /**
   * Null without a `contentKey`: the ledger has the content, and readContent() returns it. The
   * claim had no room to bring it along.
   */
  readonly content: Candidate["content"];
  readonly contentKey: string | null;
}

export interface Claim {
  /** Each message that a grant names, once. */
  readonly messages: readonly ClaimedMessage[];
  readonly grants: readonly Grant[];
}

/**
 * Why an event suppresses its recipient. The ledger hands it over with the event (row-dispatch.ts).
 */
type Suppressing =
  | {
      readonly kind: "bounce";
      readonly classification: string | null;
      readonly smtpCode: number | null;
      readonly at: number;
    }
  | { readonly kind: "complaint"; readonly feedbackType: string; readonly at: number };

/** An event as a row of the log holds it. */
export interface LoggedEvent extends OwnEvent {
  readonly suppress?: Suppressing;
}

/** Events of one message, as a row of the log holds them. */
export interface LoggedMessage {
  readonly message: MessageRecord;
  readonly events: readonly LoggedEvent[];
}

export interface Settlement extends JobRef {
  readonly attempt: number;
  readonly events: readonly LoggedEvent[];
  /**
   * When the next attempt is due, Unix milliseconds; null: this recipient has its final outcome.
   * Ignored with `awaits`.
   */
  readonly nextAttemptAt: number | null;
  /** Present if the copy is with the courier's provider, whose verdict comes as an event. */
  readonly awaits?: {
    /** When to stop waiting, Unix milliseconds. */
    readonly until: number;
    /** The reply of a server that deferred the copy; null: none did. */
    readonly lastReply: LastReply | null;
  };
  /** Present if the provider took the copy, or may have taken it. */
  readonly copyTaken?: ProviderCopy;
  /**
   * Present if this is the verdict on a copy that a provider took, and not a courier's outcome.
   * `eventId`: the provider's event, which is applied once; null: the ledger's own wait is over.
   */
  readonly verdict?: { readonly eventId: string | null };
}

/** The facts by which a provider's event is matched with the copy that it took. */
export interface ProviderCopy {
  /** The provider's id of the copy; null: it did not answer. */
  readonly providerId: string | null;
  readonly sender: string;
  readonly recipient: string;
  /** Unix milliseconds. */
  readonly at: number;
}

/** Asks which attempt a provider's event is about. */
export interface CopyQuery extends ProviderCopy {
  readonly providerId: string;
  /**
   * True: an attempt that cannot be found by the provider's id is looked for by its addresses and
   * its time.
   */
  readonly byAddress: boolean;
}

/** The ledger's knowledge of the attempt that a provider's event is about. */
export interface CopyMatch {
  /** The attempt with the provider's id, and its message; null: the ledger knows none. */
  readonly byId: (Grant & { readonly found: FoundMessage }) | null;
  /** Open attempts that fit by sender, recipient and time. Only looked for if asked. */
  readonly byAddress: readonly Grant[];
  /**
   * Messages with an attempt under way whose JSON contains the recipient. The caller decides
   * whether they fit. Only looked for if asked.
   */
  readonly underWay: readonly {
    readonly meta: string;
    readonly grants: readonly Grant[];
  }[];
}

export interface Settled {
  /**
   * The indexes of the settlements that were applied. An attempt that is unknown or settled already
   * is not applied.
   */
  readonly applied: readonly number[];
  /**
   * The ids of events that were not appended, because they may happen only once and had happened.
   */
  readonly refused: readonly string[];
}

/** An event that no attempt led to. */
export interface Append {
  readonly message: MessageRecord;
  readonly recipientIndex: number;
  readonly event: LoggedEvent;
  /**
   * A key under which an event is appended at most once in 35 days. Null: any number of times,
   * except for a bounce and a complaint (once.ts).
   */
  readonly once: string | null;
}

/** A message that has a recipient without a final outcome. */
export interface OpenMessage {
  readonly meta: string;
  /** The message's start (docs/glossary.md), Unix milliseconds. */
  readonly startsAt: number;
  /**
   * When each recipient is tried again, by recipient index, Unix milliseconds; null: not deferred.
   */
  readonly nextAttempts: readonly (number | null)[];
  /** Why each recipient's job waits; null: it is done. Absent: an earlier version answered. */
  readonly holds?: readonly (WaitReason | null)[];
}

export interface FoundMessage {
  /** Null: the message has no open recipient. */
  readonly open: OpenMessage | null;
  /** Null: no event of the message is among the recent events. */
  readonly logged: MessageRecord | null;
  /** Present if the message was never released: it waits for its time, or was canceled. */
  readonly scheduled?: ScheduledMessage;
}
