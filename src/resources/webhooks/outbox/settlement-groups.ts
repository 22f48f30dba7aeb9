// Gathers posts that have ended, so that several are settled in one write to disk: a post that
// begins while the disk is written to waits for that write.

/** Time for which an ended post waits for others. */
const GATHER_MS = 100;
const POSTS_PER_GROUP = 100;

export class SettlementGroups<Ended> {
  readonly #settle: (ended: readonly Ended[]) => Promise<void>;
  #ended: Ended[] = [];
  #full = Promise.withResolvers<void>();
  #settling: Promise<void> | undefined;

  constructor(settle: (ended: readonly Ended[]) => Promise<void>) {
    this.#settle = settle;
  }

  /**
   * Resolves when the post is settled on disk; rejects if that fails. `isUrgent` is asked with the
   * number of gathered posts; if it is true, the group does not wait for others.
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
