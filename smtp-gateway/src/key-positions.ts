// Where in a file each key's line may start: an open-addressing table over hashes, because a day of strings would not fit in memory.
// Two keys may share a hash, so that a position is a candidate and the line itself decides.
import { hash } from "node:crypto";

const SLOTS_AT_FIRST = 1024;
const FILLED_MAX = 0.6;

export class KeyPositions {
  /** 0: free; else a 48-bit hash plus one. */
  #hashes = new Float64Array(SLOTS_AT_FIRST);
  #positions = new Float64Array(SLOTS_AT_FIRST);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(key: string, position: number): void {
    if (this.#count >= this.#hashes.length * FILLED_MAX) this.#grow();
    this.#put(hashOf(key), position);
    this.#count++;
  }

  /** Byte positions whose lines may be the key's. */
  positions(key: string): number[] {
    const found: number[] = [];
    if (this.#count === 0) return found;
    const wanted = hashOf(key);
    const slots = this.#hashes.length;
    for (let slot = wanted % slots; this.#hashes[slot] !== 0; slot = (slot + 1) % slots) {
      if (this.#hashes[slot] === wanted) found.push(this.#positions[slot]!);
    }
    return found;
  }

  #put(hashed: number, position: number): void {
    const slots = this.#hashes.length;
    let slot = hashed % slots;
    while (this.#hashes[slot] !== 0) slot = (slot + 1) % slots;
    this.#hashes[slot] = hashed;
    this.#positions[slot] = position;
  }

  #grow(): void {
    const hashes = this.#hashes;
    const positions = this.#positions;
    this.#hashes = new Float64Array(hashes.length * 2);
    this.#positions = new Float64Array(hashes.length * 2);
    for (let slot = 0; slot < hashes.length; slot++) if (hashes[slot] !== 0) this.#put(hashes[slot]!, positions[slot]!);
  }
}

function hashOf(key: string): number {
  return hash("sha1", key, "buffer").readUIntBE(0, 6) + 1;
}
