// Delays each call of a team's ledger to its databases and to other objects, as if these were far
// away. Also adds a call to the ledger that appends events without mail.

/** The delay in milliseconds of each call from the ledger to a database, and to another object. */
export const DATABASE_MS = 200;
const OBJECT_MS = 30;
export const FEED_PATH = "/bench/append";

/** The bench's request to a team's ledger. */
export interface AppendFeed {
  readonly teamId: string;
  /** Number of events to append. */
  readonly events: number;
}

type Method = (...args: unknown[]) => unknown;
type Methods = Readonly<Record<string | symbol, Method>>;

interface Ledger {
  append(appends: readonly object[], now: number): Promise<boolean[]>;
}

interface FedLedger {
  feed(events: number): Promise<void>;
}

interface Env {
  readonly TEAM_LEDGER: { getByName(name: string): FedLedger };
}

interface Handler {
  fetch(request: Request, env: Env, context: unknown): Response | Promise<Response>;
}

type LedgerClass = new (context: object, env: object) => Ledger;

const EVENTS_PER_CALL = 500;
const INNER = Symbol("the statement itself");

export function farLedger(Base: LedgerClass): LedgerClass {
  return class extends Base {
    constructor(context: object, env: object) {
      super(context, farFrom(env as Readonly<Record<string, unknown>>));
    }

    /**
     * Appends this many events, each of its own message. Resolves when they are on the ledger's
     * disk.
     */
    async feed(events: number): Promise<void> {
      const now = Date.now();
      for (let from = 0; from < events; from += EVENTS_PER_CALL) {
        const some = Math.min(EVENTS_PER_CALL, events - from);
        await this.append(
          Array.from({ length: some }, () => madeEvent(now)),
          now,
        );
      }
    }
  };
}

export function withFeed(worker: Handler): Handler {
  return {
    ...worker,
    async fetch(request, env, context) {
      if (new URL(request.url).pathname !== FEED_PATH) return worker.fetch(request, env, context);
      const { teamId, events } = (await request.json()) as AppendFeed;
      await env.TEAM_LEDGER.getByName(teamId).feed(events);
      return Response.json({});
    },
  };
}

function farFrom(env: Readonly<Record<string, unknown>>): object {
  const objects = ["WEBHOOK_OUTBOX", "METRICS"].map((name) => [
    name,
    { getByName: (id: string) => later((env[name] as Methods)["getByName"]!(id), OBJECT_MS) },
  ]);
  const databases = ["DB", "SHARD_0"].map((name) => [name, farDatabase(env[name] as Methods)]);
  return { ...env, ...Object.fromEntries([...objects, ...databases]) };
}

/** Returns the object with methods that wait before they begin. */
function later(target: unknown, ms: number): object {
  return new Proxy(target as object, {
    get: (inner, name) =>
      name === "then"
        ? undefined
        : async (...args: unknown[]) => {
            await pause(ms);
            return Reflect.apply(Reflect.get(inner, name) as Method, inner, args);
          },
  });
}

/**
 * Returns the database with methods that wait. `prepare`, `bind` and `withSession` send nothing to
 * the database, so they do not wait.
 */
function farDatabase(target: Methods): object {
  const around = (one: Methods): object => ({
    prepare: (sql: string) => statement(one["prepare"]!(sql)),
    async batch(statements: readonly Methods[]) {
      await pause(DATABASE_MS);
      return one["batch"]!(statements.map((late) => late[INNER]));
    },
    getBookmark: () => one["getBookmark"]!(),
  });
  return {
    ...around(target),
    withSession: (constraint: string) => around(target["withSession"]!(constraint) as Methods),
  };
}

function statement(target: unknown): object {
  const late = later(target, DATABASE_MS);
  return new Proxy(target as object, {
    get(inner, name) {
      if (name === INNER) return inner;
      if (name === "bind")
        return (...args: unknown[]) =>
          statement(Reflect.apply(Reflect.get(inner, name) as Method, inner, args));
      return Reflect.get(late, name) as unknown;
    },
  });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Makes an AppendRequest (src/rpc/ledger-calls.ts). */
function madeEvent(now: number): object {
  const id = crypto.randomUUID();
  const recipient = `customer-${id}@recipient.example`;
  return {
    message: {
      teamId: "team_00000000-0000-4000-8000-000000000000",
      emailId: `email_${id}`,
      from: "hello@shop.example",
      fromName: "Shop",
      fromDomain: "shop.example",
      subject: "Your receipt",
      messageId: `<${id}@shop.example>`,
      tags: ["receipt"],
      topic: null,
      campaign: null,
      templateId: null,
      ipPool: null,
      headers: {},
      domainId: "domain_1",
      recipients: [recipient],
      roles: "t",
    },
    recipientIndex: 0,
    once: null,
    event: {
      id: `evt_${id}`,
      type: "email.delivered",
      occurredAt: now,
      recipient,
      attempt: 1,
      smtpCode: 250,
      bounce: null,
      complaint: null,
      suppression: null,
      tracking: null,
      exchange: null,
    },
  };
}
