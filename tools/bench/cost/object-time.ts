// Measures objects' working time. An object is billed for each moment in which at least one part of
// its work is under way. Its work is its calls and alarms, everything passed to waitUntil, and the
// requests and pauses that these begin. Idle time is not billed, because the object may hibernate.
import { AsyncLocalStorage } from "node:async_hooks";
import { LATENCIES } from "../../harness/latencies.ts";
import { count } from "./tallies.ts";

type Method = (this: object, ...args: unknown[]) => unknown;

/** The part of an object's state that this file uses. */
interface State {
  waitUntil(work: Promise<unknown>): void;
}

/** A working object. */
interface Shift {
  underWay: number;
  since: number;
}

const shifts = new WeakMap<object, Shift>();
const current = new AsyncLocalStorage<Shift>();

/**
 * Measures the working time of an object from its state. Call this function before the object is
 * constructed.
 */
export function meterTime(state: State): void {
  const shift: Shift = { underWay: 0, since: 0 };
  shifts.set(state, shift);
  const waitUntil = state.waitUntil.bind(state);
  Object.defineProperty(state, "waitUntil", {
    value: (work: Promise<unknown>) => {
      void during(shift, () => work).catch(() => undefined);
      waitUntil(work);
    },
  });
}

/**
 * Counts a call to another service of the platform. If an object makes the call, the object is
 * billed while it waits.
 */
export function countWait(place: keyof typeof LATENCIES): void {
  const [least, most] = LATENCIES[place];
  if (current.getStore()) count("objectMs", (least + most) / 2);
}

/** Methods that are not counted, because only a bench calls them. */
const UNCOUNTED = new Set(["constructor", "usage"]);

/**
 * Counts and times the calls and alarms of all objects of a class. `derived` inherits the methods
 * from `base`.
 */
export function meterCalls(base: object, derived: object): void {
  for (const key of Object.getOwnPropertyNames(base)) {
    const method = Object.getOwnPropertyDescriptor(base, key)?.value as Method | undefined;
    if (UNCOUNTED.has(key) || typeof method !== "function") continue;
    const called: Method = function (...args) {
      const shift = shifts.get((this as { readonly ctx: object }).ctx);
      // An object's call to itself is not a request, so it is not counted.
      if (!shift || current.getStore() === shift) return method.apply(this, args);
      count("objectRequests");
      return current.run(shift, () => during(shift, async () => method.apply(this, args)));
    };
    Object.defineProperty(derived, key, { value: called, configurable: true, writable: true });
  }
}

/**
 * Counts an object's requests and pauses as its work, even if the code that started them no longer
 * waits for them. Call this function once.
 */
export function meterWaits(): void {
  const { fetch, scheduler } = globalThis as unknown as {
    fetch: (...args: unknown[]) => Promise<unknown>;
    scheduler: { wait: (...args: unknown[]) => Promise<unknown> };
  };
  const wait = scheduler.wait.bind(scheduler);
  const timed =
    (work: (...args: unknown[]) => Promise<unknown>) =>
    (...args: unknown[]) => {
      const shift = current.getStore();
      return shift ? during(shift, () => work(...args)) : work(...args);
    };
  const attributes = { configurable: true, writable: true };
  Object.defineProperty(globalThis, "fetch", { value: timed(fetch), ...attributes });
  Object.defineProperty(scheduler, "wait", { value: timed(wait), ...attributes });
}

async function during<Result>(shift: Shift, work: () => Promise<Result>): Promise<Result> {
  if (shift.underWay === 0) shift.since = Date.now();
  shift.underWay += 1;
  try {
    return await work();
  } finally {
    shift.underWay -= 1;
    if (shift.underWay === 0) count("objectMs", Date.now() - shift.since);
  }
}
