// Chance that a seed decides, so that a round which found something can be had again: what is drawn
// depends on the seed, the occasion and how often the same was asked on that occasion, and not on
// which of two things that go on at once comes first.

export class Chance {
  readonly #occasion: string;
  readonly #asked = new Map<string, number>();

  /** `occasion` holds the seed. */
  constructor(occasion: string) {
    this.#occasion = occasion;
  }

  /** In [0, 1). */
  draw(what: string): number {
    const times = this.#asked.get(what) ?? 0;
    this.#asked.set(what, times + 1);
    return hashed(`${this.#occasion}/${what}/${times}`) / 2 ** 32;
  }

  happens(what: string, probability: number): boolean {
    return this.draw(what) < probability;
  }

  /** A whole number from `least` to `most`. */
  between(what: string, least: number, most: number): number {
    return least + Math.floor(this.draw(what) * (most - least + 1));
  }

  one<Item>(what: string, items: readonly Item[]): Item {
    const item = items[this.between(what, 0, items.length - 1)];
    if (item === undefined) throw new Error(`nothing to choose from: ${what}`);
    return item;
  }

  /** So many of them, none twice, in the order of their drawing. */
  some<Item>(what: string, items: readonly Item[], count: number): Item[] {
    const left = [...items];
    return Array.from({ length: Math.min(count, items.length) }, () => {
      const item = this.one(what, left);
      left.splice(left.indexOf(item), 1);
      return item;
    });
  }
}

/** 32 bits: FNV-1a, its bits then mixed as MurmurHash3 does at its end. */
function hashed(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
