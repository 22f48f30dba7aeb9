// The interface of a courier, which carries mail away. A courier gets an envelope and a message's
// bytes, and returns an outcome (docs/architecture.md §Carry).
import type { Hold } from "../../rpc/holds.ts";
import type { NewEvent, Outcome } from "../message.ts";

/** One composed copy and its envelope. */
export interface OutboundCopy {
  /**
   * The attempt's key, `<email id>/<recipient index>/<attempt>`. A courier that remembers keys
   * reports the earlier outcome if it gets a key again, and makes no new transaction.
   */
  readonly key: string;
  readonly mailFrom: string;
  readonly rcptTo: string;
  /**
   * The address in the From header, in the form to which mail is sent. A courier whose provider
   * sets its own return-path uses this address as the sender.
   */
  readonly sender: string;
  /** The name of an IP pool. Null means the default pool. */
  readonly pool: string | null;
  /**
   * The team's id, because a gateway shares connections and memory fairly among teams. Null for the
   * service's own mail.
   */
  readonly team: string | null;
  /** Undefined means normal priority. */
  readonly priority?: "high" | undefined;
  /**
   * The time at which a courier first declined the attempt, in Unix milliseconds. Undefined means
   * that no courier declined it.
   */
  readonly waitsSince?: number | undefined;
  /** The whole signed message, with CRLF line ends and without dot-stuffing. */
  readonly bytes: Uint8Array;
}

/** An event that a simulated recipient causes after the delivery, such as an open. */
export type SimulatedEvent = Pick<NewEvent, "type"> &
  Partial<Pick<NewEvent, "smtpCode" | "bounce" | "complaint" | "tracking">>;

/**
 * Additions to an outcome that only the simulator's courier makes, because it knows the next
 * actions of its recipients. The simulator's addresses are never suppressed.
 */
export interface SimulatedFeedback {
  readonly events: readonly SimulatedEvent[];
  /**
   * Time of the next attempt, in Unix milliseconds, instead of the time of the retry schedule. Null
   * means that no attempt follows. If absent, the retry schedule decides.
   */
  readonly nextAttemptAt?: number | null;
}

/** The courier's provider has the copy, and will report the recipient's outcome as an event. */
export interface TakenByProvider {
  readonly kind: "taken";
  /**
   * The provider's id of the copy. Null means that the provider did not respond, or responded with
   * an unknown text. Then it is unknown whether the provider has the copy.
   */
  readonly providerId: string | null;
  /** The unknown text, short and without addresses and keys. */
  readonly words?: string;
  /** True if the provider reports no events about mail to this recipient, and delivers the mail. */
  readonly isSilent?: true;
}

/**
 * The courier did not take the copy and no mail server was asked, so the ledger releases the job
 * again after a wait.
 */
export interface UntakenCopy {
  readonly kind: "not_taken";
  /**
   * Present if the copy waits for a connection to its mail server, and the gateway keeps its queue
   * position.
   */
  readonly room?: RoomAhead;
}

/**
 * The provider did not take the copy, and takes no other copy of its sending domain or account
 * either. The ledger puts this mail on hold, which costs the mail no attempt.
 */
export interface HeldCopy extends Hold {
  readonly kind: "held";
}

/**
 * The time at which a gateway will have a free connection for a copy. Times are in Unix
 * milliseconds.
 */
export interface RoomAhead {
  readonly notBefore: number;
  /** The time at which the attempt's copy first arrived at the gateway. */
  readonly waitsSince: number;
}

/** Times of an attempt, in Unix milliseconds, if the courier knows them better than its caller. */
export interface OutcomeTimes {
  /** The time at which the gateway got the copy. Absent if unknown. */
  readonly takenAt?: number;
  /** The time at which the mail server replied. */
  readonly repliedAt: number;
}

/**
 * Carries copies. A courier takes each copy from the iterable only when it can send the copy.
 * Copies are composed on demand, because all copies of a batch may need more than an isolate's
 * memory. The courier calls `onOutcome` at most once for each copy, as soon as the outcome is
 * known, in any order. If a courier remembers keys, the ledger asks it after a while about each
 * copy without an outcome. With other couriers, a copy without an outcome (for example after a
 * fault of the service) counts as not carried and is released again. Resolves to "down" if it would
 * take no other copy now. Never throws.
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
