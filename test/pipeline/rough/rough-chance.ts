// A source of chance (tools/chaos/chance.ts) that several objects share. A draw depends on the seed
// and on the occasion that was named last. It does not depend on ids or on the order of concurrent
// work.
import { Chance as OccasionsChance } from "../../../tools/chaos/chance.ts";

export class RoughChance {
  readonly #seed: number;
  #current: OccasionsChance;

  constructor(seed: number) {
    this.#seed = seed;
    this.#current = new OccasionsChance(`${seed}/`);
  }

  /** Assigns all further draws to this occasion. */
  on(occasion: string): void {
    this.#current = new OccasionsChance(`${this.#seed}/${occasion}`);
  }

  /** Draws a number in [0, 1). */
  draw(what: string): number {
    return this.#current.draw(what);
  }

  happens(what: string, probability: number): boolean {
    return this.#current.happens(what, probability);
  }

  /** Draws a whole number from 0, less than `bound`. */
  below(what: string, bound: number): number {
    return this.#current.between(what, 0, bound - 1);
  }

  one<Item>(what: string, items: readonly Item[]): Item {
    return this.#current.one(what, items);
  }
}
