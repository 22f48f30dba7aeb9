// Collects the results of ended posts, so that one write to disk stores several. Without groups, a
// post that begins during a write would wait for that write.

/** Time for which the result of an ended post waits for other results. */
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
   * Resolves when the post is settled on disk. Rejects if that fails. `isUrgent` receives the
   * number of collected posts; if it returns true, the group does not wait for others.
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
