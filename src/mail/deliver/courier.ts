// The interface between the pipeline and whatever carries mail away: an envelope and its bytes go
// in, an outcome comes out (docs/architecture.md §Carry).
import type { NewEvent, Outcome } from "../message.ts";

/** One composed copy and its envelope. */
export interface OutboundCopy {
  /**
   * `<email id>/<recipient index>/<attempt>`: a courier that has seen a key before repeats its
   * outcome instead of its transaction.
   */
  readonly key: string;
  readonly mailFrom: string;
  readonly rcptTo: string;
  /**
   * Address of the From header, as it is mailed. A courier that keeps no return-path sends by this
   * address.
   */
  readonly sender: string;
  /** Named IP pool; null: the default one. */
  readonly pool: string | null;
  /** The team's id, by which a gateway divides what it has; null: the service's own mail. */
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
 * Additions to an outcome that only the simulator's courier makes, since it alone knows what its
 * recipients do next. Its addresses are never suppressed.
 */
export interface SimulatedFeedback {
  readonly events: readonly SimulatedEvent[];
  /**
   * Time of the next attempt, Unix milliseconds, in place of the schedule's; null: the recipient's
   * time is over. Absent: the schedule decides.
   */
  readonly nextAttemptAt?: number | null;
}

/** The courier's provider has the copy, and reports the recipient's verdict as an event. */
export interface TakenByProvider {
  readonly kind: "taken";
  /** The provider's id of the copy; null: it did not answer, so it may have the copy or not. */
  readonly providerId: string | null;
}

/** The copy was not taken and no server asked: it is offered again later. */
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
 * Carries copies. A courier takes each from the iterable only when it has room for it: they are
 * composed on demand, and a batch may hold more than an isolate's memory. It calls `onOutcome` at
 * most once for each copy, as soon as the outcome is known and in any order. A copy without an
 * outcome is asked for later by its key, if the courier remembers keys. Else it counts as not
 * carried, e.g. because the courier's own side is down, and is offered again. Never throws.
 */
export type Courier = (copies: AsyncIterable<OutboundCopy>, onOutcome: OnOutcome) => Promise<void>;

export type OnOutcome = (
  key: string,
  outcome: Outcome | TakenByProvider | UntakenCopy,
  additions?: Partial<SimulatedFeedback & OutcomeTimes>,
) => void;
