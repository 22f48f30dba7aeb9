// The interface of a courier, which carries mail away. A courier gets an envelope and a message's
// bytes, and returns an outcome (docs/architecture.md §Carry).
import type { Hold } from "../../rpc/holds.ts";
import type { NewEvent, Outcome } from "../message.ts";

/** One composed copy and its envelope. */
export interface OutboundCopy {
  /**
   * `<email id>/<recipient index>/<attempt>`: the attempt's key. If a courier that remembers keys
   * gets a key again, it reports the earlier outcome, without a new transaction.
   */
  readonly key: string;
  readonly mailFrom: string;
  readonly rcptTo: string;
  /**
   * The address in the From header, in the form to which mail is sent. A courier whose provider
   * sets its own return-path uses this address as the sender.
   */
  readonly sender: string;
  /** The name of an IP pool; null: the default pool. */
  readonly pool: string | null;
  /**
   * The team's id, because a gateway shares connections and memory fairly among teams. Null: the
   * service's own mail.
   */
  readonly team: string | null;
  /** Undefined: normal. */
  readonly priority?: "high" | undefined;
  /**
   * When the attempt was first offered to a courier that did not take it, Unix milliseconds.
   * Undefined: the attempt was not offered before.
   */
  readonly waitsSince?: number | undefined;
  /** The whole signed message, with CRLF line ends and without dot-stuffing. */
  readonly bytes: Uint8Array;
}

/** An event that a simulated recipient causes after the delivery, such as an open. */
export type SimulatedEvent = Pick<NewEvent, "type"> &
  Partial<Pick<NewEvent, "smtpCode" | "bounce" | "complaint" | "tracking">>;

/**
 * Additions to an outcome that only the simulator's courier makes, because it knows what its
 * recipients do next. The simulator's addresses are never suppressed.
 */
export interface SimulatedFeedback {
  readonly events: readonly SimulatedEvent[];
  /**
   * Time of the next attempt, Unix milliseconds, instead of the time of the retry schedule. Null:
   * no attempt follows. Absent: the retry schedule decides.
   */
  readonly nextAttemptAt?: number | null;
}

/** The courier's provider has the copy, and reports the recipient's outcome later as an event. */
export interface TakenByProvider {
  readonly kind: "taken";
  /**
   * The provider's id of the copy; null: the provider did not answer, or not with known words, so it
   * is unknown whether the provider has the copy.
   */
  readonly providerId: string | null;
  /** The unknown words, short and without addresses and keys. */
  readonly words?: string;
  /** True: the provider reports nothing about mail to this recipient, and delivers it. */
  readonly isSilent?: true;
}

/** The copy was not taken and no mail server was asked, so the job is released again later. */
export interface UntakenCopy {
  readonly kind: "not_taken";
  /** Present if the copy waits for a connection to its mail server, and the gateway keeps its turn. */
  readonly room?: RoomAhead;
}

/**
 * The provider did not take the copy, and takes no other copy of its sending domain or account
 * either. The ledger keeps this mail back, and costs it no attempt.
 */
export interface HeldCopy extends Hold {
  readonly kind: "held";
}

/** Tells when a gateway will have room for a copy. Times are Unix milliseconds. */
export interface RoomAhead {
  readonly notBefore: number;
  /** When the attempt's copy first arrived at the gateway. */
  readonly waitsSince: number;
}

/** Times of an attempt, Unix milliseconds, if the courier knows them better than its caller. */
export interface OutcomeTimes {
  /** Absent: unknown. */
  readonly takenAt?: number;
  /** When the mail server replied. */
  readonly repliedAt: number;
}

/**
 * Carries copies. A courier takes each copy from the iterable only when it has room: copies are
 * composed on demand, and a batch may hold more than an isolate's memory. It calls `onOutcome` at
 * most once for each copy, as soon as the outcome is known, in any order. A courier that remembers
 * keys is asked later about each copy without an outcome. With other couriers, a copy without an
 * outcome (e.g. after a fault of ours) counts as not carried and is released again. Resolves to
 * "down" if it would take no other copy now. Never throws.
 */
export type Courier = (
  copies: AsyncIterable<OutboundCopy>,
  onOutcome: OnOutcome,
) => Promise<"down" | void>;

export type OnOutcome = (
  key: string,
  outcome: Outcome | TakenByProvider | UntakenCopy | HeldCopy,
  additions?: Partial<SimulatedFeedback & OutcomeTimes>,
) => void;
