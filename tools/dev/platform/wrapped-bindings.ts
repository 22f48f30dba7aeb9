// Wraps the bindings of a worker, so that other code runs around each call: limits and latencies of
// the platform (limited-worker.ts), or planned faults (tools/chaos/faulty-worker.ts). Pure.

type Method = (...args: unknown[]) => unknown;

/** Runs a call of a database. `queries` is the number of statements in the call. */
export type AroundQueries = (queries: number, call: () => unknown) => unknown;

/**
 * Runs a call of a Durable Object's method. `id` is the object's name. `got` has the object's stub,
 * and the options of the look-up.
 */
export type AroundMethod = (
  id: string,
  method: string,
  call: () => unknown,
  got: { readonly stub: object; readonly options: { readonly locationHint?: string } },
) => unknown;

const STATEMENT = Symbol("statement");

/** The members that a database and its sessions have in common. */
interface Statements {
  prepare(sql: string): Record<string, Method>;
  batch(statements: readonly unknown[]): unknown;
}

/** Wraps a D1 database: single statements, batches, and sessions. */
export function wrapDatabase(database: object, around: AroundQueries): object {
  const real = database as Statements & {
    withSession(constraint: string): Statements & { getBookmark(): string | null };
  };
  return {
    ...wrapStatements(real, around),
    withSession: (constraint: string) => {
      const session = real.withSession(constraint);
      return { ...wrapStatements(session, around), getBookmark: () => session.getBookmark() };
    },
  };
}

/** Wraps a namespace of Durable Objects that are looked up by name. */
export function wrapNamespace(namespace: object, around: AroundMethod): object {
  const real = namespace as {
    getByName(id: string, options: object): object;
    jurisdiction(name: string): object;
  };
  const wrapStub = (id: string, stub: object, options: object): object =>
    new Proxy(stub, {
      get(_, property) {
        if (property === "then") return undefined;
        const method = Reflect.get(stub, property, stub) as Method;
        return (...args: unknown[]) =>
          around(id, String(property), () => Reflect.apply(method, stub, args), { stub, options });
      },
    });
  return {
    getByName: (id: string, options = {}) => wrapStub(id, real.getByName(id, options), options),
    jurisdiction: (name: string) => wrapNamespace(real.jurisdiction(name), around),
  };
}

/** Wraps the listed methods of an object. All others stay unchanged. */
export function wrapMethods(
  target: object,
  methods: readonly string[],
  around: (method: string, call: () => unknown) => unknown,
): object {
  return new Proxy(target, {
    get(_, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== "function") return value;
      const method = (value as Method).bind(target);
      const name = String(property);
      return methods.includes(name)
        ? (...args: unknown[]) => around(name, () => method(...args))
        : method;
    },
  });
}

function wrapStatements(real: Statements, around: AroundQueries): object {
  const wrap = (inner: Record<string, Method>): object =>
    new Proxy(inner, {
      get(_, property) {
        if (property === STATEMENT) return inner;
        const value = inner[String(property)];
        if (property === "bind")
          return (...args: unknown[]) => wrap(inner["bind"]!(...args) as Record<string, Method>);
        return typeof value === "function"
          ? (...args: unknown[]) => around(1, () => value.apply(inner, args))
          : value;
      },
    });
  return {
    prepare: (sql: string) => wrap(real.prepare(sql)),
    batch: (batched: readonly Record<symbol, unknown>[]) =>
      around(batched.length, () => real.batch(batched.map((one) => one[STATEMENT]))),
  };
}
