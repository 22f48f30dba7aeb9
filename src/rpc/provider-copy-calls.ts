// The argument and the result of TeamLedger.matchProviderCopies(), which finds the attempt that a
// provider's event belongs to.
import type { Grant, ProviderCopy } from "./ledger-calls.ts";
import type { MessageInLedger } from "./message-list-calls.ts";

/** The facts by which the ledger searches for the attempt of a provider's event. */
export interface CopyQuery extends ProviderCopy {
  readonly providerId: string;
  /** True: if no attempt has the provider's id, the ledger searches by addresses and time. */
  readonly byAddress: boolean;
}

/** The attempts in the ledger to which a provider's event may belong. */
export interface CopyMatch {
  /** The attempt with the provider's id, and its message. Null: the ledger does not know the id. */
  readonly byId: (Grant & { readonly found: MessageInLedger }) | null;
  /**
   * Open attempts with the sender, recipient and time of the event. Empty unless the query sets
   * `byAddress`.
   */
  readonly byAddress: readonly Grant[];
  /**
   * Messages with a running attempt whose JSON contains the recipient's address. The caller must
   * check that the message is for this recipient. Empty unless the query sets `byAddress`.
   */
  readonly underWay: readonly {
    readonly meta: string;
    readonly grants: readonly Grant[];
  }[];
}
