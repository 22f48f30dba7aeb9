// The chance of chaos/chance.ts for those who share one while occasions follow each other: what is
// drawn belongs to the one that was named last, so that it depends on the seed and the occasion;
// not on ids, nor on which of two things that go on at once comes first.
import { Chance as OccasionsChance } from "../../chaos/chance.ts";

export class RoughChance {
  readonly #seed: number;
  #current: OccasionsChance;

  constructor(seed: number) {
    this.#seed = seed;
    this.#current = new OccasionsChance(`${seed}/`);
  }

  /** What is drawn from now on belongs to this occasion. */
  on(occasion: string): void {
    this.#current = new OccasionsChance(`${this.#seed}/${occasion}`);
  }

  /** In [0, 1). */
  draw(what: string): number {
    return this.#current.draw(what);
  }

  happens(what: string, probability: number): boolean {
    return this.#current.happens(what, probability);
  }

  /** A whole number from 0, less than `bound`. */
  below(what: string, bound: number): number {
    return this.#current.between(what, 0, bound - 1);
  }

  one<Item>(what: string, items: readonly Item[]): Item {
    return this.#current.one(what, items);
  }
}
