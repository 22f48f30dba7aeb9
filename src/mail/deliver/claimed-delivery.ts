// One delivery: a granted attempt to bring one message to one recipient, with all facts that this
// stage needs.
import type { ClaimedMessage, Grant } from "../../rpc/ledger-calls.ts";
import type { Message } from "../message.ts";
import type { Simulation } from "./simulator/simulation.ts";

/** An attempt, with all facts that its outcome needs. */
export interface GrantedAttempt {
  /** The attempt's name in the ledger: message, recipient index and attempt. */
  readonly grant: Grant;
  readonly message: Message;
  readonly recipient: string;
}

export interface ClaimedDelivery extends GrantedAttempt {
  /** `<email id>/<recipient index>/<attempt>`: the attempt's name at a courier. */
  readonly key: string;
  /**
   * The message as the ledger stores it, with its content or the content's key in R2. Null: the
   * copy is composed, and the message's memory was freed.
   */
  stored: ClaimedMessage | null;
  /** The behaviour that a simulator's address asks for; null: the address is a real one. */
  readonly simulation: Simulation | null;
}
