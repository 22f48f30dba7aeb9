// Makes random choices from a seed, so that a round with a violation can be repeated. A draw
// depends on the seed, the occasion and the number of earlier draws on that occasion. It does not
// depend on the order of concurrent events. Pure.

export class Chance {
  readonly #occasion: string;
  readonly #asked = new Map<string, number>();

  /** `occasion` includes the seed. */
  constructor(occasion: string) {
    this.#occasion = occasion;
  }

  /** Returns a number in [0, 1). */
  draw(what: string): number {
    const times = this.#asked.get(what) ?? 0;
    this.#asked.set(what, times + 1);
    return hashText(`${this.#occasion}/${what}/${times}`) / 2 ** 32;
  }

  happens(what: string, probability: number): boolean {
    return this.draw(what) < probability;
  }

  /** Returns a whole number from `least` to `most`. */
  between(what: string, least: number, most: number): number {
    return least + Math.floor(this.draw(what) * (most - least + 1));
  }

  one<Item>(what: string, items: readonly Item[]): Item {
    const item = items[this.between(what, 0, items.length - 1)];
    if (item === undefined) throw new Error(`nothing to choose from: ${what}`);
    return item;
  }

  /** Returns this many of the items, each at most once, in the order of drawing. */
  some<Item>(what: string, items: readonly Item[], count: number): Item[] {
    const left = [...items];
    return Array.from({ length: Math.min(count, items.length) }, () => {
      const item = this.one(what, left);
      left.splice(left.indexOf(item), 1);
      return item;
    });
  }
}

/** Hashes to 32 bits: FNV-1a, then the final mixing step of MurmurHash3. */
function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
