// Lets many callers share one flush to disk (docs/architecture.md §Admit). The group takes all
// pending work, runs it in one synchronous block, flushes, and answers all callers. A fault in the
// block rolls the whole group back and rejects its callers; the next group is not affected. While
// several callers write, a group waits for more callers than the few that came during the previous
// flush, because a flush costs as much as three messages. The wait ends when the group has as many
// callers as the previous group.

/** Maximum time for which a group waits for more callers. A lone caller never waits. */
const GATHER_MS = 2;
/**
 * Maximum number of calls to run() that wait for a group. Further calls are rejected, as the
 * platform rejects a call to an overloaded object. The work of a rejected call never ran, so the
 * caller may repeat the call.
 */
export const WORK_WAITING = 10_000;

interface Pending {
  readonly work: () => unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** The part of DurableObjectStorage that a group commit needs. */
interface Store {
  transactionSync<T>(block: () => T): T;
  sync(): Promise<void>;
}

interface GroupSteps {
  /** Runs in the block after all work of the group, for writes that the group needs only once. */
  readonly beforeCommit: () => void;
  /** Runs when the group is on disk, before the callers are answered. */
  readonly afterCommit: () => Promise<void>;
  /**
   * Runs after the group was rolled back. It must load memory from storage again, and must not
   * throw.
   */
  readonly afterRollback: () => void;
}

export class GroupCommit {
  readonly #store: Store;
  readonly #using: GroupSteps;
  #pending: Pending[] = [];
  #running = false;
  /** Number of callers since the last group began. All work of one synchronous call counts once. */
  #callers = 0;
  #isCalled = false;
  /**
   * Expected number of callers: the callers of the last group, plus the callers that came while
   * that group was written. If fewer come, the number falls by one per group, because the missing
   * callers may be late. If no caller comes, the number falls to zero.
   */
  #expected = 0;
  /** Ends the wait of a group. Undefined: no group waits. */
  #close: (() => void) | undefined;

  constructor(store: Store, using: GroupSteps) {
    this.#store = store;
    this.#using = using;
  }

  /**
   * Runs `work`, which must be synchronous, in the next group's block. Resolves to its result when
   * the group is on disk. Rejects at once if too much work waits.
   */
  run<Result>(work: () => Result): Promise<Result> {
    if (this.#pending.length >= WORK_WAITING && !this.#isCalled) return Promise.reject(overload());
    return new Promise<Result>((resolve, reject) => {
      this.#pending.push({ work, resolve: resolve as (result: unknown) => void, reject });
      this.#countCaller();
      if (!this.#running) void this.#loop();
    });
  }

  #countCaller(): void {
    if (this.#isCalled) return;
    this.#isCalled = true;
    this.#callers += 1;
    if (this.#callers >= this.#expected) this.#close?.();
    queueMicrotask(() => (this.#isCalled = false));
  }

  async #loop(): Promise<void> {
    this.#running = true;
    // Waits for the end of the synchronous call, because all of its work belongs to one group.
    await Promise.resolve();
    while (this.#pending.length > 0) {
      if (this.#callers < this.#expected) await this.#gather();
      const group = this.#pending;
      const callers = this.#callers;
      this.#pending = [];
      this.#callers = 0;
      await this.#commit(group);
      this.#expected = Math.max(callers + this.#callers, this.#expected - 1);
    }
    this.#running = false;
  }

  async #gather(): Promise<void> {
    const before = this.#callers;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, GATHER_MS);
    this.#close = resolve;
    await promise;
    clearTimeout(timer);
    this.#close = undefined;
    if (this.#callers === before) this.#expected = 0;
  }

  async #commit(group: readonly Pending[]): Promise<void> {
    try {
      const results = this.#store.transactionSync(() => {
        const done = group.map(({ work }) => work());
        this.#using.beforeCommit();
        return done;
      });
      await this.#store.sync();
      await this.#using.afterCommit();
      for (const [index, { resolve }] of group.entries()) resolve(results[index]);
    } catch (error) {
      for (const { reject } of group) reject(error);
      this.#using.afterRollback();
    }
  }
}

/**
 * Makes the error that rejects a call to an object with too much waiting work. The platform sets
 * the same property `overloaded` on its own errors (Cloudflare's documentation, Durable Objects ·
 * Error handling).
 */
export function overload(): Error {
  const error = new Error("Durable Object is overloaded: too much work waits for its disk");
  return Object.assign(error, { overloaded: true });
}
