// Gives many callers one disk flush (docs/architecture.md §Admit): while anything is pending, take
// all of it, write it in one synchronous block, flush, answer all. A fault in the block undoes the
// whole group and rejects its callers; the next group is not affected. While several write at once,
// a group gathers for a moment before it is written: a flush costs as much as three messages, and
// without that each would take the few that came during the last one.

/** How long a group gathers that follows one of several callers. A lone caller never waits. */
const GATHER_MS = 1;

interface Pending {
  readonly work: () => unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** The part of DurableObjectStorage that is needed. */
interface Store {
  transactionSync<T>(block: () => T): T;
  sync(): Promise<void>;
}

interface Hooks {
  /** Inside the block, after the last work: what is written once for all. */
  readonly beforeCommit: () => void;
  /** When the group is on disk, before its callers are answered. */
  readonly afterCommit: () => Promise<void>;
  /** When the group was undone: memory must be read from storage again. Must not throw. */
  readonly afterRollback: () => void;
}

export class GroupCommit {
  readonly #store: Store;
  readonly #hooks: Hooks;
  #pending: Pending[] = [];
  #running = false;
  /** Those who came since the last group was taken; what one call brings along counts once. */
  #callers = 0;
  #isCalled = false;
  #isBusy = false;

  constructor(store: Store, hooks: Hooks) {
    this.#store = store;
    this.#hooks = hooks;
  }

  /**
   * Runs `work`, which must be synchronous, in the next group's block; resolves to its result when
   * that is on disk.
   */
  run<Result>(work: () => Result): Promise<Result> {
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
    queueMicrotask(() => (this.#isCalled = false));
  }

  async #loop(): Promise<void> {
    this.#running = true;
    // What one call brings along belongs together.
    await Promise.resolve();
    while (this.#pending.length > 0) {
      if (this.#isBusy) await scheduler.wait(GATHER_MS);
      const group = this.#pending;
      this.#pending = [];
      this.#isBusy = this.#callers > 1;
      this.#callers = 0;
      await this.#commit(group);
    }
    this.#running = false;
  }

  async #commit(group: readonly Pending[]): Promise<void> {
    try {
      const results = this.#store.transactionSync(() => {
        const done = group.map(({ work }) => work());
        this.#hooks.beforeCommit();
        return done;
      });
      await this.#store.sync();
      await this.#hooks.afterCommit();
      for (const [index, { resolve }] of group.entries()) resolve(results[index]);
    } catch (error) {
      for (const { reject } of group) reject(error);
      this.#hooks.afterRollback();
    }
  }
}
