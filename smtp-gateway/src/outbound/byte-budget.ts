// Bounds the bytes of outgoing messages in memory. A request that finds no room waits its turn, and
// reads nothing more from its client meanwhile.

export class ByteBudget {
  readonly #bytes: number;
  #free: number;
  #waiting: { bytes: number; resolve: () => void }[] = [];

  constructor(bytes: number) {
    this.#bytes = bytes;
    this.#free = bytes;
  }

  get taken(): number {
    return this.#bytes - this.#free;
  }

  /**
   * Resolves when `bytes` (at most the whole budget) belong to the caller, who gives them back by
   * release().
   */
  async take(bytes: number): Promise<void> {
    if (this.#waiting.length === 0 && bytes <= this.#free) {
      this.#free -= bytes;
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ bytes, resolve });
    await promise;
  }

  release(bytes: number): void {
    this.#free += bytes;
    while (this.#waiting[0] && this.#waiting[0].bytes <= this.#free) {
      const { bytes: taken, resolve } = this.#waiting.shift()!;
      this.#free -= taken;
      resolve();
    }
  }
}
