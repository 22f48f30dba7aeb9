// Divides the gateway's connections among destinations (docs/egress-protocol.md §Destinations). A
// destination gets another connection while it holds fewer than are left free (a dynamic threshold,
// as for the memory of messages), so none takes all. Those that do not answer hold a part of all
// connections together, however many they are. Pure.
import { isNoBetter, partOf, STANDINGS, type Standing } from "./concurrency.ts";

/** A destination, as far as its share depends on it. */
export interface Claimant {
  /** Connections that it has, open or opening. */
  readonly held: number;
  readonly standing: Standing;
  /** Opens connections while messages wait and the limits allow it. */
  readonly grow: () => void;
}

export class ConnectionShares {
  readonly #most: number;
  readonly #onEmpty: () => void;
  #taken = 0;
  readonly #holders = new Set<Claimant>();
  /** Destinations that were refused, the longest wait first. */
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

  /** Takes a connection until release(). After false, the claimant grows when there is room. */
  tryTake(claimant: Claimant): boolean {
    this.#refused.delete(claimant);
    const hasShare = claimant.held < this.#roomFor(claimant.standing);
    if (hasShare) {
      this.#taken += 1;
      this.#holders.add(claimant);
    } else this.#refused.add(claimant);
    return hasShare;
  }

  /** The claimant, whose number is lower by one already, gives a connection back. */
  release(claimant: Claimant): void {
    this.#taken -= 1;
    if (claimant.held === 0) this.#holders.delete(claimant);
    let rooms = this.#rooms();
    for (const refused of this.#refused) {
      if (rooms.answers <= 0) break;
      if (refused.held >= rooms[refused.standing]) continue;
      refused.grow();
      rooms = this.#rooms();
    }
    if (this.#taken === 0) this.#onEmpty();
  }

  /** The claimant waits for no share any more. */
  forget(claimant: Claimant): void {
    this.#refused.delete(claimant);
  }

  #rooms(): Readonly<Record<Standing, number>> {
    const [answers, untried, fails] = STANDINGS.map((standing) => this.#roomFor(standing));
    return { answers: answers!, untried: untried!, fails: fails! };
  }

  /** Connections that are free; 0 if those of this standing have their part. */
  #roomFor(standing: Standing): number {
    let held = 0;
    for (const holder of this.#holders)
      if (isNoBetter(holder.standing, standing)) held += holder.held;
    return held < partOf(standing, this.#most) ? this.#most - this.#taken : 0;
  }
}
