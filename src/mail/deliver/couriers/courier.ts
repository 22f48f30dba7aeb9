// The seam between the pipeline and what carries mail away (docs/architecture.md §Carry).
import type { NewEvent, Outcome } from "../../message.ts";

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
   * The address in the From header, as it is mailed: what mail is sent by where no return-path is
   * kept.
   */
  readonly sender: string;
  /** Named IP pool, or null for the default one. */
  readonly pool: string | null;
  /** The whole message, signed, CRLF line ends, not dot-stuffed. */
  readonly bytes: Uint8Array;
}

/** What happened to a delivered copy afterwards. */
export type Aftermath = Pick<NewEvent, "type"> &
  Partial<Pick<NewEvent, "smtpCode" | "bounce" | "complaint" | "tracking">>;

/**
 * How a story goes on whose end the courier knows itself, which is the simulator's alone. Its
 * addresses are never suppressed.
 */
export interface SimulatedFeedback {
  readonly aftermath: readonly Aftermath[];
  /**
   * In place of the schedule's, Unix milliseconds; null: its time is over. Absent: the schedule's.
   */
  readonly nextAttemptAt?: number | null;
}

/**
 * Carries parcels, taking each from the iterable only when it has room for it (they are composed on
 * demand, and a batch may hold more than an isolate's memory). Calls `onOutcome` at most once for
 * each, as it is known and in any order. A parcel without an outcome was not carried as far as
 * anyone knows, e.g. because the courier's own side is down: it is offered again later under the
 * same key. Never throws.
 */
export type Courier = (parcels: AsyncIterable<OutboundCopy>, onOutcome: OnOutcome) => Promise<void>;

type OnOutcome = (key: string, outcome: Outcome, sequel?: SimulatedFeedback) => void;
