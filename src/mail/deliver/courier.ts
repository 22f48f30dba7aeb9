// The interface between the pipeline and a courier, which carries mail away: an envelope and a
// message's bytes go in, an outcome comes out (docs/architecture.md §Carry).
import type { NewEvent, Outcome } from "../message.ts";

/** One composed copy and its envelope. */
export interface OutboundCopy {
  /**
   * `<email id>/<recipient index>/<attempt>`: the attempt's key. A courier that remembers keys
   * answers a known key with the earlier outcome, without a new transaction.
   */
  readonly key: string;
  readonly mailFrom: string;
  readonly rcptTo: string;
  /**
   * The From header's address, as it is mailed. A courier whose provider sets its own return-path
   * sends by this address.
   */
  readonly sender: string;
  /** Named IP pool; null: the default one. */
  readonly pool: string | null;
  /**
   * The team's id: a gateway shares connections and memory among teams. Null: the service's own
   * mail.
   */
  readonly team: string | null;
  /** Undefined: normal. */
  readonly priority?: "high" | undefined;
  /** The whole message, signed, CRLF line ends, not dot-stuffed. */
  readonly bytes: Uint8Array;
}

/** An event that a simulated recipient causes after the delivery, such as an open. */
export type SimulatedEvent = Pick<NewEvent, "type"> &
  Partial<Pick<NewEvent, "smtpCode" | "bounce" | "complaint" | "tracking">>;

/**
 * Additions to an outcome. Only the simulator's courier makes them, because it knows what its
 * recipients do next. The simulator's addresses are never suppressed.
 */
export interface SimulatedFeedback {
  readonly events: readonly SimulatedEvent[];
  /**
   * Time of the next attempt, Unix milliseconds; it replaces the schedule's. Null: the recipient's
   * time is over. Absent: the schedule decides.
   */
  readonly nextAttemptAt?: number | null;
}

/** The courier's provider has the copy, and reports the recipient's verdict as an event. */
export interface TakenByProvider {
  readonly kind: "taken";
  /**
   * The provider's id of the copy; null: the provider did not answer, so it may or may not have the
   * copy.
   */
  readonly providerId: string | null;
}

/** The copy was not taken and no server was asked, so it is released again later. */
export interface UntakenCopy {
  readonly kind: "not_taken";
}

/** When things happened, in Unix milliseconds, where the courier knows better than its caller. */
export interface OutcomeTimes {
  /** Absent: unknown. */
  readonly takenAt?: number;
  /** When the server replied. */
  readonly repliedAt: number;
}

/**
 * Carries copies. A courier takes each copy from the iterable only when it has room: copies are
 * composed on demand, and a batch may hold more than an isolate's memory. It calls `onOutcome` at
 * most once for each copy, as soon as the outcome is known and in any order. If a courier remembers
 * keys, it is asked later about a copy without an outcome. With other couriers such a copy counts
 * as not carried and is released again, e.g. after a fault of our own. Never throws.
 */
export type Courier = (copies: AsyncIterable<OutboundCopy>, onOutcome: OnOutcome) => Promise<void>;

export type OnOutcome = (
  key: string,
  outcome: Outcome | TakenByProvider | UntakenCopy,
  additions?: Partial<SimulatedFeedback & OutcomeTimes>,
) => void;
