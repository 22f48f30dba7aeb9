// One delivery: an attempt, granted by the ledger, to bring one message to one recipient, with all
// facts that the delivery needs.
import type { ClaimedMessage, Grant } from "../../rpc/ledger-calls.ts";
import type { Message } from "../message.ts";
import type { Simulation } from "./simulator/simulation.ts";

/** An attempt, with all facts that its outcome needs. */
export interface GrantedAttempt {
  /** The attempt in the ledger's terms: message, recipient index and number of the attempt. */
  readonly grant: Grant;
  readonly message: Message;
  readonly recipient: string;
}

export interface ClaimedDelivery extends GrantedAttempt {
  /** `<email id>/<recipient index>/<attempt>`: the attempt's key at a courier. */
  readonly key: string;
  /**
   * The message as the ledger stores it, with its content or the content's key in R2. Null: the
   * copy was composed, and the memory of the message was freed.
   */
  stored: ClaimedMessage | null;
  /** The behaviour for which a simulator's address stands; null: the address is a real one. */
  readonly simulation: Simulation | null;
}
