// Delays changes for ten seconds, during which a person can undo each one. The request is sent
// after that time, or when the person leaves the page (docs/console.md §Undo). So the request of an
// undone change is never sent.

/**
 * The time in which a change can be undone. The countdown stops while the focus is in the change's
 * bar.
 */
export const UNDO_MS = 10_000;
/** The time for which the announcement of a finished change stays visible. */
const SAID_MS = 5_000;

export interface Change {
  /**
   * Identifies the changed object, such as `lift sup_1`. Two pending changes cannot have the same
   * name.
   */
  readonly name: string;
  /** Announces the pending change, such as "Receipt will be published". */
  readonly title: string;
  /** The sentence that announces the finished change. */
  readonly done: string;
  /** The sentence that says that the change failed and nothing was changed. */
  readonly failed: string;
  /** The label of the button that sends the change immediately, such as "Lift now". */
  readonly now: string;
  readonly send: () => Promise<unknown>;
}

export type DelayedChange = Change & {
  /** The team that the change belongs to. */
  readonly team: string | undefined;
  /** `until` is in Unix milliseconds. */
  readonly state:
    | {
        readonly kind: "waiting";
        readonly until: number;
        /** The remaining time in milliseconds while the countdown is stopped. */
        readonly held?: number;
      }
    | { readonly kind: "sending" }
    | { readonly kind: "done" }
    | { readonly kind: "failed"; readonly error: Error };
};

export class DelayedChanges {
  readonly #teamOf: () => string | undefined;
  readonly #onFailure: (error: unknown) => void;
  readonly #listeners = new Set<() => void>();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  /** The requests under way. The key is the name of the change. */
  readonly #sending = new Map<string, Promise<void>>();
  #all: readonly DelayedChange[] = [];

  /**
   * `teamOf` returns the id of the signed-in team. A change is never sent in another team's
   * session. `onFailure` gets the error of a failed request.
   */
  constructor(teamOf: () => string | undefined, onFailure: (error: unknown) => void) {
    this.#teamOf = teamOf;
    this.#onFailure = onFailure;
  }

  get all(): readonly DelayedChange[] {
    return this.#all;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  add(change: Change): void {
    const kind = this.#find(change.name)?.state.kind;
    if (kind === "waiting" || kind === "sending") return;
    this.close(change.name);
    const state = { kind: "waiting", until: Date.now() + UNDO_MS } as const;
    this.#tell([...this.#all, { ...change, team: this.#teamOf(), state }]);
    this.#after(UNDO_MS, change.name, () => void this.send(change.name));
  }

  /**
   * Drops a change. A dropped change that is pending is never sent. A change whose request is under
   * way is not dropped.
   */
  close(name: string): void {
    if (this.#find(name)?.state.kind === "sending") return;
    clearTimeout(this.#timers.get(name));
    this.#timers.delete(name);
    this.#tell(this.#all.filter((one) => one.name !== name));
  }

  /** Drops the newest pending change. */
  undoLast(): void {
    const last = this.#all.findLast(({ state }) => state.kind === "waiting");
    if (last) this.close(last.name);
  }

  /** Stops the countdown of a pending change. */
  hold(name: string): void {
    const state = this.#find(name)?.state;
    if (state?.kind !== "waiting" || state.held !== undefined) return;
    clearTimeout(this.#timers.get(name));
    this.#turn(name, { ...state, held: state.until - Date.now() });
  }

  /** Continues the countdown of a stopped change. */
  resume(name: string): void {
    const state = this.#find(name)?.state;
    if (state?.kind !== "waiting" || state.held === undefined) return;
    this.#turn(name, { kind: "waiting", until: Date.now() + state.held });
    this.#after(state.held, name, () => void this.send(name));
  }

  /** Sends a pending or failed change immediately. Resolves when its request is answered. */
  async send(name: string): Promise<void> {
    const change = this.#find(name);
    const kind = change?.state.kind;
    if (kind === "sending") return this.#sending.get(name);
    if (!change || kind === "done") return;
    if (change.team !== this.#teamOf()) {
      this.close(name);
      return;
    }
    clearTimeout(this.#timers.get(name));
    this.#turn(name, { kind: "sending" });
    const sent = this.#sent(change);
    this.#sending.set(name, sent);
    await sent;
    this.#sending.delete(name);
  }

  /** Sends a pending change immediately. If its request is under way, waits for the request. */
  async flush(name: string): Promise<void> {
    if (this.#find(name)?.state.kind !== "failed") await this.send(name);
  }

  async #sent(change: Change): Promise<void> {
    const { name } = change;
    try {
      await change.send();
      this.#turn(name, { kind: "done" });
      this.#after(SAID_MS, name, () => this.close(name));
    } catch (error) {
      this.#turn(name, { kind: "failed", error: error as Error });
      this.#onFailure(error);
    }
  }

  /** Sends all pending changes immediately. */
  async sendAll(): Promise<void> {
    const waiting = this.#all.filter(({ state }) => state.kind === "waiting");
    await Promise.all(waiting.map(({ name }) => this.send(name)));
  }

  #find(name: string): DelayedChange | undefined {
    return this.#all.find((one) => one.name === name);
  }

  #turn(name: string, state: DelayedChange["state"]): void {
    this.#tell(this.#all.map((one) => (one.name === name ? { ...one, state } : one)));
  }

  #after(ms: number, name: string, run: () => void): void {
    this.#timers.set(name, setTimeout(run, ms));
  }

  #tell(all: readonly DelayedChange[]): void {
    this.#all = all;
    for (const listener of this.#listeners) listener();
  }
}
