// Keeps changes back for ten seconds, in which each can be undone: the request goes out when they
// are over, or when the page is left (docs/console.md §Undo). So undoing a change leaves everything
// exactly as it was.

/** Time in which a change can be undone. */
export const UNDO_MS = 10_000;
/** Time for which a change that is made is said. */
const SAID_MS = 5_000;

export interface Change {
  /** Names what changes, such as `lift sup_1`. Only one change of a name waits at a time. */
  readonly name: string;
  /** Says that it is going to happen, such as "Receipt will be published". */
  readonly title: string;
  /** Says that it happened, as a sentence. */
  readonly done: string;
  /** Says that nothing has changed because the request failed, as a sentence. */
  readonly failed: string;
  /** The verb that makes it happen at once, such as "Lift now". */
  readonly now: string;
  readonly send: () => Promise<unknown>;
}

export type DelayedChange = Change & {
  /** The team whose change it is. */
  readonly team: string | undefined;
  /** `until`: Unix milliseconds. */
  readonly state:
    | { readonly kind: "waiting"; readonly until: number }
    | { readonly kind: "sending" }
    | { readonly kind: "done" }
    | { readonly kind: "failed"; readonly error: Error };
};

export class DelayedChanges {
  readonly #teamOf: () => string | undefined;
  readonly #onFailure: (error: unknown) => void;
  readonly #listeners = new Set<() => void>();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  /** Requests that are out. */
  readonly #sending = new Map<string, Promise<void>>();
  #all: readonly DelayedChange[] = [];

  /**
   * `teamOf` returns the team that is signed in. No other team's session makes a change.
   * `onFailure` is told why a request failed.
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

  /** Forgets a change: one that waits is not made. One whose request is out stays. */
  close(name: string): void {
    if (this.#find(name)?.state.kind === "sending") return;
    clearTimeout(this.#timers.get(name));
    this.#timers.delete(name);
    this.#tell(this.#all.filter((one) => one.name !== name));
  }

  /** Makes a change that waits, or that failed, at once. Ends when its request is answered. */
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

  /** Makes a change that waits at once, and waits for the answer of one whose request is out. */
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

  /** Makes all changes that wait at once. */
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
