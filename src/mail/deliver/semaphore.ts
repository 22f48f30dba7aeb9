// A counting semaphore. It limits the number of connections or large messages of all couriers in
// one invocation of the worker.

export class Semaphore {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  /**
   * Calls `work` as soon as the semaphore is free. Callers wait in the order in which they came.
   */
  async take<T>(work: () => Promise<T>): Promise<T> {
    const leave = await this.enter();
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /**
   * Waits until the semaphore is free, and takes one unit. Returns a function that releases the
   * unit. A second call of that function does nothing.
   */
  async enter(): Promise<() => void> {
    if (this.#free > 0) this.#free -= 1;
    else {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.push(resolve);
      await promise;
    }
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    };
  }
}
