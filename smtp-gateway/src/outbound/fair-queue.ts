// A queue that serves its parties in turn, and each party's items in order of arrival. So a flood
// from one sender delays the others by one message each. Pure.

export class FairQueue<T> {
  #front: T[] = [];
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

  /** Puts an item back that shift() returned. It is served next. */
  unshift(item: T): void {
    this.#length++;
    this.#front.unshift(item);
  }

  shift(): T | undefined {
    if (this.#length === 0) return undefined;
    this.#length--;
    const returned = this.#front.shift();
    if (returned !== undefined) return returned;
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
    this.#front = this.#front.filter(keep);
    for (const [party, { items, taken }] of this.#parties) {
      const left = items.slice(taken).filter(keep);
      if (left.length === 0) this.#parties.delete(party);
      else this.#parties.set(party, { items: left, taken: 0 });
    }
    this.#length -= removed.length;
    return removed;
  }
}
