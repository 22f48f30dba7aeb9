// Indexes where in a file each key's line may start. The keys of a day would not fit in memory, so
// the index keeps hashes, in open-addressing tables of eight bytes a slot. A table grows by half
// when nine slots in ten are filled: 9 to 13.5 bytes an entry, and 9 after trim(). Two keys may
// have the same hash, so the line itself decides. Pure.
import { hash } from "node:crypto";

const SLOTS_AT_FIRST = 1024;
const FILLED_MAX = 0.9;
const GROWTH = 1.5;
/** The number of positions, and of hashes, that one table can tell apart. */
const TABLE_POSITIONS = 2 ** 32;

/** A key's hash, computed once for several indexes. */
export type KeyHash = number & { readonly brand: "KeyHash" };

export function hashOf(key: string): KeyHash {
  // 0 marks a free slot.
  return Math.max(1, hash("sha1", key, "buffer").readUInt32BE()) as KeyHash;
}

export class KeyPositions {
  /** One table for each 4 GB of the file. */
  readonly #tables: Table[] = [];

  get count(): number {
    return this.#tables.reduce((sum, { count }) => sum + count, 0);
  }

  /** Memory of the tables. */
  get bytes(): number {
    return this.#tables.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  add(hashed: KeyHash, position: number): void {
    const at = Math.floor(position / TABLE_POSITIONS);
    while (this.#tables.length <= at) this.#tables.push(new Table());
    this.#tables[at]!.add(hashed, position % TABLE_POSITIONS);
  }

  /** Byte positions of the lines that may belong to the key. */
  positions(hashed: KeyHash): number[] {
    const found: number[] = [];
    this.#tables.forEach((table, at) =>
      table.find(hashed, (position) => found.push(at * TABLE_POSITIONS + position)),
    );
    return found;
  }

  /** Gives back the memory that is not used. */
  trim(): void {
    for (const table of this.#tables) table.trim();
  }
}

class Table {
  count = 0;
  /**
   * The hash in each slot; 0: the slot is free. The search for a hash begins at a slot computed
   * from it.
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

  trim(): void {
    this.#resize(Math.ceil((this.count + 1) / FILLED_MAX));
  }

  #slotOf(hashed: number): number {
    return Math.floor((hashed / TABLE_POSITIONS) * this.#hashes.length);
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
