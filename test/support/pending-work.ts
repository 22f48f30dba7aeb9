// Counts what keeps a Durable Object in memory (compatibility date 2026-10-01): timers, and calls
// of its bindings that have no answer yet. Objects, worker and test share one isolate, so a timer
// counts as an object's if an object's code set it.
import { vi } from "vitest";

type Callable = (...args: unknown[]) => unknown;

export class PendingWork {
  /** Names all work that was ever pending. A test can check that the class counted work at all. */
  readonly seen = new Set<string>();
  readonly #code: RegExp;
  readonly #pending = new Map<object, string>();

  /**
   * `code`: matches the call stack of a timer that an object sets. Other timers are not counted.
   */
  constructor(code: RegExp) {
    this.#code = code;
  }

  /** Counts timers as pending until the test calls vi.restoreAllMocks(). */
  watchTimers(): void {
    const { setTimeout: set, clearTimeout: clear } = globalThis;
    const wait = scheduler.wait.bind(scheduler);
    const timers = new Map<unknown, object>();
    const begin = (callback: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => {
      if (!this.#isObjects()) return set(callback, ms, ...args);
      const entry = this.#add(`setTimeout ${ms}`);
      const timer: unknown = set(() => {
        this.#pending.delete(entry);
        callback(...args);
      }, ms);
      timers.set(timer, entry);
      return timer;
    };
    vi.spyOn(globalThis, "setTimeout").mockImplementation(begin as never);
    vi.spyOn(globalThis, "clearTimeout").mockImplementation(((timer: never) => {
      this.#pending.delete(timers.get(timer) ?? timers);
      clear(timer);
    }) as never);
    vi.spyOn(scheduler, "wait").mockImplementation((ms, options) =>
      this.#isObjects()
        ? this.#until(wait(ms, options), `scheduler.wait ${ms}`)
        : wait(ms, options),
    );
  }

  /** Wraps bindings, so that each call counts as pending until it is answered. */
  watchBindings<Bindings extends object>(bindings: Bindings): Bindings {
    return this.#watch(bindings, "env");
  }

  /** Names all work that is pending now. */
  get names(): string[] {
    return [...this.#pending.values()].toSorted();
  }

  #watch<Target extends object>(target: Target, path: string): Target {
    return new Proxy(target, {
      get: (_, name) => {
        const value: unknown = Reflect.get(target, name, target);
        const at = `${path}.${String(name)}`;
        if (typeof value === "object" && value !== null) return this.#watch(value, at);
        if (typeof value !== "function") return value;
        // A method of an RPC stub has no `apply`, so the code calls Reflect.apply.
        return (...args: unknown[]) =>
          this.#result(Reflect.apply(value as Callable, target, args), at);
      },
    });
  }

  #result(result: unknown, at: string): unknown {
    // A method of an RPC stub returns a promise that can also be called, so its type may be
    // `function`.
    if (result === null || (typeof result !== "object" && typeof result !== "function"))
      return result;
    // The name of the call decides whether its result is watched, because a stub seems to have
    // every member. A D1 statement is not wrapped, because it is passed back to its database.
    if (/\.(?:getByName|get|withSession)$/.test(at)) return this.#watch(result, at);
    const { then } = result as { readonly then?: unknown };
    return typeof then === "function" ? this.#until(result as Promise<unknown>, at) : result;
  }

  #isObjects(): boolean {
    return this.#code.test(new Error("a timer is set").stack ?? "");
  }

  #until<Result>(promise: Promise<Result>, name: string): Promise<Result> {
    const entry = this.#add(name);
    return Promise.resolve(promise).finally(() => this.#pending.delete(entry));
  }

  #add(name: string): object {
    const entry = { name };
    this.#pending.set(entry, name);
    this.seen.add(name);
    return entry;
  }
}
