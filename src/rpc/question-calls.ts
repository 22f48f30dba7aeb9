// The questions to gateways about copies whose outcome the consumer did not get, and their answers
// (docs/architecture.md §Ask). The queue carries the questions. The ledger receives the answers.
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

/** A job that no courier accepted. */
export interface PostponedGrant extends Grant {
  /** Unix milliseconds. Absent: only the backoff delay applies. */
  readonly notBefore?: number;
  /**
   * True: the gateway keeps the copy's queue position, and expects capacity for it at `notBefore`.
   * Absent: no courier said when it can accept the job.
   */
  readonly isForRoom?: true;
  /**
   * Present if the provider currently rejects all copies of the sending domain or of the account.
   */
  readonly hold?: ObservedHold;
}

/** The claimed jobs that a consumer did not settle before it ended. */
export interface LeftJobs {
  /**
   * The attempts whose copies a gateway has. The ledger will ask the gateway for their outcomes.
   */
  readonly handedOver: readonly GatewayCopy[];
  /**
   * Jobs that no courier accepted. The ledger releases the same attempt again, but not before
   * `notBefore` (Unix milliseconds). The delay grows with each release, except for a job with
   * `isForRoom`.
   */
  readonly postponed: readonly PostponedGrant[];
  /**
   * True: the courier recognises repeated attempts, so the ledger need not store the delays
   * durably.
   */
  readonly courierRemembers: boolean;
  /** True: the courier accepts no copies at all at present. Absent: false. */
  readonly courierIsDown?: boolean;
}

/** The gateways' answers. An attempt is missing if its gateway did not answer. */
export interface QuestionResults {
  /** The attempts whose outcome is not known yet. */
  readonly underWay: readonly GatewayCopy[];
  /**
   * The attempts whose copy never reached a gateway. Their copies may be sent to a gateway again.
   */
  readonly neverHeard: readonly Grant[];
  /**
   * The attempts whose outcome is known. The caller settles them with the messages that the ledger
   * returns.
   */
  readonly known: readonly Grant[];
}

/** The ledger's data with which the caller settles attempts. */
export interface MessagesToSettle {
  /**
   * The open messages of the attempts in `unheardAgain`, and of the attempts with a known outcome.
   */
  readonly messages: readonly MessageToSettle[];
  /** The attempts whose copy the gateways did not know in at least two answers. */
  readonly unheardAgain: readonly Grant[];
}

/**
 * The parts of a message that the caller needs to settle an attempt. They do not include the
 * content.
 */
export interface MessageToSettle {
  readonly emailId: string;
  /** The message's scheduled time, or else its acceptance, Unix milliseconds. */
  readonly startsAt: number;
  readonly meta: string;
  /** Milliseconds for which holds blocked the message. Absent: no hold blocked it. */
  readonly heldMs?: number;
}
