// Runs in workerd, around the worker. Measures the bytes that its isolate holds: the heap, and the
// buffers that V8's heap limit does not count. The meter measures after each new buffer and after
// each input, because memory grows there. It measures a possible new peak after a garbage
// collection, so garbage does not count. It needs the V8 flags of memory-harness.ts: --expose-gc,
// and --track-gc-object-stats for getV8Statistics().
import { Buffer } from "node:buffer";
import type { DeliverBody, DeliverJob } from "../../src/rpc/queue-jobs.ts";

type Method = (this: unknown, ...args: unknown[]) => unknown;
type Statistics = Readonly<Record<string, number>>;

interface Peak {
  readonly bytes: number;
  readonly heapBytes: number;
  readonly bufferBytes: number;
  /** The stack trace of the place where the memory was measured. */
  readonly at: string;
}

interface Handler {
  fetch(request: Request, env: unknown, context: unknown): Response | Promise<Response>;
  queue(batch: object, env: unknown, context: unknown): Promise<void>;
}

interface SeededEnv {
  readonly TEAM_LEDGER: {
    getByName(name: string): { runSql(sql: string): Promise<void>; restart(): Promise<void> };
  };
}

interface LedgerObject {
  readonly ctx: {
    readonly storage: { readonly sql: { exec(sql: string): object } };
    abort(reason: string): void;
  };
}

interface QueueMessage {
  readonly body: unknown;
  ack(): void;
}

interface QueueBatch {
  readonly queue: string;
  readonly messages: readonly QueueMessage[];
}

const { gc, getV8Statistics } = globalThis as unknown as {
  gc: () => void;
  getV8Statistics: () => Statistics;
};

/** Number of newly made bytes after which the meter measures again. */
const MADE_BYTES = 1024 * 1024;
/**
 * The meter measures again only when the memory may have grown by an eighth of the space below the
 * limit. Growth between two measurements therefore cannot reach the limit.
 */
const STEPS_OF_ROOM = 8;
const LEAST_STEP_BYTES = 1024 * 1024;
const MESSAGE_ATTEMPT = 1;

let peak: Peak = { bytes: 0, heapBytes: 0, bufferBytes: 0, at: "" };
/** The limit of the measurement under way. 0: the meter does not measure. */
let limitBytes = 0;
/**
 * Bytes held after the last garbage collection, and the result of mostBytes() at that time. The
 * growth of mostBytes() since then is the most that can have been added.
 */
let [heldThen, mostThen] = [0, 0];
let madeBytes = 0;
let heldTeams = new Set<string>();
/** Held jobs by name, so that a job that a ledger releases again counts once. Null: none held. */
let heldBack: Map<string, DeliverJob> | null = null;
const kept: { value?: unknown } = {};

function measure(): Omit<Peak, "at"> {
  const statistics = getV8Statistics();
  const bufferBytes = statistics["amount_of_external_allocated_memory"] ?? 0;
  const heapBytes = Object.entries(statistics).reduce(
    (sum, [name, bytes]) => (name.endsWith("_live_bytes") ? sum + bytes : sum),
    0,
  );
  return { bytes: heapBytes + bufferBytes, heapBytes, bufferBytes };
}

/**
 * Returns the bytes in use now, garbage included. measure() only knows the heap as of the last
 * collection.
 */
function mostBytes(): number {
  const statistics = getV8Statistics();
  const free = Object.entries(statistics).reduce(
    (sum, [name, bytes]) => (name.endsWith("_available_bytes") ? sum + bytes : sum),
    0,
  );
  return (
    (statistics["total_committed_bytes"] ?? Number.NaN) -
    free +
    (statistics["amount_of_external_allocated_memory"] ?? Number.NaN)
  );
}

/**
 * Collects twice: memory that the first run finds unreachable is released when the second begins.
 */
function collect(): void {
  gc();
  gc();
}

function look(): void {
  if (limitBytes === 0) return;
  const step = Math.max(LEAST_STEP_BYTES, (limitBytes - peak.bytes) / STEPS_OF_ROOM);
  if (heldThen + mostBytes() - mostThen <= peak.bytes + step) return;
  collect();
  const held = measure();
  [heldThen, mostThen] = [held.bytes, mostBytes()];
  if (held.bytes > peak.bytes) peak = { ...held, at: new Error("here").stack ?? "" };
}

/**
 * Measures the memory when enough bytes were created since the last measurement. If `made` has no
 * length, the size of `from`, from which it was made, counts instead.
 */
function noteMade(made: unknown, from: unknown): void {
  madeBytes += lengthOf(made) ?? lengthOf(from) ?? 0;
  if (madeBytes < MADE_BYTES) return;
  madeBytes = 0;
  look();
}

function lengthOf(value: unknown): number | undefined {
  if (typeof value === "string") return value.length;
  const { byteLength, length } = (value ?? {}) as { byteLength?: number; length?: number };
  return byteLength ?? length;
}

/**
 * Measures the memory after each call of these methods, and again when the promise that a call
 * returned is settled.
 */
