// Divides the gateway's connections among destinations (docs/egress-protocol.md §Destinations). A
// destination gets another connection while it holds fewer than are free (a dynamic threshold), so
// that none takes all. All destinations that do not answer share one part of the connections. Pure.
import { isNoBetter, partOf, SERVER_STATES, type ServerState } from "./concurrency.ts";

/** The members of a destination that decide about its share. */
export interface Claimant {
  /** Connections that it has, open or opening. */
  readonly held: number;
  readonly serverState: ServerState;
  /** Opens connections while messages wait and the limits allow it. */
  readonly grow: () => void;
}

export class ConnectionShares {
  readonly #most: number;
  readonly #onEmpty: () => void;
  #taken = 0;
  readonly #holders = new Set<Claimant>();
  /** Destinations that were refused; the one that waits longest comes first. */
  readonly #refused = new Set<Claimant>();

  /** `onEmpty` is called when the last connection is given back. */
  constructor(most: number, onEmpty: () => void = () => {}) {
    this.#most = most;
    this.#onEmpty = onEmpty;
  }

  /** Connections that all destinations hold. */
  get taken(): number {
    return this.#taken;
  }

  /**
   * Takes a connection until release(). False: none is free for it; grow() is called when one is.
   */
  tryTake(claimant: Claimant): boolean {
    this.#refused.delete(claimant);
    const hasShare = claimant.held < this.#roomFor(claimant.serverState);
    if (hasShare) {
      this.#taken += 1;
      this.#holders.add(claimant);
    } else this.#refused.add(claimant);
    return hasShare;
  }

  /** Gives a connection back. The claimant's `held` must already be one lower. */
  release(claimant: Claimant): void {
    this.#taken -= 1;
    if (claimant.held === 0) this.#holders.delete(claimant);
    let rooms = this.#rooms();
    for (const refused of this.#refused) {
      if (rooms.answers <= 0) break;
      if (refused.held >= rooms[refused.serverState]) continue;
      refused.grow();
      rooms = this.#rooms();
    }
    if (this.#taken === 0) this.#onEmpty();
  }

  /** Notes that the claimant no longer waits for a connection. */
  forget(claimant: Claimant): void {
    this.#refused.delete(claimant);
  }

  #rooms(): Readonly<Record<ServerState, number>> {
    const [answers, untried, fails] = SERVER_STATES.map((serverState) =>
      this.#roomFor(serverState),
    );
    return { answers: answers!, untried: untried!, fails: fails! };
  }

  /**
   * Returns the number of free connections; 0 if destinations of this state have used their
   * part.
   */
  #roomFor(serverState: ServerState): number {
    let held = 0;
    for (const holder of this.#holders)
      if (isNoBetter(holder.serverState, serverState)) held += holder.held;
    return held < partOf(serverState, this.#most) ? this.#most - this.#taken : 0;
  }
}
