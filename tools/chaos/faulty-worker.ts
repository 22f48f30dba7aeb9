// Wraps the deployed worker in bindings that inject faults. A binding asks the harness for a fault
// (fault-server.ts) before every use of a database, a queue, the object store, a Durable Object, an
// alarm and the gateway. src contains none of this, because the bundle's entry wraps the worker
// (chaos-bundle.ts). This file also adds the binding of the Email Service's double.
import {
  callWithFault,
  applyFault,
  requestFault,
  type WorkerBindings,
  type WorkerFault,
} from "./worker/worker-faults.ts";
import { type DeferredRequest, setDeferred } from "./worker/deferred-rows.ts";
import { fetchOutside } from "./worker/requests-outside.ts";
import { ROUTED_MAIL, type TakeMail, takeRoutedMail } from "./worker/routed-mail.ts";
import { type EntryFact, readEntries } from "./worker/stored-entries.ts";
import { type ContentBucket, type ContentQuery, readBucket } from "./worker/bucket-content.ts";
import { emailBinding, EVENTS_BINDING, takeEvents } from "../dev/email-service/wrapped-worker.ts";
import { wrapDatabase, wrapMethods, wrapNamespace } from "../dev/platform/wrapped-bindings.ts";

type EventQueue = Parameters<typeof takeEvents>[1];

interface Handlers {
  fetch(request: Request, env: WorkerBindings, context: unknown): Promise<Response> | Response;
  queue(batch: { readonly queue: string }, env: WorkerBindings, context: unknown): Promise<void>;
  scheduled(controller: unknown, env: WorkerBindings): Promise<void>;
  readonly email: TakeMail;
}

interface Alarming {
  alarm(...args: unknown[]): Promise<void>;
}

/** The class of a Durable Object with an alarm. */
type ObjectClass = new (context: ObjectContext, env: WorkerBindings) => Alarming;

interface ObjectContext {
  abort(reason: string): void;
  readonly storage: {
    getAlarm(): Promise<number | null>;
    readonly sql: Parameters<typeof setDeferred>[0];
  };
}

type Stub = Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>;

/** Work that is still open, as src/ledger/open-work.ts describes it. */
export interface RemainingWork {
  /** An attempt as `<email id>/<recipient index>: <wait reason>`, or other work in words. */
  readonly what: string;
  /** Unix milliseconds. Null: the work is under way, and an event ends it, not a time. */
  readonly dueAt: number | null;
}

export type RemainingState = Awaited<ReturnType<typeof inspect>>;

interface LedgerUsage {
  readonly messages: number;
  readonly monthlyUsed: number;
  readonly undelivered: number;
  readonly unpaged: number;
}

/** The harness's own endpoints. Each takes a POST with JSON, and answers with JSON. */
const ENDPOINTS: Readonly<Record<string, (env: WorkerBindings, asked: never) => Promise<unknown>>> =
  {
    "/__chaos/state": inspect,
    "/__chaos/evict": evict,
    "/__chaos/defer": defer,
    "/__chaos/trail": readTrail,
    "/__chaos/content": (env, asked: ContentQuery) =>
      readBucket(env["CONTENT"] as ContentBucket, asked),
  };
const GATEWAY_REPLIES = "/gateway/replies/";
/** The operation for the arrival of a reply. */
const REPLY = "reply.receive";
const EVENTS_QUEUE = "postern-email-events";
/** The fractional part of the golden ratio. Its multiples modulo 1 are spread evenly. */
const SPREAD = 0.618_033_988_75;
const HIT_SHARE = 0.5;

/** The error messages of real accounts, which have no codes (docs/real-platform.md). */
const SERVICE_WORDS: Partial<Record<WorkerFault["kind"], string>> = {
  rate_limit: "rate limit exceeded",
  daily_limit: "daily sending limit exceeded",
  internal_error: "email.sending.error.internal_server [10002]",
};

const faulty = new WeakMap<WorkerBindings, WorkerBindings>();
let requests = 0;

/**
 * Wraps the deployed worker's handlers in faulty bindings. Adds the harness's endpoints.
 */
