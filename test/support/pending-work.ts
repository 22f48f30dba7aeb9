// Counts what keeps a Durable Object in memory (compatibility date 2026-10-01): timers, and calls
// of its bindings that have no answer yet. The objects and the worker run in the test's own
// isolate, so a timer belongs to an object if the code of objects sets it.
import { vi } from "vitest";

type Callable = (...args: unknown[]) => unknown;

export class PendingWork {
  /** Names everything that was ever pending, so that a test can show that anything was counted. */
  readonly seen = new Set<string>();
  readonly #code: RegExp;
  readonly #pending = new Map<object, string>();

  /** `code` matches the call stack when an object sets a timer. */
  constructor(code: RegExp) {
    this.#code = code;
  }

  /** Counts timers until vi.restoreAllMocks(). */
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

  /** Returns bindings whose calls are counted until they are answered. */
  watchBindings<Bindings extends object>(bindings: Bindings): Bindings {
    return this.#watch(bindings, "env");
  }

  /** Names what is pending now. */
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
        // A method of a stub has no apply of its own.
        return (...args: unknown[]) =>
          this.#result(Reflect.apply(value as Callable, target, args), at);
      },
    });
  }

  #result(result: unknown, at: string): unknown {
    // A stub's method returns a promise that is itself callable, so its type may be `function`.
    if (result === null || (typeof result !== "object" && typeof result !== "function"))
      return result;
    // The name decides what is watched, because a stub seems to have every member. A D1 statement
    // stays unwrapped, because its database takes it back.
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
