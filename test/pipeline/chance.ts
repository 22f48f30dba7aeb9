// Chance that a seed decides, so that a run which found a fault can be had again: what is drawn depends on the seed, the occasion, and how often the same
// was asked on that occasion; not on ids, nor on which of two things that go on at once comes first.

export class Chance {
  readonly #seed: number;
  #occasion = "";
  #asked = new Map<string, number>();

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** What is drawn from now on belongs to this occasion. */
  on(occasion: string): void {
    this.#occasion = occasion;
    this.#asked = new Map();
  }

  /** In [0, 1). */
  draw(what: string): number {
    const times = this.#asked.get(what) ?? 0;
    this.#asked.set(what, times + 1);
    return hashed(`${this.#seed}/${this.#occasion}/${what}/${times}`) / 2 ** 32;
  }

  happens(what: string, probability: number): boolean {
    return this.draw(what) < probability;
  }

  /** A whole number from 0, less than `bound`. */
  below(what: string, bound: number): number {
    return Math.floor(this.draw(what) * bound);
  }

  one<Item>(what: string, items: readonly Item[]): Item {
    const item = items[this.below(what, items.length)];
    if (item === undefined) throw new Error("nothing to choose from");
    return item;
  }
}

/** 32 bits: FNV-1a, its bits then mixed as MurmurHash3 does at its end. */
function hashed(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
