// Where in a file each key's line may start: open-addressing tables of eight bytes a slot, because
// a day of strings would not fit in memory. They grow by half at nine slots in ten: 9 to 13.5 bytes
// an entry, 9 once fit() was called. Two keys may share a hash: a position is a candidate, and the
// line itself decides.
import { hash } from "node:crypto";

const SLOTS_AT_FIRST = 1024;
const FILLED_MAX = 0.9;
const GROWTH = 1.5;
/** What a table's positions are below, and its hashes. */
const RANGE = 2 ** 32;

/** A key as every index knows it: made once, for as many as are asked. */
export type KeyHash = number & { readonly brand: "KeyHash" };

export function hashOf(key: string): KeyHash {
  // 0 marks a slot that is free.
  return Math.max(1, hash("sha1", key, "buffer").readUInt32BE()) as KeyHash;
}

export class KeyPositions {
  /** One for each 4 GB of the file. */
  readonly #tables: Table[] = [];

  get count(): number {
    return this.#tables.reduce((sum, { count }) => sum + count, 0);
  }

  /** Of memory. */
  get bytes(): number {
    return this.#tables.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  add(hashed: KeyHash, position: number): void {
    const at = Math.floor(position / RANGE);
    while (this.#tables.length <= at) this.#tables.push(new Table());
    this.#tables[at]!.add(hashed, position % RANGE);
  }

  /** Byte positions whose lines may be the key's. */
  positions(hashed: KeyHash): number[] {
    const found: number[] = [];
    this.#tables.forEach((table, at) =>
      table.find(hashed, (position) => found.push(at * RANGE + position)),
    );
    return found;
  }

  /** Gives back what was kept for entries to come. */
  fit(): void {
    for (const table of this.#tables) table.fit();
  }
}

class Table {
  count = 0;
  /**
   * 0: free. A hash's slot, or the first of those it had to pass by, follows from the hash alone.
   */
  #hashes = new Uint32Array(SLOTS_AT_FIRST);
  #positions = new Uint32Array(SLOTS_AT_FIRST);

  get bytes(): number {
    return this.#hashes.byteLength + this.#positions.byteLength;
  }

  add(hashed: number, position: number): void {
    if (this.count >= Math.floor(this.#hashes.length * FILLED_MAX))
      this.#resize(Math.ceil(this.#hashes.length * GROWTH));
    this.#put(hashed, position);
    this.count++;
  }

  find(hashed: number, onFound: (position: number) => void): void {
    const hashes = this.#hashes;
    for (
      let slot = this.#slotOf(hashed);
      hashes[slot] !== 0;
      slot = slot + 1 === hashes.length ? 0 : slot + 1
    ) {
      if (hashes[slot] === hashed) onFound(this.#positions[slot]!);
    }
  }

  fit(): void {
    this.#resize(Math.ceil((this.count + 1) / FILLED_MAX));
  }

  #slotOf(hashed: number): number {
    return Math.floor((hashed / RANGE) * this.#hashes.length);
  }

  #put(hashed: number, position: number): void {
    const hashes = this.#hashes;
    let slot = this.#slotOf(hashed);
    while (hashes[slot] !== 0) slot = slot + 1 === hashes.length ? 0 : slot + 1;
    hashes[slot] = hashed;
    this.#positions[slot] = position;
  }

  #resize(slots: number): void {
    const hashes = this.#hashes;
    const positions = this.#positions;
    this.#hashes = new Uint32Array(slots);
    this.#positions = new Uint32Array(slots);
    for (let slot = 0; slot < hashes.length; slot++)
      if (hashes[slot] !== 0) this.#put(hashes[slot]!, positions[slot]!);
  }
}
