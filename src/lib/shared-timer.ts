// Applies deadlines of one length to many waits with a single timer. A timer for each wait would
// cost more than all other work of a short wait.

export class Deadlines {
  readonly #lengthMs: number;
  /** Open deadlines, the earliest first, each with its time in Unix milliseconds. */
  readonly #open = new Map<() => void, number>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(lengthMs: number) {
    this.#lengthMs = lengthMs;
  }

  /** Calls `late` at the deadline, unless the returned function is called before. */
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
