// The deployment's worker over bindings that fail: before every use of a database, a queue, the
// object store, an object, an alarm and the gateway the harness is asked (weather.ts) what is to go
// wrong with it. Nothing of this is in src; the bundle's entry (chaos-bundle.ts) puts it around the
// worker.

/** What the harness answers. `fail_after`: it is done, and nobody hears of it. */
export type WorkerFault =
  | { readonly kind: "pass" | "fail" | "fail_after" }
  | { readonly kind: "slow" | "hang"; readonly ms: number }
  /** Of an alarm, or of a part of a batch for a queue, which `salt` in [0, 1) chooses. */
  | {
      readonly kind: "lose" | "duplicate" | "late";
      readonly salt: number;
      readonly seconds: number;
    }
  /** Of an answer that streams: the connection breaks off after so long. */
  | { readonly kind: "cut"; readonly ms: number };

type Env = Readonly<Record<string, unknown>>;
type Method = (...args: unknown[]) => unknown;

interface Handlers {
  fetch(request: Request, env: Env, context: unknown): Promise<Response> | Response;
  queue(batch: unknown, env: Env, context: unknown): Promise<void>;
  scheduled(controller: unknown, env: Env): Promise<void>;
}

interface Alarming {
  alarm(...args: unknown[]): Promise<void>;
}

/** The platform's own class with an alarm. */
type ObjectClass = new (context: object, env: Env) => Alarming;

/** What the harness looks at: what nobody must be left with. */
export interface Remains {
  /** Requests under way. */
  readonly requests: number;
  readonly ledger: {
    readonly messages: number;
    readonly jobs: number;
    readonly monthlyUsed: number;
    readonly undelivered: number;
  };
  /** Batches that wait, all webhooks together. */
  readonly batches: number;
}

const INSPECTION = "/__chaos/";
/** The golden ratio's fractional part: its multiples are spread evenly. */
const SPREAD = 0.618_033_988_75;
const HIT_SHARE = 0.5;

const reach = globalThis.fetch;
const faulty = new WeakMap<Env, Env>();
let requests = 0;

/**
 * The handlers of the deployment's worker, over faulty bindings; and the harness's own look at what
 * is left.
 */
export function faultyHandlers(worker: Handlers): Handlers {
  return {
    async fetch(request, env, context) {
      const { pathname } = new URL(request.url);
      if (pathname.startsWith(INSPECTION)) return Response.json(await inspect(env, request));
      requests += 1;
      try {
        return await worker.fetch(request, withFaults(env), context);
      } finally {
        requests -= 1;
      }
    },
    queue: (batch, env, context) =>
      act(env, "consumer", () => worker.queue(batch, withFaults(env), context)),
    scheduled: (controller, env) => worker.scheduled(controller, withFaults(env)),
  };
}

/** The same class of object over faulty bindings, its alarms late, failing or lost. */
export function faultyObject(Base: ObjectClass, name: string): ObjectClass {
  return class extends Base {
    readonly #env: Env;

    constructor(context: object, env: Env) {
      super(context, withFaults(env));
      this.#env = env;
    }

    override async alarm(...args: unknown[]): Promise<void> {
      const fault = await ask(this.#env, `alarm.${name}`);
      if (fault.kind === "lose") return;
      await suffer(fault, `alarm.${name}`, () => super.alarm(...args));
    }
  };
}

function withFaults(env: Env): Env {
  const known = faulty.get(env);
  if (known) return known;
  const around = (name: string, methods: Readonly<Record<string, string>>): object =>
    wrapped(env, env[name] as object, methods);
  const wrappedEnv = {
    ...env,
    DB: database(env, "core", env["DB"] as object),
    SHARD_0: database(env, "shard", env["SHARD_0"] as object),
    CONTENT: around("CONTENT", {
      put: "content.put",
      get: "content.get",
      delete: "content.delete",
    }),
    DELIVER: queue(env, "deliver.send", env["DELIVER"] as object),
    WEBHOOK: queue(env, "webhook.send", env["WEBHOOK"] as object),
    TEAM_LEDGER: namespace(env, "ledger", env["TEAM_LEDGER"] as object),
    WEBHOOK_OUTBOX: namespace(env, "outbox", env["WEBHOOK_OUTBOX"] as object),
  };
  faulty.set(env, wrappedEnv);
  globalThis.fetch = (input, init) => outward(env, input as Request, init);
  return wrappedEnv;
}

async function inspect(env: Env, request: Request): Promise<Remains> {
  const { searchParams } = new URL(request.url);
  const objectOf = (
    binding: string,
    name: string,
  ): Record<string, (now: number) => Promise<unknown>> =>
    (
      env[binding] as { getByName(name: string): Record<string, (now: number) => Promise<unknown>> }
    ).getByName(name);
  const ledger = (await objectOf("TEAM_LEDGER", searchParams.get("team") ?? "")["usage"]!(
    Date.now(),
  )) as Remains["ledger"];
  const waiting = searchParams
    .getAll("webhook")
    .map((id) => objectOf("WEBHOOK_OUTBOX", id)["waiting"]!(0) as Promise<number>);
  return {
    requests,
    ledger,
    batches: (await Promise.all(waiting)).reduce((sum, one) => sum + one, 0),
  };
}

/** A request to the gateway may break off; everything else goes out as it is. */
async function outward(env: Env, input: Request, init?: RequestInit): Promise<Response> {
  const url = typeof input === "string" ? input : input.url;
  if (!url.startsWith(String(env["EGRESS_URL"]))) return reach(input, init);
  const fault = await ask(env, "egress");
  if (fault.kind !== "cut") return suffer(fault, "egress", () => reach(input, init));
  const signals = [AbortSignal.timeout(fault.ms), ...(init?.signal ? [init.signal] : [])];
  return reach(input, { ...init, signal: AbortSignal.any(signals) });
}

/** The object with those of its methods faulty, each under a name of its own. */
function wrapped(env: Env, target: object, methods: Readonly<Record<string, string>>): object {
  return new Proxy(target, {
    get(_, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== "function") return value;
      const method = (value as Method).bind(target);
      const name = methods[String(property)];
      return name === undefined
        ? method
        : (...args: unknown[]) => act(env, name, () => method(...args));
    },
  });
}

