// The question and the answer of TeamLedger.matchProviderCopies: which attempt a provider's event
// belongs to.
import type { Grant, ProviderCopy } from "./ledger-calls.ts";
import type { MessageInLedger } from "./message-list-calls.ts";

/** Asks which attempt a provider's event belongs to. */
export interface CopyQuery extends ProviderCopy {
  readonly providerId: string;
  /** True: if no attempt has the provider's id, the ledger searches by addresses and time. */
  readonly byAddress: boolean;
}

/** The attempts that a provider's event may belong to, as far as the ledger knows. */
export interface CopyMatch {
  /** The attempt that the provider's id names, with its message. Null: the id is not known. */
  readonly byId: (Grant & { readonly found: MessageInLedger }) | null;
  /** Open attempts with the sender, recipient and time of the event. Empty without `byAddress`. */
  readonly byAddress: readonly Grant[];
  /**
   * Messages that have a running attempt and contain the recipient in their JSON. The caller
   * decides if a message really is for the recipient. Empty without `byAddress`.
   */
  readonly underWay: readonly {
    readonly meta: string;
    readonly grants: readonly Grant[];
  }[];
}
