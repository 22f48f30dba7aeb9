// The arguments and results of TeamLedger's RPC methods (docs/architecture.md §Admit, §Settle). The
// ledger never looks inside a message: `meta` and `content` are opaque JSON that it stores and
// hands out again.
import type { Quota } from "../refusal.ts";
import type { EventRecord, MessageRecord, OwnEvent } from "./event-records.ts";
import type { WholeEventFilters } from "./history-query.ts";

/** The team's settings in force, passed with every call: the ledger has no database. */
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
  /** SHA-256 over method, path and raw body (contract.md §Idempotency). */
  readonly fingerprint: string;
}

/** One message that passed every check outside the ledger. */
export interface Candidate {
  readonly id: string;
  /** How many envelope recipients: each is one job and one message of quota. */
  readonly recipientCount: number;
  /** The release queue it waits in: the campaign, or "" for the default stream. */
  readonly stream: string;
  readonly tags: readonly string[];
  readonly topic: string | null;
  readonly campaign: string | null;
  /** JSON of mail/message.ts Message. */
  readonly meta: string;
  /** JSON of MessageContent, or null when it rests in R2 under `contentKey`. */
  readonly content: string | null;
  readonly contentKey: string | null;
}

export type AdmitItem =
  | { readonly kind: "candidate"; readonly candidate: Candidate }
  /**
   * A batch item that failed before: `error` is the JSON of its error object, kept for replays.
   * `isFault`: for a fault of the service.
   */
  | { readonly kind: "failed"; readonly error: string; readonly isFault?: boolean };

/** What the caller found out before the ledger was asked. */
export type PreliminaryVerdict =
  /**
   * Validation refused it: stored for replay as it is (contract.md §Idempotency), nothing is
   * debited.
   */
  | { readonly kind: "refused"; readonly status: number; readonly body: string }
  /**
   * A fault or refusal that must not be stored (502): only rate and idempotency look-up are
   * decided.
   */
  | { readonly kind: "unavailable" }
  | { readonly kind: "items"; readonly items: readonly AdmitItem[] };

export interface AdmitRequest {
  readonly policy: Policy;
  /** False when begin() already took this request's rate. */
  readonly takesRate: boolean;
  readonly idempotency: IdempotencyClaim | null;
  /** What begin() answered for this request; null when begin() was not called. */
  readonly lock: string | null;
  readonly verdict: PreliminaryVerdict;
  /** Unix milliseconds: the created_at of what is accepted. */
  readonly now: number;
}

export interface RateState {
  /** Requests a second. */
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the bucket is full again. */
  readonly resetSeconds: number;
}

export type ItemResult =
  | { readonly kind: "queued"; readonly id: string }
  | { readonly kind: "failed"; readonly error: string }
  | { readonly kind: "capped"; readonly quota: Quota };

/** What the caller renders; the same on a replay, so the same bytes. */
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
   * A fault was in the way, of all that the verdict held: nothing is accepted, never stored.
   * `items` is empty for the verdict `unavailable`.
   */
  | {
      readonly kind: "unavailable";
      readonly rate: RateState;
      readonly items: readonly ItemResult[];
    }
  /**
   * The whole request is over daily or monthly volume, or its only candidate (or every one) over a
   * label cap. Never stored.
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
 * The answer to begin(): either go on and call admit with `takesRate: false` and this `lock` (or
 * abandon it), or the end of it.
 */
export type Beginning =
  | { readonly kind: "begun"; readonly rate: RateState; readonly lock: string }
  | Extract<Admission, { kind: "rate_limited" | "in_flight" | "mismatch" | "answered" }>;

export interface JobRef {
  readonly emailId: string;
  readonly recipientIndex: number;
}

export interface Grant extends JobRef {
  /**
   * From 1; the same again when an earlier lease of this attempt ran out, so that a courier can
   * recognise it.
   */
  readonly attempt: number;
}

export interface ClaimedMessage {
  readonly emailId: string;
  readonly acceptedAt: number;
  readonly meta: string;
  readonly content: string | null;
  readonly contentKey: string | null;
}

export interface Claim {
  /** Each message that a grant names, once. */
  readonly messages: readonly ClaimedMessage[];
  readonly grants: readonly Grant[];
}

/**
 * What an event suppresses its recipient for. The ledger hands it over with the event
 * (hand-over.ts).
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
  /** Unix milliseconds of the next attempt; null: this recipient has its terminal outcome. */
  readonly nextAttemptAt: number | null;
}

export interface Settled {
  /**
   * The places of the settlements that were applied: an attempt that is settled already, or
   * unknown, is not.
   */
  readonly applied: readonly number[];
  /**
   * The ids of their events that were not appended, since they may happen once and had happened.
   */
  readonly refused: readonly string[];
}

/** An event that no attempt led to. */
export interface Append {
  readonly message: MessageRecord;
  readonly recipientIndex: number;
  readonly event: LoggedEvent;
  /**
   * A name: appended only where nothing was appended under it in the last 35 days. Null: any number
   * of times, but for a bounce and a complaint (once.ts).
   */
  readonly once: string | null;
}

/**
 * The most that one call answers. A message may have headers of 200 KB, which stand with each of
 * its events.
 */
export const TAIL_EVENTS = 200;

/**
 * A part of the events that are in no page yet: those from `start` on, before (`before.at`,
 * `before.id`) in the order of (occurredAt, id), the newest first.
 */
export interface TailRequest {
  /** Unix milliseconds, inclusive. */
  readonly start: number;
  /** Exclusive. */
  readonly before: { readonly at: number; readonly id: string };
  readonly filters: WholeEventFilters;
  /** At most TAIL_EVENTS. */
  readonly limit: number;
}

export interface Tail {
  /** The newest first. */
  readonly events: readonly EventRecord[];
  /** The number of each event's row: a page that reaches that far has the event. */
  readonly seqs: readonly number[];
  /** The tail has older ones than the last of them. */
  readonly isMore: boolean;
  /** By shard: D1's bookmark after the last page that was written there. */
  readonly bookmarks: Readonly<Record<number, string>>;
}

/** A message that has a recipient without a last outcome. */
export interface OpenMessage {
  readonly meta: string;
  /** By recipient index, when each is tried again, Unix milliseconds; null: not put off. */
  readonly nextAttempts: readonly (number | null)[];
}

export interface FoundMessage {
  /** Null: nothing of it is open. */
  readonly open: OpenMessage | null;
  /** Null: none of its events is in the tail. */
  readonly logged: MessageRecord | null;
}

/** For the operator and for tests: what stands in the books now. */
export interface Usage {
  readonly dailyUsed: number;
  readonly monthlyUsed: number;
  readonly overageCredits: number;
  /** Messages and jobs in the outbox. */
  readonly messages: number;
  readonly jobs: number;
  /** Events of the log that are in no page yet. */
  readonly unpaged: number;
  /** Events of the log that are not handed over to suppressions and webhooks yet. */
  readonly undelivered: number;
}
