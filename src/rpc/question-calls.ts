// Questions to gateways about copies that a consumer handed over without learning the outcome, and
// the answers (docs/architecture.md §Ask). The queue carries the questions. The ledger receives the
// answers.
import type { ObservedHold } from "./holds.ts";
import type { Grant } from "./ledger-calls.ts";

/** A question about one attempt. */
export interface AttemptQuestion extends Grant {
  /** The URL of the gateway that may have the copy. Null: the ledger does not know the gateway. */
  readonly host: string | null;
}

/** An attempt whose copy a gateway has, or may have. */
export interface GatewayCopy extends Grant {
  /** The gateway's URL. */
  readonly host: string;
}

/** A job that no courier took. */
export interface PostponedGrant extends Grant {
  /** Unix milliseconds. Absent: the growing wait alone decides. */
  readonly notBefore?: number;
  /**
   * True: the gateway keeps the copy's turn and will have room for it at `notBefore`. Absent: it is
   * not known when a courier takes the job.
   */
  readonly isForRoom?: true;
  /** Present if the provider takes no copies of the sending domain or of the account now. */
  readonly hold?: ObservedHold;
}

/** The claimed jobs that a consumer leaves unsettled when it ends. */
export interface LeftJobs {
  /** The attempts whose copies are at a gateway. The ledger will ask for their outcomes. */
  readonly handedOver: readonly GatewayCopy[];
  /**
   * Jobs that no courier took. The same attempt is offered again, but not before `notBefore` (Unix
   * milliseconds). The wait grows with each time, unless the job waits for room.
   */
  readonly postponed: readonly PostponedGrant[];
  /** True: a restart may forget the waits, because the courier recognises repeated attempts. */
  readonly courierRemembers: boolean;
  /**
   * True: the courier took none of the consumer's copies, and would take no other copy either.
   * Absent: false.
   */
  readonly courierIsDown?: boolean;
}

/** The gateways' answers. They lack the attempts about which a gateway did not answer. */
export interface QuestionResults {
  /** The attempts whose outcome is not known yet. */
  readonly underWay: readonly GatewayCopy[];
  /** The attempts whose copy no gateway has or had. Their jobs may be handed over again. */
  readonly neverHeard: readonly Grant[];
  /**
   * The attempts whose outcome is known. The caller settles them next, with the messages that the
   * ledger returns.
   */
  readonly known: readonly Grant[];
}

/** The data from the ledger that the caller needs to settle the answers. */
export interface MessagesToSettle {
  /**
   * The open messages of the attempts in `unheardAgain` and of the attempts with a known outcome.
   */
  readonly messages: readonly MessageToSettle[];
  /** The attempts whose copy no gateway knew, for at least the second time. */
  readonly unheardAgain: readonly Grant[];
}

/**
 * The parts of a message that the caller needs to settle an attempt. The content is not among them.
 */
export interface MessageToSettle {
  readonly emailId: string;
  /** The message's scheduled time or, without one, its acceptance, Unix milliseconds. */
  readonly startsAt: number;
  readonly meta: string;
  /** Time for which the message was held, in milliseconds. Absent: never. */
  readonly heldMs?: number;
}