const STATEMENT = Symbol("statement");

/** What a database and a session of it have in common. */
interface Statements {
  prepare(sql: string): Record<string, Method>;
  batch(statements: readonly unknown[]): unknown;
}

/** D1: statements that are run, alone or as a batch, in sessions too. */
function database(env: Env, name: string, target: object): object {
  const real = target as Statements & {
    withSession(constraint: string): Statements & { getBookmark(): string | null };
  };
  return {
    ...statements(env, name, real),
    withSession: (constraint: string) => {
      const session = real.withSession(constraint);
      return { ...statements(env, name, session), getBookmark: () => session.getBookmark() };
    },
  };
}

function statements(env: Env, name: string, real: Statements): object {
  const statement = (inner: Record<string, Method>): object =>
    new Proxy(inner, {
      get(_, property) {
        if (property === STATEMENT) return inner;
        const value = inner[String(property)];
        if (property === "bind")
          return (...args: unknown[]) =>
            statement(inner["bind"]!(...args) as Record<string, Method>);
        return typeof value === "function"
          ? (...args: unknown[]) => act(env, name, () => value.apply(inner, args))
          : value;
      },
    });
  return {
    prepare: (sql: string) => statement(real.prepare(sql)),
    batch: (batched: readonly Record<symbol, unknown>[]) =>
      act(env, name, () => real.batch(batched.map((one) => one[STATEMENT]))),
  };
}

/** A producer. What it takes may get lost, come twice or come late. */
function queue(env: Env, name: string, target: object): object {
  const real = target as { sendBatch(messages: readonly object[]): Promise<unknown> };
  const sendBatch = async (batch: Iterable<object>): Promise<unknown> => {
    const fault = await ask(env, name);
    const messages = [...batch].flatMap((message, index, all) =>
      struck(fault, message, all.length === 1 ? 0 : index),
    );
    return suffer(fault, name, () =>
      messages.length === 0 ? Promise.resolve(undefined) : real.sendBatch(messages),
    );
  };
  return {
    sendBatch,
    send: (body: unknown, options: object = {}) =>
      sendBatch([{ body, contentType: "json", ...options }]),
  };
}

function struck(fault: WorkerFault, message: object, index: number): object[] {
  if (!("salt" in fault) || (index > 0 && (fault.salt + index * SPREAD) % 1 >= HIT_SHARE))
    return [message];
  if (fault.kind === "lose") return [];
  return fault.kind === "duplicate"
    ? [message, message]
    : [{ ...message, delaySeconds: fault.seconds }];
}

/** Calls to objects. */
function namespace(env: Env, name: string, target: object): object {
  const real = target as { getByName(id: string): object };
  const stub = (inner: object): object =>
    new Proxy(inner, {
      get(_, property) {
        if (property === "then") return undefined;
        const method = Reflect.get(inner, property, inner) as Method;
        return (...args: unknown[]) =>
          act(env, `${name}.${String(property)}`, () => Reflect.apply(method, inner, args));
      },
    });
  return { getByName: (id: string) => stub(real.getByName(id)) };
}

async function act<Result>(
  env: Env,
  operation: string,
  perform: () => Result | Promise<Result>,
): Promise<Result> {
  return suffer(await ask(env, operation), operation, perform);
}

async function suffer<Result>(
  fault: WorkerFault,
  operation: string,
  perform: () => Result | Promise<Result>,
): Promise<Result> {
  if (fault.kind === "slow" || fault.kind === "hang")
    await new Promise((resolve) => setTimeout(resolve, fault.ms));
  if (fault.kind === "fail" || fault.kind === "hang")
    throw new Error(`chaos: ${operation} ${fault.kind}`);
  const result = await perform();
  if (fault.kind === "fail_after") throw new Error(`chaos: the answer of ${operation} got lost`);
  return result;
}

async function ask(env: Env, operation: string): Promise<WorkerFault> {
  const response = await reach(`${String(env["CRASH_POINT_URL"])}/fault/${operation}`, {
    method: "POST",
  });
  return response.json() as Promise<WorkerFault>;
}
