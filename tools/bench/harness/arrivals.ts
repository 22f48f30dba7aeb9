// Records when something arrived at a bench's target, and waits for a number of arrivals.

export class Arrivals {
  #at: number[] = [];
  #arrived: () => void = () => {};

  get count(): number {
    return this.#at.length;
  }

  note(): void {
    this.#at.push(performance.now());
    this.#arrived();
  }

  forget(): void {
    this.#at = [];
  }

  /** Resolves with the milliseconds from the first arrival to each arrival. */
  async wait(wanted: number, withinMs: number): Promise<readonly number[]> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#arrived = (): void => {
      if (this.count >= wanted) resolve();
    };
    const timer = setTimeout(
      () => reject(new Error(`${this.count} of ${wanted} came within ${withinMs} ms`)),
      withinMs,
    );
    this.#arrived();
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      this.#arrived = () => {};
    }
    return this.#at.map((at) => at - this.#at[0]!);
  }
}
