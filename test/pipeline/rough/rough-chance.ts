// A source of random decisions (tools/chaos/chance.ts) that several objects share. The seed and the
// last call of on() decide each draw, so ids and the order of concurrent work do not matter.
import { Chance as OccasionsChance } from "../../../tools/chaos/chance.ts";

export class RoughChance {
  readonly #seed: number;
  #current: OccasionsChance;

  constructor(seed: number) {
    this.#seed = seed;
    this.#current = new OccasionsChance(`${seed}/`);
  }

  /** Makes all further draws depend on this occasion and the seed. */
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
