// Stores items in the order in which their messages first arrived at the gateway. The items are in
// chunks of bounded length, so a change anywhere among a hundred thousand items takes little time.
// Pure.

/** Maximum number of items in a chunk. A larger chunk is divided. */
const CHUNK_AT_MOST = 512;

/** Items in the order of `since`. Items with the same `since` are in the order of their arrival. */
export class ByArrival<T extends { readonly since: number }> {
  /** The chunks of items, none of them empty. */
  #chunks: T[][] = [];
  #length = 0;

  get length(): number {
    return this.#length;
  }

  get first(): T | undefined {
    return this.#chunks[0]?.[0];
  }

  add(item: T): void {
    this.#length += 1;
    const begun = countWhile(this.#chunks, ([first]) => first!.since <= item.since);
    const at = Math.max(0, begun - 1);
    const chunk = this.#chunks[at];
    if (chunk === undefined) return void this.#chunks.push([item]);
    chunk.splice(
      countWhile(chunk, ({ since }) => since <= item.since),
      0,
      item,
    );
    if (chunk.length <= CHUNK_AT_MOST) return;
    const isLast = at === this.#chunks.length - 1;
    this.#chunks.splice(at + 1, 0, chunk.splice(isLast ? CHUNK_AT_MOST : CHUNK_AT_MOST / 2));
  }

  shift(): T | undefined {
    const item = this.#chunks[0]?.shift();
    if (item !== undefined) this.#noteRemoval(0);
    return item;
  }

  /** Removes the first matching item with this `since`. Does nothing if no item matches. */
  removeOne(since: number, matches: (item: T) => boolean = () => true): void {
    for (let at = this.#chunkOf(since); at < this.#chunks.length; at += 1) {
      const chunk = this.#chunks[at]!;
      for (let inner = countWhile(chunk, (one) => one.since < since); ; inner += 1) {
        const item = chunk[inner];
        if (item === undefined) break;
        if (item.since !== since) return;
        if (!matches(item)) continue;
        chunk.splice(inner, 1);
        return this.#noteRemoval(at);
      }
    }
  }

  remove(matches: (item: T) => boolean): T[] {
    const removed: T[] = [];
    const stays = (item: T): boolean => {
      const isRemoved = matches(item);
      if (isRemoved) removed.push(item);
      return !isRemoved;
    };
    this.#chunks = this.#chunks.map((chunk) => chunk.filter(stays)).filter(({ length }) => length);
    this.#length -= removed.length;
    return removed;
  }

  countBefore(since: number): number {
    const at = this.#chunkOf(since);
    let count = 0;
    for (let before = 0; before < at; before += 1) count += this.#chunks[before]!.length;
    return count + countWhile(this.#chunks[at] ?? [], (one) => one.since < since);
  }

  *values(): Iterable<T> {
    for (const chunk of this.#chunks) yield* chunk;
  }

  /** Returns the index of the first chunk that has an item from this time or later. */
  #chunkOf(since: number): number {
    return countWhile(this.#chunks, (chunk) => chunk.at(-1)!.since < since);
  }

  #noteRemoval(at: number): void {
    this.#length -= 1;
    if (this.#chunks[at]!.length === 0) this.#chunks.splice(at, 1);
  }
}

/**
 * Returns how many values at the front of the list fulfil `isBefore`, by a binary search. All
 * values after them must not fulfil it.
 */
function countWhile<T>(values: readonly T[], isBefore: (value: T) => boolean): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(values[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}
