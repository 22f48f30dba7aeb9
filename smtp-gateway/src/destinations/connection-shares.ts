// Divides the gateway's connections among destinations (docs/egress-protocol.md §Destinations). A
// destination may open another connection while it has fewer connections than the gateway has free
// ones (a dynamic threshold). So no destination can take all connections. All destinations that do
// not answer may together have only a part of the connections. Pure.
import { isNoBetter, partOf, SERVER_STATES, type ServerState } from "./concurrency.ts";

/** The members of a destination on which its share of the connections depends. */
export interface Claimant {
  /** Number of the destination's connections, open or being opened. */
  readonly held: number;
  readonly serverState: ServerState;
  /** Opens connections while messages wait and the limits allow another connection. */
  readonly grow: () => void;
}

export class ConnectionShares {
  readonly #most: number;
  readonly #onEmpty: () => void;
  #taken = 0;
  readonly #holders = new Set<Claimant>();
  /**
   * Destinations to which tryTake() gave no connection, in the order in which they began to wait.
   */
  readonly #refused = new Set<Claimant>();

  /** `onEmpty` is called when the last connection is released. */
  constructor(most: number, onEmpty: () => void = () => {}) {
    this.#most = most;
    this.#onEmpty = onEmpty;
  }

  /** Number of connections of all destinations together. */
  get taken(): number {
    return this.#taken;
  }

  /**
   * Takes a connection for the destination until release(). Returns false if the destination gets
   * no connection now. The class then calls the destination's grow() when a connection becomes
   * free.
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

  /** Releases a connection. The caller must first lower the destination's `held` by one. */
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

  /** Records that the destination no longer waits for a connection. */
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
   * Returns the number of free connections. Returns 0 if the destinations in this state and in
   * worse states already have all the connections that they may have together.
   */
  #roomFor(serverState: ServerState): number {
    let held = 0;
    for (const holder of this.#holders)
      if (isNoBetter(holder.serverState, serverState)) held += holder.held;
    return held < partOf(serverState, this.#most) ? this.#most - this.#taken : 0;
  }
}
