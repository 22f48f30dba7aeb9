// Bounds the bytes of outgoing messages in memory. A domain may hold at most as many as are left
// free (a dynamic threshold), so that none takes all: one domain gets half, and each further one
// finds room beside those whose servers hang.

export class ByteBudget {
  readonly #bytes: number;
  /** Bytes by domain. */
  readonly #held = new Map<string, number>();
  #free: number;

  constructor(bytes: number) {
    this.#bytes = bytes;
    this.#free = bytes;
  }

  get taken(): number {
    return this.#bytes - this.#free;
  }

  /** Takes bytes until release(). False: the domain has no room. */
  tryTake(domain: string, bytes: number): boolean {
    const held = this.#held.get(domain) ?? 0;
    if (held + bytes > this.#free) return false;
    this.#held.set(domain, held + bytes);
    this.#free -= bytes;
    return true;
  }

  release(domain: string, bytes: number): void {
    const held = this.#held.get(domain)! - bytes;
    if (held === 0) this.#held.delete(domain);
    else this.#held.set(domain, held);
    this.#free += bytes;
  }
}