function watch(holder: object, ...names: readonly string[]): void {
  for (const name of names) {
    const method = (holder as Record<string, Method>)[name];
    if (!method) throw new Error(`nothing to watch: ${name}`);
    const watched: Method = function (...args) {
      const result = method.apply(this, args);
      if (result instanceof Promise) result.then(look, look);
      else noteMade(result, args[0]);
      return result;
    };
    Object.defineProperty(holder, name, { value: watched, configurable: true, writable: true });
  }
}

function watchConstructor(name: "ArrayBuffer" | "Uint8Array"): void {
  const construct = (target: Function, args: unknown[], newTarget: Function): object => {
    const made = Reflect.construct(target, args, newTarget) as object;
    noteMade(made, 0);
    return made;
  };
  (globalThis as Record<string, unknown>)[name] = new Proxy(globalThis[name], { construct });
}

for (const body of [Request.prototype, Response.prototype])
  watch(body, "arrayBuffer", "bytes", "text", "json");
watch(Buffer, "alloc", "allocUnsafe", "from", "concat");
watch(Buffer.prototype, "toString");
watch(Uint8Array.prototype, "slice");
watch(TextEncoder.prototype, "encode");
watch(TextDecoder.prototype, "decode");
watch(JSON, "parse", "stringify");
watch(crypto.subtle, "digest", "sign", "encrypt", "decrypt");
watch(globalThis, "fetch");
watchConstructor("ArrayBuffer");
watchConstructor("Uint8Array");

/** Returns the worker with additional routes under /memory, by which a test uses the meter. */
export function withMeter(worker: Handler): Handler {
  return {
    ...worker,
    async fetch(request, env, context) {
      const { pathname, searchParams } = new URL(request.url);
      look();
      if (!pathname.startsWith("/memory/")) return worker.fetch(request, env, context);
      const megabytes = Number(searchParams.get("megabytes")) * 1024 * 1024;
      switch (pathname) {
        case "/memory/begin":
          delete kept.value;
          limitBytes = megabytes;
          collect();
          peak = { ...measure(), at: "the beginning" };
          [heldThen, mostThen] = [peak.bytes, mostBytes()];
          return Response.json(peak);
        case "/memory/end":
          limitBytes = 0;
          return Response.json(peak);
        case "/memory/hold-buffers":
          kept.value = new Uint8Array(megabytes);
          return new Response();
        case "/memory/hold-heap":
          kept.value = Array.from({ length: megabytes / 8 }, (_, index) => index + 0.5);
          look();
          return new Response();
        case "/memory/hold-back":
          heldBack = new Map();
          heldTeams = new Set((await request.json()) as string[]);
          return new Response();
        case "/memory/held-back":
          return Response.json({ count: heldBack?.size ?? 0 });
        case "/memory/ledger": {
          const { teamId, sql } = (await request.json()) as { teamId: string; sql: string | null };
          const ledger = (env as SeededEnv).TEAM_LEDGER.getByName(teamId);
          if (sql !== null) await ledger.runSql(sql);
          else await ledger.restart().catch(() => undefined);
          return new Response();
        }
        default:
          return Response.json({ acknowledged: await deliverTogether(worker, env, context) });
      }
    },
    async queue(batch, env, context) {
      const { queue, messages } = batch as QueueBatch;
      const isHeld = ({ body }: QueueMessage): boolean =>
        heldBack !== null && heldTeams.has(teamOf(body));
      const [held, others] = [
        messages.filter(isHeld),
        messages.filter((message) => !isHeld(message)),
      ];
      if (queue !== "postern-deliver" || held.length === 0)
        return worker.queue(batch, env, context);
      for (const job of held.flatMap(({ body }) => jobsOf(body as DeliverBody)))
        heldBack?.set(`${job.emailId}/${job.recipientIndex}`, job);
      for (const message of held) message.ack();
      await worker.queue({ queue, messages: others }, env, context);
    },
  };
}

/** Adds runSql() and restart() to a class of ledgers, for tests that write a ledger's rows. */
export function addSeeding(prototype: object): void {
  Object.assign(prototype, {
    runSql(this: LedgerObject, sql: string): void {
      this.ctx.storage.sql.exec(sql);
    },
    restart(this: LedgerObject): void {
      this.ctx.abort("a test restarts the ledger");
    },
  });
}

function teamOf(body: unknown): string {
  return (body as { teamId?: string }).teamId ?? "";
}

function jobsOf(body: DeliverBody): DeliverJob[] {
  if ("asks" in body) return [];
  return "jobs" in body ? body.jobs.map((job) => ({ teamId: body.teamId, ...job })) : [body];
}

/**
 * Delivers the jobs that the meter held back as one batch. Returns how many of them were
 * acknowledged.
 */
async function deliverTogether(worker: Handler, env: unknown, context: unknown): Promise<number> {
  let acknowledged = 0;
  const ack = (): void => void (acknowledged += 1);
  const retry = (): void => undefined;
  const messages = [...(heldBack?.values() ?? [])].map((body, index) => ({
    id: String(index),
    body,
    attempts: MESSAGE_ATTEMPT,
    ack,
    retry,
  }));
  heldBack = null;
  await worker.queue({ queue: "postern-deliver", messages }, env, context);
  return acknowledged;
}
