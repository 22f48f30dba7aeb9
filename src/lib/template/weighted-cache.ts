// Caches values up to a total weight, because compiled templates differ in size a thousandfold. The
// least recently used values are removed first.

interface Entry<Value> {
  readonly value: Value;
  readonly weight: number;
}

export class WeightedCache<Value> {
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #capacity: number;
  #weight = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  find(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** Adds a value under a new key. Removes it at once if it is heavier than the capacity. */
  insert(key: string, value: Value, weight: number): void {
    this.#entries.set(key, { value, weight });
    this.#weight += weight;
    for (const [oldest, entry] of this.#entries) {
      if (this.#weight <= this.#capacity) return;
      this.#entries.delete(oldest);
      this.#weight -= entry.weight;
    }
  }

  /** Removes each entry whose key begins with `prefix`. */
  removeAll(prefix: string): void {
    for (const key of this.#entries.keys()) if (key.startsWith(prefix)) this.remove(key);
  }

  remove(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#weight -= entry.weight;
  }
}