export function faultyHandlers(worker: Handlers): Omit<Handlers, "email"> {
  return {
    async fetch(request, env, context) {
      const endpoint = ENDPOINTS[new URL(request.url).pathname];
      if (endpoint) return Response.json(await endpoint(env, (await request.json()) as never));
      const token = String(env["EMAIL_SERVICE_TOKEN"]);
      const events = await takeEvents(request, env[EVENTS_BINDING] as EventQueue, token);
      if (events) return events;
      requests += 1;
      try {
        return await take(worker, request, env, context);
      } finally {
        requests -= 1;
      }
    },
    queue: (batch, env, context) => {
      const operation = batch.queue === EVENTS_QUEUE ? "consumer.events" : "consumer";
      return callWithFault(env, operation, () => worker.queue(batch, withFaults(env), context));
    },
    scheduled: (controller, env) => worker.scheduled(controller, withFaults(env)),
  };
}

/** Wraps a class of Durable Objects in faulty bindings. Its alarms are late, fail or get lost. */
export function faultyObject(Base: ObjectClass, name: string): ObjectClass {
  return class extends Base {
    readonly #env: WorkerBindings;
    readonly #context: ObjectContext;

    constructor(context: ObjectContext, env: WorkerBindings) {
      super(context, withFaults(env));
      this.#env = env;
      this.#context = context;
    }

    /**
     * Ends a Durable Object as an eviction does. The object loses everything that is only in its
     * memory.
     */
    evict(): void {
      this.#context.abort("chaos: evicted");
    }

    /** Writes deferred messages to the ledger's rows. The caller must evict the ledger after that. */
    defer(request: DeferredRequest): number {
      return setDeferred(this.#context.storage.sql, request, Date.now());
    }

    alarmTime(): Promise<number | null> {
      return this.#context.storage.getAlarm();
    }

    override async alarm(...args: unknown[]): Promise<void> {
      const fault = await requestFault(this.#env, `alarm.${name}`);
      if (fault.kind === "lose") return;
      await applyFault(fault, `alarm.${name}`, () => super.alarm(...args));
    }
  };
}

/**
 * Passes a request on. A fault may also hit the whole receipt of a reply, at port 25 and at
 * `email()`.
 */
async function take(
  worker: Handlers,
  request: Request,
  env: WorkerBindings,
  context: unknown,
): Promise<Response> {
  const bindings = withFaults(env);
  const { pathname } = new URL(request.url);
  if (pathname === ROUTED_MAIL)
    return takeRoutedMail(
      (message) => callWithFault(env, REPLY, () => worker.email(message, bindings, context)),
      request,
      bindings,
      context,
    );
  const answer = () => worker.fetch(request, bindings, context);
  return pathname.startsWith(GATEWAY_REPLIES) ? callWithFault(env, REPLY, answer) : answer();
}

function withFaults(env: WorkerBindings): WorkerBindings {
  const known = faulty.get(env);
  if (known) return known;
  const database = (name: string, binding: string): object =>
    wrapDatabase(env[binding] as object, (_, call) => callWithFault(env, name, call));
  const namespace = (name: string, binding: string): object =>
    wrapNamespace(env[binding] as object, (_, method, call) =>
      callWithFault(env, `${name}.${method}`, call),
    );
  const wrappedEnv = {
    ...env,
    DB: database("core", "DB"),
    SHARD_0: database("shard", "SHARD_0"),
    CONTENT: wrapMethods(env["CONTENT"] as object, ["put", "get", "delete"], (method, call) =>
      callWithFault(env, `content.${method}`, call),
    ),
    DELIVER: queue(env, "deliver.send", env["DELIVER"] as object),
    WEBHOOK: queue(env, "webhook.send", env["WEBHOOK"] as object),
    TEAM_LEDGER: namespace("ledger", "TEAM_LEDGER"),
    WEBHOOK_OUTBOX: namespace("outbox", "WEBHOOK_OUTBOX"),
    EMAIL: emailService(env),
  };
  faulty.set(env, wrappedEnv);
  globalThis.fetch = (input, init) => fetchOutside(env, input as Request, init);
  return wrappedEnv;
}

/** Returns the state that must be empty at the end. */
async function inspect(
  env: WorkerBindings,
  asked: { readonly team: string; readonly webhooks: readonly string[] },
) {
  const team = objectOf(env, "TEAM_LEDGER", asked.team);
  const ledger = (await team["usage"]!(Date.now())) as LedgerUsage;
  const open = (await team["openWork"]!(Date.now())) as RemainingWork[];
  const batches = asked.webhooks.map((id) => batchesOf(env, id));
  return {
    /** The number of requests under way. */
    requests,
    ledger,
    /** The open work of the ledger and of the webhooks' outboxes. */
    work: [...open, ...(await Promise.all(batches)).flat()],
    now: Date.now(),
  };
}

async function readTrail(
  env: WorkerBindings,
  asked: { readonly team: string; readonly since: number },
): Promise<EntryFact[]> {
  const ledger = objectOf(env, "TEAM_LEDGER", asked.team);
  const listAudit = ledger["listAudit"] as Parameters<typeof readEntries>[1];
  return readEntries([env["DB"], env["SHARD_0"]], listAudit, asked);
}

/** Returns the batches that wait for delivery to a webhook, with the time of its outbox's alarm. */
async function batchesOf(env: WorkerBindings, webhookId: string): Promise<RemainingWork[]> {
  const outbox = objectOf(env, "WEBHOOK_OUTBOX", webhookId);
  const waiting = (await outbox["waiting"]!(0)) as number;
  if (waiting === 0) return [];
  const dueAt = (await outbox["alarmTime"]!()) as number | null;
  return [{ what: `batches for webhook ${webhookId}: ${waiting}`, dueAt }];
}

/** Evicts the ledgers of these teams. Returns the number of evicted ledgers. */
async function evict(env: WorkerBindings, teams: readonly string[]): Promise<number> {
  const calls = teams.map((team) => objectOf(env, "TEAM_LEDGER", team)["evict"]!());
  const ended = await Promise.allSettled(calls);
  // The call to an object fails because the object ends during the call.
  return ended.filter(({ status }) => status === "rejected").length;
}

/** Makes messages of a team's ledger deferred, as the request says, and evicts the ledger. */
async function defer(
  env: WorkerBindings,
  { team, ...wanted }: DeferredRequest & { readonly team: string },
): Promise<unknown> {
  const ledger = objectOf(env, "TEAM_LEDGER", team);
  const count = await ledger["defer"]!(wanted);
  await Promise.allSettled([ledger["evict"]!()]);
  return count;
}

function objectOf(env: WorkerBindings, binding: string, name: string): Stub {
  return (env[binding] as { getByName(name: string): Stub }).getByName(name);
}

/** A queue producer. Its messages may be lost, arrive twice or arrive late. */
function queue(env: WorkerBindings, name: string, target: object): object {
  const real = target as { sendBatch(messages: readonly object[]): Promise<unknown> };
  const sendBatch = async (batch: Iterable<object>): Promise<unknown> => {
    const fault = await requestFault(env, name);
    const messages = [...batch].flatMap((message, index, all) =>
      applyToBatch(fault, message, all.length === 1 ? 0 : index),
    );
    return applyFault(fault, name, () =>
      messages.length === 0 ? Promise.resolve(undefined) : real.sendBatch(messages),
    );
  };
  return {
    sendBatch,
    send: (body: unknown, options: object = {}) =>
      sendBatch([{ body, contentType: "json", ...options }]),
  };
}

function applyToBatch(fault: WorkerFault, message: object, index: number): object[] {
  if (!("salt" in fault) || (index > 0 && (fault.salt + index * SPREAD) % 1 >= HIT_SHARE))
    return [message];
  if (fault.kind === "lose") return [];
  return fault.kind === "duplicate" ? [message, message] : [{ ...message, delaySeconds: 1 }];
}

/** The Email Service's binding. It may refuse a message, fail, or lose the answer. */
function emailService(env: WorkerBindings): object {
  const real = emailBinding(String(env["EMAIL_SERVICE_URL"]), String(env["EMAIL_SERVICE_TOKEN"]));
  return {
    send: async (message: Parameters<typeof real.send>[0]): Promise<unknown> => {
      const fault = await requestFault(env, "email.send", message.to);
      const words = SERVICE_WORDS[fault.kind];
      if (words !== undefined) throw new Error(words);
      return applyFault(fault, "email.send", () => real.send(message));
    },
  };
}
