// Deadlines of one length for many waits, by a single timer: to set and clear a timer of its own
// costs a short wait more than anything else about it.

export class Deadlines {
  readonly #lengthMs: number;
  /** Those not over, the earliest first, each with its time in Unix milliseconds. */
  readonly #open = new Map<() => void, number>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(lengthMs: number) {
    this.#lengthMs = lengthMs;
  }

  /** Calls `late` when the time is over, unless what this returns is called before. */
  begin(late: () => void): () => void {
    this.#open.set(late, Date.now() + this.#lengthMs);
    this.#timer ??= setTimeout(() => this.#pass(), this.#lengthMs);
    return () => this.#end(late);
  }

  #end(late: () => void): void {
    this.#open.delete(late);
    if (this.#open.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #pass(): void {
    this.#timer = undefined;
    const now = Date.now();
    for (const [late, at] of this.#open) {
      if (at > now) {
        this.#timer = setTimeout(() => this.#pass(), at - now);
        return;
      }
      this.#open.delete(late);
      late();
    }
  }
}
