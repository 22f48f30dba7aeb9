// Runs the worker's handlers and Durable Objects under the limits of the platform
// (docs/real-platform.md): latencies between regions, overloaded objects, six connections and 1,000
// D1 queries per invocation. It runs in workerd, around the worker's own code. The code in src does
// not know it. PLATFORM has the switches, and RETRY_SPEEDUP the divisor of all delays.
import { AsyncLocalStorage } from "node:async_hooks";
import { LATENCIES, OCEAN_MS } from "../../harness/latencies.ts";
import { firstContinentOf, continentOfObject } from "./object-continents.ts";
import { readSwitches, RUNTIME_SWITCHES, type RuntimeSwitch } from "./switches.ts";
import { wrapDatabase, wrapMethods, wrapNamespace } from "./wrapped-bindings.ts";

export type PlatformBindings = Readonly<Record<string, unknown>>;

export type DurableClass = new (context: never, env: PlatformBindings) => object;

/** The calls per second that an object accepts. */
const OBJECT_CALLS = 1_000;
const SECOND_MS = 1_000;
/** The connections of an invocation that may wait for a response at the same time. */
const CONNECTIONS = 6;
/** The D1 queries that an invocation may make. */
const QUERIES = 1_000;
const SLOTS = ["fetch", "put", "get", "delete", "list", "head", "send", "sendBatch"];

/** One event of the worker or of an object, such as a request, a queue batch or an alarm. */
class Invocation {
  queries = 0;
  /** The continent on which the event runs. Undefined: the continent is unknown. */
  readonly place: string | undefined;
  #open = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(place: string | undefined) {
    this.place = place;
  }

  /** Calls `work` when fewer than six connections are open. */
  async connect<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    if (this.#open >= CONNECTIONS) await new Promise<void>((go) => this.#waiting.push(go));
    else this.#open += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#open -= 1;
    }
  }
}

const invocations = new AsyncLocalStorage<Invocation>();
const limited = new WeakMap<object, PlatformBindings>();
/** The calls to each object in the second that began at `since`. */
const calls = new Map<string, { since: number; count: number }>();
let isFetchLimited = false;

/** Runs an event's handler as an invocation of its own, on the continent `place`. */
export function asInvocation<Result>(handle: () => Result, place?: string): Result {
  return invocations.run(new Invocation(place), handle);
}

/** Returns a class whose objects have limited bindings. Each call to an object is an invocation. */
export function limitedObject<Class extends DurableClass>(Base: Class): Class {
  const Limited = class extends (Base as DurableClass) {
    readonly objectId: string;

    constructor(context: never, env: PlatformBindings) {
      super(context, limitBindings(env));
      this.objectId = idOf(context);
    }
  };
  for (const name of methodsOf(Base.prototype as object)) {
    const method = (Base.prototype as Record<string, (...args: unknown[]) => unknown>)[name]!;
    Object.defineProperty(Limited.prototype, name, {
      value(this: { readonly objectId: string }, ...args: unknown[]) {
        return asInvocation(
          () => Reflect.apply(method, this, args),
          continentOfObject(this.objectId),
        );
      },
    });
  }
  return Limited as unknown as Class;
}

/** Puts the limits that PLATFORM names around the bindings. Each object is wrapped only once. */
export function limitBindings(env: PlatformBindings): PlatformBindings {
  const known = limited.get(env);
  if (known) return known;
  const { PLATFORM: platform } = env;
  const switches = readSwitches(typeof platform === "string" ? platform : "");
  const on = new Set<string>("unknown" in switches ? [] : switches);
  if (!RUNTIME_SWITCHES.some((name) => on.has(name))) return env;
  const limits = new Limits(on, Number(env["RETRY_SPEEDUP"]) || 1);
  const made = Object.fromEntries(
    Object.entries(env).map(([name, binding]) => [name, limits.around(name, binding)]),
  );
  if (on.has("six_connections")) limitFetch();
  limited.set(env, made);
  limited.set(made, made);
  return made;
}

class Limits {
  readonly #on: ReadonlySet<string>;
  readonly #speedup: number;

  constructor(on: ReadonlySet<string>, speedup: number) {
    this.#on = on;
    this.#speedup = speedup;
  }

