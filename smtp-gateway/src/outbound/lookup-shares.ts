// Limits how many look-ups of mail servers run at once. A resolver loses some questions of a burst,
// and repeats them only seconds later. A holder (a priority and a team) may begin another look-up
// while it has fewer running look-ups than there are free slots (a dynamic threshold). So a team's
// list of ten thousand domains does not block another team's single message. Pure.
import { Holdings } from "../counts-by-holder.ts";

const AT_ONCE = 200;

export class LookupShares {
  #free: number;
  /** Number of running look-ups, by holder. */
  readonly #held = new Holdings();
  /** The look-ups that wait, by holder, in the order in which the holders begin a look-up. */
  readonly #waiting = new Map<string, Set<() => void>>();

  constructor(atOnce = AT_ONCE) {
    this.#free = atOnce;
  }

  async run<T>(holder: string, lookUp: () => Promise<T>): Promise<T> {
    if (this.#waiting.has(holder) || !this.#tryBegin(holder)) await this.#turnOf(holder);
    try {
      return await lookUp();
    } finally {
      this.#end(holder);
    }
  }

  #turnOf(holder: string): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(holder) ?? new Set();
      this.#waiting.set(holder, waiting.add(resolve));
    });
  }

  #tryBegin(holder: string): boolean {
    if (this.#held.of(holder) >= this.#free) return false;
    this.#free -= 1;
    this.#held.add(holder, 1);
    return true;
  }

  #end(holder: string): void {
    this.#free += 1;
    this.#held.add(holder, -1);
    for (const [next, waiting] of this.#waiting) {
      if (!this.#tryBegin(next)) continue;
      const [begin] = waiting;
      waiting.delete(begin!);
      this.#waiting.delete(next);
      if (waiting.size > 0) this.#waiting.set(next, waiting);
      begin!();
    }
  }
}
