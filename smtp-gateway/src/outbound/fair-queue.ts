// A queue that serves its parties in turn, and each party's items in order of arrival. So a flood
// from one sender delays the others by one message each. Pure.

export class FairQueue<T> {
  /** Items that were put back, in order. */
  #returned: T[] = [];
  /** Items by party; the party that is served next comes first. */
  #parties = new Map<string, { items: T[]; taken: number }>();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(party: string, item: T): void {
    this.#length++;
    const queue = this.#parties.get(party);
    if (queue) queue.items.push(item);
    else this.#parties.set(party, { items: [item], taken: 0 });
  }

  /** Puts an item back that was served. Only shift() serves it again, before all others. */
  putBack(item: T): void {
    this.#length++;
    this.#returned.push(item);
  }

  shift(): T | undefined {
    const returned = this.#returned.shift();
    if (returned === undefined) return this.shiftUnserved();
    this.#length--;
    return returned;
  }

  /** Serves the next item that was never put back. */
  shiftUnserved(): T | undefined {
    if (this.#parties.size === 0) return undefined;
    this.#length--;
    const [party, queue] = this.#parties.entries().next().value!;
    const item = queue.items[queue.taken++]!;
    this.#parties.delete(party);
    if (queue.taken < queue.items.length)
      this.#parties.set(
        party,
        queue.taken > 1000 ? { items: queue.items.slice(queue.taken), taken: 0 } : queue,
      );
    return item;
  }

  /** Removes and returns the items that match, in no particular order. */
  remove(matches: (item: T) => boolean): T[] {
    const removed: T[] = [];
    const keep = (item: T): boolean => {
      const stays = !matches(item);
      if (!stays) removed.push(item);
      return stays;
    };
    this.#returned = this.#returned.filter(keep);
    for (const [party, { items, taken }] of this.#parties) {
      const left = items.slice(taken).filter(keep);
      if (left.length === 0) this.#parties.delete(party);
      else this.#parties.set(party, { items: left, taken: 0 });
    }
    this.#length -= removed.length;
    return removed;
  }
}
