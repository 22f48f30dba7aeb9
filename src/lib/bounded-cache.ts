// Keeps a bounded number of values in memory. Pure.

/**
 * Caches values in one isolate. Entries live for a fixed time, and beyond the capacity the oldest
 * are removed first. Each new entry also removes expired entries. Store values and never promises,
 * because a promise of I/O belongs to the request that started it.
 */
export class BoundedCache<Value> {
  /**
   * The entries in order of age, the oldest first. All entries live equally long, so the oldest
   * expire first.
   */
  readonly #entries = new Map<string, { readonly value: Value; readonly freshUntil: number }>();
  readonly #capacity: number;
  readonly #lifetimeMs: number;

  constructor(capacity: number, lifetimeMs: number) {
    this.#capacity = capacity;
    this.#lifetimeMs = lifetimeMs;
  }

  /** Returns the value while it is fresh at `now` (Unix milliseconds). */
  get(key: string, now: number): Value | undefined {
    const entry = this.#entries.get(key);
    return entry && now < entry.freshUntil ? entry.value : undefined;
  }

  set(key: string, value: Value, now: number): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, freshUntil: now + this.#lifetimeMs });
    for (const [oldest, { freshUntil }] of this.#entries) {
      if (now < freshUntil && this.#entries.size <= this.#capacity) return;
      this.#entries.delete(oldest);
    }
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  /**
   * Deletes every entry with a matching value. Visits all entries, so call this only for rare
   * changes.
   */
  deleteWhere(matches: (value: Value) => boolean): void {
    for (const [key, { value }] of this.#entries) if (matches(value)) this.#entries.delete(key);
  }
}

/**
 * Keeps entries in the order in which their keys were first set. If the map has more than `most`
 * entries, it removes the oldest.
 */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #most: number;

  constructor(most: number) {
    super();
    this.#most = most;
  }

  override set(key: Key, value: Value): this {
    super.set(key, value);
    if (this.size > this.#most) this.delete(this.keys().next().value!);
    return this;
  }

  /** Sets a key as if it were new, so that it is the last one to be removed. */
  setLast(key: Key, value: Value): void {
    this.delete(key);
    this.set(key, value);
  }
}
