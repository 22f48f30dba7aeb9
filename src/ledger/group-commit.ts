// One disk flush for many callers (design.md section 1.2): while anything is pending, take all of it, write it in one synchronous block, flush, answer all.
// A fault in the block undoes the whole group and rejects its callers; the next group is not affected.

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
  readonly seal: () => void;
  /** When the group is on disk, before its callers are answered. */
  readonly committed: () => Promise<void>;
  /** When the group was undone: memory must be read from storage again. Must not throw. */
  readonly undone: () => void;
}

export class GroupCommit {
  readonly #store: Store;
  readonly #hooks: Hooks;
  #pending: Pending[] = [];
  #running = false;

  constructor(store: Store, hooks: Hooks) {
    this.#store = store;
    this.#hooks = hooks;
  }

  /** Runs `work`, which must be synchronous, in the next group's block; resolves to its result when that is on disk. */
  run<Result>(work: () => Result): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.#pending.push({ work, resolve: resolve as (result: unknown) => void, reject });
      if (!this.#running) void this.#loop();
    });
  }

  async #loop(): Promise<void> {
    this.#running = true;
    while (this.#pending.length > 0) {
      const group = this.#pending;
      this.#pending = [];
      await this.#commit(group);
    }
    this.#running = false;
  }

  async #commit(group: readonly Pending[]): Promise<void> {
    try {
      const results = this.#store.transactionSync(() => {
        const done = group.map(({ work }) => work());
        this.#hooks.seal();
        return done;
      });
      await this.#store.sync();
      await this.#hooks.committed();
      for (const [index, { resolve }] of group.entries()) resolve(results[index]);
    } catch (error) {
      for (const { reject } of group) reject(error);
      this.#hooks.undone();
    }
  }
}
