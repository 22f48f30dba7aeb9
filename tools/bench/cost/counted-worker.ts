// Meters everything that Cloudflare bills the worker for: rows of databases and objects, requests,
// alarms, queue operations, R2 operations, log lines, and objects' working time. It wraps the
// platform's own methods, so the worker's code runs unchanged.
import { countWait, meterCalls, meterTime, meterWaits } from "./object-time.ts";
import { add, addRows, count, recordSize, takeReading } from "./tallies.ts";
import { shiftAlarms, withClock } from "./worker-clock.ts";

type Method = (this: object, ...args: unknown[]) => unknown;

interface Result {
  readonly meta?: {
    readonly rows_read?: number;
    readonly rows_written?: number;
    readonly size_after?: number;
    readonly duration?: number;
  };
}

interface Database {
  prepare(sql: string): object;
}

interface Cursor {
  readonly rowsRead: number;
  readonly rowsWritten: number;
}

type State = Parameters<typeof meterTime>[0] & {
  readonly storage: Parameters<typeof shiftAlarms>[0] & {
    readonly sql: object;
    readonly kv: object;
  };
};

type ObjectClass = new (state: State, env: object) => object;

interface Handler {
  fetch(request: Request, env: object, context: unknown): Response | Promise<Response>;
  queue(
    batch: { readonly messages: readonly { readonly body: unknown }[] },
    env: object,
    context: unknown,
  ): Promise<void>;
}

export const READING_PATH = "/bench/reading";

/**
 * Bytes of a message that count as one queue operation. The queue adds METADATA_BYTES of its own to
 * each message.
 */
const OPERATION_BYTES = 64_000;
const METADATA_BYTES = 100;

/**
 * The owner of each object's storage and of each database session. Rows are counted under the
 * owner's name.
 */
const owners = new WeakMap<object, string>();
const metered = new WeakSet<object>();

export function countedHandler(worker: Handler): Handler {
  meterWaits();
  for (const level of ["log", "warn", "error"]) wrap(console, level, () => count("logLines"));
  return withClock({
    ...worker,
    async fetch(request, env, context) {
      meterBindings(env);
      if (new URL(request.url).pathname === READING_PATH) return Response.json(takeReading());
      count("requests");
      return worker.fetch(request, env, context);
    },
    async queue(batch, env, context) {
      meterBindings(env);
      count("requests");
      await worker.queue(batch, env, context);
      // Each delivery of a queue message counts as a read and a delete, even if a failure returns
      // the message to the queue. So the count may be too high, but never too low.
      count("queueOperations", 2 * operationsOf(batch.messages));
    },
  });
}

/** Meters the objects of a class, and gives them the worker's clock. */
export function countedObject(Base: ObjectClass): ObjectClass {
  const counted = class extends Base {
    constructor(state: State, env: object) {
      meterTime(state);
      meterStorage(Base.name, state.storage);
      meterBindings(env);
      shiftAlarms(state.storage);
      super(state, env);
    }
  };
  meterCalls(Base.prototype as object, counted.prototype);
  return counted;
}

function meterStorage(name: string, storage: State["storage"]): void {
  for (const one of [storage, storage.sql, storage.kv]) owners.set(one, name);
  wrap(storage.sql, "exec", (sql, cursor) => {
    const { rowsRead, rowsWritten } = cursor as Cursor;
    addRows(ownerOf(sql), rowsRead, rowsWritten);
    // A cursor counts its rows while they are read. The worker reads all rows of a cursor before
    // this microtask runs, so the microtask adds those that were read after `exec`.
    queueMicrotask(() => {
      const end = cursor as Cursor;
      addRows(ownerOf(sql), end.rowsRead - rowsRead, end.rowsWritten - rowsWritten);
    });
  });
  for (const one of [storage, storage.kv]) {
    wrap(one, "get", (self) => addRows(ownerOf(self), 1));
    for (const key of ["put", "delete"]) wrap(one, key, (self) => addRows(ownerOf(self), 0, 1));
  }
  wrap(storage, "setAlarm", (self) => addRows(ownerOf(self), 0, 1));
}

/** Wraps databases, queues and the bucket. It recognises them by their classes. */
function meterBindings(env: object): void {
  if (metered.has(env)) return;
  metered.add(env);
  for (const [name, binding] of Object.entries(env) as [string, unknown][]) {
    if (typeof binding !== "object" || binding === null) continue;
    switch (binding.constructor.name) {
      case "D1Database":
        meterDatabase(name, binding as Database);
        break;
      case "WorkerQueue":
        wrap(binding, "send", (_, __, [body]) => {
          countWait("queue");
          count("queueOperations", operationsOf([{ body }]));
        });
        wrap(binding, "sendBatch", (_, __, [messages]) => {
          countWait("queue");
          count("queueOperations", operationsOf([...(messages as Iterable<{ body: unknown }>)]));
        });
        break;
      case "DurableObjectNamespace":
        // An object looks up the stub before each call to another object, so each look-up counts as
        // one call.
        wrap(binding, "getByName", () => countWait("object"));
        break;
      case "R2Bucket":
        for (const method of ["put", "list", "createMultipartUpload"])
          wrap(binding, method, () => count("bucketWrites"));
        for (const method of ["get", "head"]) wrap(binding, method, () => count("bucketReads"));
        break;
    }
  }
}

/** Meters one method of the database's session, because all queries call it. */
function meterDatabase(name: string, database: Database): void {
  const { dbSession: session } = database.prepare("SELECT 1") as { dbSession?: object };
  if (!session) throw new Error("can't meter: a D1 statement has no session");
  for (const one of [database, session]) owners.set(one, name);
  wrap(database, "withSession", (self, opened) => owners.set(opened as object, ownerOf(self)));
  wrap(session, "_send", (self, sent) => {
    countWait("database");
    void noteAnswer(ownerOf(self), sent as Promise<Result | Result[]>);
  });
}

async function noteAnswer(owner: string, sent: Promise<Result | Result[]>): Promise<void> {
  for (const { meta } of [await sent.catch(() => [])].flat()) {
    addRows(owner, meta?.rows_read, meta?.rows_written);
    add("databaseQueries", owner, 1);
    add("databaseMs", owner, meta?.duration ?? 0);
    if (meta?.size_after !== undefined) recordSize(owner, meta.size_after);
  }
}

/** Calls `note` after each call of the method, on all objects of this class. */
function wrap(
  one: object,
  key: string,
  note: (self: object, result: unknown, args: readonly unknown[]) => void,
): void {
  let holder: object | null = one;
  while (holder && !Object.hasOwn(holder, key))
    holder = Object.getPrototypeOf(holder) as object | null;
  if (!holder) throw new Error(`can't meter ${key}: the environment lacks it`);
  const method = (holder as Record<string, Method>)[key]!;
  if (metered.has(method)) return;
  const noted: Method = function (...args) {
    const result = method.apply(this, args);
    note(this, result, args);
    return result;
  };
  metered.add(noted);
  Object.defineProperty(holder, key, { value: noted, configurable: true, writable: true });
}

function ownerOf(one: object): string {
  return owners.get(one) ?? "unknown";
}

function operationsOf(messages: readonly { readonly body: unknown }[]): number {
  return messages.reduce(
    (sum, { body }) =>
      sum + Math.ceil((JSON.stringify(body).length + METADATA_BYTES) / OPERATION_BYTES),
    0,
  );
}
