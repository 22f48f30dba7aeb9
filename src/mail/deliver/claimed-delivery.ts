// A delivery: an attempt that the ledger granted, with its message, its recipient and all facts
// that the delivery needs.
import type { ClaimedMessage, Grant } from "../../rpc/ledger-calls.ts";
import type { Message } from "../message.ts";
import type { Simulation } from "./simulator/simulation.ts";

/** An attempt, with all facts that its outcome needs. */
export interface GrantedAttempt {
  /** The attempt as the ledger names it: message, recipient index and number of the attempt. */
  readonly grant: Grant;
  readonly message: Message;
  readonly recipient: string;
}

export interface ClaimedDelivery extends GrantedAttempt {
  /** The attempt's key at a courier: `<email id>/<recipient index>/<attempt>`. */
  readonly key: string;
  /**
   * The message as the ledger stores it, with its content or the content's key in R2. Null after
   * the copy was composed, which frees the message's memory.
   */
  stored: ClaimedMessage | null;
  /**
   * The behaviour that a simulator's address asks for. Null means that the address is a real
   * address.
   */
  readonly simulation: Simulation | null;
}
