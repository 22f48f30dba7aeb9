// One delivery: a granted attempt to bring one message to one recipient, with all that the stage
// has to know of it.
import type { ClaimedMessage, Grant } from "../../rpc/ledger-calls.ts";
import type { Message } from "../message.ts";
import type { Simulation } from "./simulator/simulation.ts";

/** An attempt, with all that its outcome needs. */
export interface Attempted {
  /** The ledger's name for it: message, recipient index and attempt. */
  readonly grant: Grant;
  readonly message: Message;
  readonly recipient: string;
}

export interface Delivery extends Attempted {
  /** `<email id>/<recipient index>/<attempt>`: the attempt's name at a courier. */
  readonly key: string;
  /**
   * The message as the ledger stores it, with its content or the content's key in R2. Null: the
   * copy is composed, and its memory is free.
   */
  stored: ClaimedMessage | null;
  /** The behaviour that a simulator's address asks for; null: the address is a real one. */
  readonly simulation: Simulation | null;
}
