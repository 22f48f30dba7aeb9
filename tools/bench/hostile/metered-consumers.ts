// Runs the deployed worker's consumer of deliveries several times at once, as the platform does
// (Miniflare runs one), and measures how long each is busy. It wraps the worker's `queue` handler;
// nothing of src is changed.

interface QueueMessage {
  readonly id: string;
  readonly timestamp: Date;
  readonly body: unknown;
  readonly attempts: number;
  ack(): void;
  retry(options?: { readonly delaySeconds?: number }): void;
}

interface QueueBatch {
  readonly queue: string;
  readonly messages: readonly QueueMessage[];
}

interface Context {
  waitUntil(work: Promise<unknown>): void;
}

type Env = Readonly<Record<string, unknown>>;

interface Handler {
  fetch(request: Request, env: Env, context: Context): Response | Promise<Response>;
  queue(batch: QueueBatch, env: Env, context: Context): Promise<void>;
}

/** The part of a queue's binding that this file uses. */
interface Producer {
  send(body: unknown, options: object): Promise<unknown>;
}

/** The work of one consumer for one batch. */
export interface ConsumerShift {
  /** The time in which it was busy. */
  readonly ms: number;
  /** The time that the oldest of its messages had waited for it. */
  readonly waitedMs: number;
  /** Messages of the queue. */
  readonly messages: number;
  /** Recipients to deliver to, and keys to ask for. */
  readonly jobs: number;
  readonly keys: number;
}

export interface ConsumersReading {
  readonly shifts: readonly ConsumerShift[];
  /** The most consumers that were busy at once. */
  readonly most: number;
  /** Messages that were to be tried again. */
  readonly retried: number;
}

/** GET takes a reading of the shifts since the last one, and of those that go on, as far as they are. */
export const CONSUMERS_PATH = "/bench/consumers";

const QUEUE = "postern-deliver";
/**
 * A further consumer takes the messages that wait once the ones before have been busy for so long.
 * The platform adds consumers while a backlog grows, and does not say how soon.
 */
const NEXT_AFTER_MS = 10;
const LOOK_EVERY_MS = 10;

let shifts: ConsumerShift[] = [];
/** The consumers that are busy: what they have, and since when. */
const open = new Map<QueueBatch, number>();
/** Shifts that began before the last reading are not in the next one. */
let readAt = 0;
let most = 0;
let retried = 0;

/** `BENCH_CONSUMERS` says how many consumers there may be at once. */
export function withMeteredConsumers(worker: Handler): Handler {
  return {
    ...worker,
    fetch(request, env, context) {
      if (new URL(request.url).pathname !== CONSUMERS_PATH)
        return worker.fetch(request, env, context);
      const begun = [...open].filter(([, since]) => since >= readAt);
      const goingOn = begun.map(([batch, since]) => shiftOf(batch, since));
      const reading: ConsumersReading = { shifts: [...shifts, ...goingOn], most, retried };
      [shifts, most, retried, readAt] = [[], 0, 0, Date.now()];
      return Response.json(reading);
    },
    async queue(batch, env, context) {
      if (batch.queue !== QUEUE) return worker.queue(batch, env, context);
      const limit = Number(env["BENCH_CONSUMERS"]);
      const shift = work(worker, batch, env, context);
      if (limit === 1) return shift;
      context.waitUntil(shift);
      await Promise.race([shift, sleep(NEXT_AFTER_MS)]);
      while (open.size >= limit) await sleep(LOOK_EVERY_MS);
    },
  };
}

/**
 * Has one batch consumed. Messages to be tried again are sent anew, because Miniflare may have the
 * end of the batch already.
 */
async function work(worker: Handler, batch: QueueBatch, env: Env, context: Context): Promise<void> {
  const { queue, messages } = batch;
  const again = new Map<QueueMessage, number>();
  const noted = messages.map((message): QueueMessage => {
    const { id, timestamp, body, attempts } = message;
    return {
      id,
      timestamp,
      body,
      attempts,
      ack: () => undefined,
      retry: ({ delaySeconds = 0 } = {}) => void again.set(message, delaySeconds),
    };
  });
  const since = Date.now();
  open.set(batch, since);
  most = Math.max(most, open.size);
  try {
    await worker.queue({ queue, messages: noted }, env, context);
  } catch {
    for (const message of messages) again.set(message, 0);
  } finally {
    open.delete(batch);
    if (since >= readAt) shifts.push(shiftOf(batch, since));
  }
  retried += again.size;
  for (const [{ body }, delaySeconds] of again)
    await (env["DELIVER"] as Producer).send(body, { contentType: "json", delaySeconds });
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

interface Body {
  readonly jobs?: readonly unknown[];
  readonly asks?: readonly { readonly keys: readonly unknown[] }[];
}

function shiftOf({ messages }: QueueBatch, since: number): ConsumerShift {
  const bodies = messages.map(({ body }) => body as Body);
  const asks = bodies.flatMap((body) => body.asks ?? []);
  const jobs = bodies.filter((body) => !body.asks).map((body) => body.jobs?.length ?? 1);
  return {
    ms: Date.now() - since,
    waitedMs: since - Math.min(...messages.map(({ timestamp }) => timestamp.getTime())),
    messages: messages.length,
    jobs: jobs.reduce((sum, one) => sum + one, 0),
    keys: asks.reduce((sum, { keys }) => sum + keys.length, 0),
  };
}