  /** Wraps a binding of wrangler.toml by its name. Returns other values unchanged. */
  around(name: string, binding: unknown): unknown {
    if (typeof binding !== "object" || binding === null) return binding;
    if (name === "DB" || /^(?:CORE|SHARD)_\d+$/.test(name))
      return wrapDatabase(binding, (queries, call) => this.#query(queries, call));
    if (name === "CONTENT") return wrapMethods(binding, SLOTS, (_, call) => this.#connect(call));
    if (name === "DELIVER" || name === "WEBHOOK" || name === "DNS_CLEANUP")
      return wrapMethods(binding, SLOTS, (_, call) =>
        this.#connect(() => this.#after("queue", call)),
      );
    // A fetcher, such as the assets' binding, has a property of every name. Only a namespace lacks
    // `fetch`.
    if ("getByName" in binding && !("fetch" in binding))
      return wrapNamespace(binding, (id, _, call, { stub, options }) => {
        const from = invocations.getStore()?.place;
        const place = firstContinentOf(idOf(stub), options.locationHint, from);
        const isFar = from !== undefined && place !== undefined && from !== place;
        return this.#call(`${name}/${id}`, isFar ? OCEAN_MS : 0, call);
      });
    return binding;
  }

  #query(queries: number, call: () => unknown): unknown {
    const invocation = invocations.getStore();
    if (invocation && this.#has("query_limit")) {
      invocation.queries += queries;
      if (invocation.queries > QUERIES)
        throw new Error("D1_ERROR: Too many API requests by single Worker invocation.");
    }
    return this.#after("database", call);
  }

  #call(object: string, oceanMs: number, call: () => unknown): unknown {
    if (this.#has("overload") && isOverloaded(object, Date.now()))
      return Promise.reject(
        Object.assign(
          new Error("Durable Object is overloaded. Too many requests queued."),
          // The runtime repeats a call only if its error is retryable.
          { overloaded: true, retryable: false, remote: true },
        ),
      );
    return this.#after("object", call, oceanMs);
  }

  #connect(call: () => unknown): unknown {
    const invocation = this.#has("six_connections") ? invocations.getStore() : undefined;
    return invocation ? invocation.connect(call) : call();
  }

  /** Makes a call after the latency to `place`. `oceanMs`: added if the call crosses an ocean. */
  #after(place: keyof typeof LATENCIES, call: () => unknown, oceanMs = 0): unknown {
    const [least, most] = LATENCIES[place];
    const ms = (least + Math.random() * (most - least) + oceanMs) / this.#speedup;
    if (!this.#has("latencies") || ms < 1) return call();
    return new Promise((over) => setTimeout(over, ms)).then(call);
  }

  #has(name: RuntimeSwitch): boolean {
    return this.#on.has(name);
  }
}

/** Counts a call to the object. Returns true if the object has too many calls in this second. */
function isOverloaded(object: string, now: number): boolean {
  const known = calls.get(object);
  const current = known && now < known.since + SECOND_MS ? known : { since: now, count: 0 };
  current.count += 1;
  calls.set(object, current);
  return current.count > OBJECT_CALLS;
}

/**
 * Limits the requests of an invocation. A request counts as a connection until its response's
 * headers arrive.
 */
function limitFetch(): void {
  if (isFetchLimited) return;
  isFetchLimited = true;
  const fetchNow = globalThis.fetch.bind(globalThis);
  globalThis.fetch = (...request: Parameters<typeof fetch>) => {
    const invocation = invocations.getStore();
    return invocation ? invocation.connect(() => fetchNow(...request)) : fetchNow(...request);
  };
}

/** Returns the id of an object from its context or its stub. Returns "" if it has none. */
function idOf(holder: { readonly id?: { toString(): string } } | undefined): string {
  return holder?.id?.toString() ?? "";
}

/** Lists the methods of a class, which calls and events can reach. */
function methodsOf(prototype: object): string[] {
  return Object.getOwnPropertyNames(prototype).filter(
    (name) =>
      name !== "constructor" &&
      typeof Object.getOwnPropertyDescriptor(prototype, name)?.value === "function",
  );
}
