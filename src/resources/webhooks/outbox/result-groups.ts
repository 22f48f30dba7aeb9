// Collects the results of ended posts, so that one write to disk stores several results. Without
// groups, a post that begins during a write would wait for that write.

/** Time for which a result waits for the results of other posts. */
const GATHER_MS = 100;
const POSTS_PER_GROUP = 100;

export class ResultGroups<Ended> {
  readonly #settle: (ended: readonly Ended[]) => Promise<void>;
  #ended: Ended[] = [];
  #full = Promise.withResolvers<void>();
  #settling: Promise<void> | undefined;

  constructor(settle: (ended: readonly Ended[]) => Promise<void>) {
    this.#settle = settle;
  }

  /**
   * Adds the result of a post. Resolves when the result is on disk, and rejects if the write fails.
   * `isUrgent` receives the number of collected results. If it returns true, the group is written
   * at once.
   */
  add(ended: Ended, isUrgent: (count: number) => boolean): Promise<void> {
    this.#ended.push(ended);
    const count = this.#ended.length;
    if (isUrgent(count) || count >= POSTS_PER_GROUP) this.#full.resolve();
    this.#settling ??= this.#settleGathered();
    return this.#settling;
  }

  async #settleGathered(): Promise<void> {
    await Promise.race([this.#full.promise, scheduler.wait(GATHER_MS)]);
    const ended = this.#ended;
    this.#ended = [];
    this.#full = Promise.withResolvers();
    this.#settling = undefined;
    await this.#settle(ended);
  }
}
