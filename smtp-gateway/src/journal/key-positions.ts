// Indexes the positions in a file at which a key's line may begin. A day's keys would need too much
// memory. So the index stores only a hash of each key, in open-addressing tables with slots of
// eight bytes. A table grows by half when nine of ten slots are full. So an entry takes 9 to 13.5
// bytes, and 9 after trim(). Two keys may have the same hash, so the caller must compare the key in
// the line itself. Pure.
import { hash } from "node:crypto";

const SLOTS_AT_FIRST = 1024;
const FILLED_MAX = 0.9;
const GROWTH = 1.5;
/** Maximum number of different positions, and of different hashes, in one table. */
const TABLE_POSITIONS = 2 ** 32;

/** The hash of a key. It is computed once and used in several indexes. */
export type KeyHash = number & { readonly brand: "KeyHash" };

export function hashOf(key: string): KeyHash {
  // The hash is never 0, because 0 means a free slot.
  return Math.max(1, hash("sha1", key, "buffer").readUInt32BE()) as KeyHash;
}

export class KeyPositions {
  /** The tables, one for each 4 GB of the file. */
  readonly #tables: Table[] = [];

  get count(): number {
    return this.#tables.reduce((sum, { count }) => sum + count, 0);
  }

  /** Bytes of memory of the tables. */
  get bytes(): number {
    return this.#tables.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  add(hashed: KeyHash, position: number): void {
    const at = Math.floor(position / TABLE_POSITIONS);
    while (this.#tables.length <= at) this.#tables.push(new Table());
    this.#tables[at]!.add(hashed, position % TABLE_POSITIONS);
  }

  /** Returns the positions (in bytes) of the lines that may belong to the key. */
  positions(hashed: KeyHash): number[] {
    const found: number[] = [];
    this.#tables.forEach((table, at) =>
      table.find(hashed, (position) => found.push(at * TABLE_POSITIONS + position)),
    );
    return found;
  }

  /** Frees unused memory. */
  trim(): void {
    for (const table of this.#tables) table.trim();
  }
}

class Table {
  count = 0;
  /**
   * The hash in each slot, or 0 if the slot is free. A search begins at a slot that is computed
   * from the hash.
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
