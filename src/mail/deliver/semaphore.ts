// Who may go next when only so many may at once: what one invocation may hold open, shared by all
// that its couriers do.

export class Semaphore {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  /** Does `work` when it is its turn; first come, first served. */
  async take<T>(work: () => Promise<T>): Promise<T> {
    const leave = await this.enter();
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /** Waits for a turn, and answers how to end it; ending it again changes nothing. */
  async enter(): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    };
  }

  async #wait(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    await promise;
  }
}
