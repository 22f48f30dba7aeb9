// Counts what one request costs the platform: the calls of async functions, the waits for promises,
// the calls to the ledger, and what the ledger stores. It wraps the platform's classes, so import
// it before the worker's code.
import { AsyncLocalStorage } from "node:async_hooks";

type Side = "worker" | "ledger";
type Method = (this: unknown, ...args: unknown[]) => unknown;

/** The counts since the last reading: side → name → number. */
export type SendCounts = Readonly<Record<Side, Readonly<Record<string, number>>>>;

interface Handler {
  fetch(request: Request, env: object, context: unknown): Response | Promise<Response>;
}

export const COUNTS_PATH = "/bench/counts";

const native = { Promise, Response, wait: Reflect.get(Promise.prototype, "then") as Method };
const side = new AsyncLocalStorage<Side>();
const wrapped = new WeakSet<object>();
let counts: Record<Side, Record<string, number>> = { worker: {}, ledger: {} };

function count(name: string): void {
  const found = side.getStore();
  if (found) counts[found][name] = (counts[found][name] ?? 0) + 1;
}

globalThis.Promise = new Proxy(native.Promise, {
  construct(target, args: unknown[], newTarget) {
    count("other promises");
    return Reflect.construct(target, args, newTarget) as object;
  },
});
// Every other method of a promise calls `then`, so counting `then` counts them all.
countUses(native.Promise.prototype, "other promises", ["then"]);

/** The helper for functions whose `async` was compiled away (counted-bundle.ts). */
Object.assign(globalThis, {
  countedAwaiter(self: unknown, args: unknown, _: unknown, body: Method): Promise<unknown> {
    count("async calls");
    const steps = body.apply(self, (args as unknown[] | undefined) ?? []) as Iterator<unknown>;
    return new native.Promise((resolve, reject) => {
      const step = (next: "next" | "throw") => (given: unknown) => {
        try {
          const { done, value } = steps[next]!(given);
          if (done) return resolve(value);
          count("awaits");
          native.wait.call(native.Promise.resolve(value), step("next"), step("throw"));
        } catch (error) {
          reject(error);
        }
      };
      step("next")(undefined);
    });
  },
});

/** Serves the counts. For every other request, counts what the worker does. */
export function countedWorker<Worker extends Handler>(worker: Worker): Worker {
  return {
    ...worker,
    fetch(request, env, context) {
      if (new URL(request.url).pathname === COUNTS_PATH) {
        const taken = counts;
        counts = { worker: {}, ledger: {} };
        return native.Response.json(taken);
      }
      const ledgers = (env as Record<string, object | undefined>)["TEAM_LEDGER"];
      if (ledgers && !wrapped.has(ledgers)) {
        wrapped.add(ledgers);
        countUses(Object.getPrototypeOf(ledgers) as object, "ledger stubs");
      }
      return side.run("worker", () => worker.fetch(request, env, context));
    },
  };
}

/** Counts what an object's methods do. `derived` inherits them from `base`. */
export function countLedger(base: object, derived: object): void {
  for (const key of Object.getOwnPropertyNames(base)) {
    const method = Object.getOwnPropertyDescriptor(base, key)?.value as Method | undefined;
    if (key === "constructor" || typeof method !== "function") continue;
    const called: Method = function (...args) {
      if (side.getStore() === "ledger") return method.apply(this, args);
      return side.run("ledger", () => {
        count("ledger calls");
        return method.apply(this, args);
      });
    };
    Object.defineProperty(derived, key, { value: called, configurable: true, writable: true });
  }
}

/**
 * Counts the storage calls and SQL statements of an object. Call this function before the object is
 * constructed.
 */
export function countStorage(storage: { readonly sql: object; readonly kv: object }): void {
  countUses(Object.getPrototypeOf(storage) as object, "storage calls");
  for (const one of [storage.sql, storage.kv])
    countUses(Object.getPrototypeOf(one) as object, "statements");
}

/** Counts each call of the prototype's methods and each read of its properties. */
function countUses(
  prototype: object,
  counted: string,
  keys = Object.getOwnPropertyNames(prototype).filter((key) => key !== "constructor"),
): void {
  if (wrapped.has(prototype)) return;
  wrapped.add(prototype);
  for (const key of keys) {
    const found = Object.getOwnPropertyDescriptor(prototype, key)!;
    const { get, value } = found as { get?: Method; value?: unknown };
    if (!found.configurable) continue;
    const uses = (use: Method): Method =>
      function (...args) {
        count(counted);
        return use.apply(this, args);
      };
    if (get) Object.defineProperty(prototype, key, { ...found, get: uses(get) });
    else if (typeof value === "function")
      Object.defineProperty(prototype, key, { ...found, value: uses(value as Method) });
  }
}
