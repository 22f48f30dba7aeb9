// Bounds the bytes of messages in memory: who finds no room waits its turn, and meanwhile reads
// nothing more from its client.

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
   * Resolves when `bytes` (at most the whole budget) are the caller's; release() gives them back.
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
