// Measures how long a consumer of the delivery queue is busy. The queue waits for it during this
// time. This file wraps the deployed worker's `queue` handler and changes nothing in src.

interface QueueBatch {
  readonly queue: string;
  readonly messages: readonly unknown[];
}

interface Handler {
  fetch(request: Request, env: object, context: unknown): Response | Promise<Response>;
  queue(batch: QueueBatch, env: object, context: unknown): Promise<void>;
}

/** One consumer's work on one batch. */
export interface ConsumerShift {
  /** Milliseconds for which the consumer was busy. */
  readonly ms: number;
  /** Number of queue messages in the batch. */
  readonly messages: number;
}

/**
 * A GET request returns the queue batches that consumers began since the previous request. The time
 * of an unfinished batch counts until now.
 */
export const CONSUMERS_PATH = "/bench/consumers";

const QUEUE = "postern-deliver";

let shifts: ConsumerShift[] = [];
/** The batches that consumers work on, and when each began. */
const open = new Map<QueueBatch, number>();
let readAt = 0;

export function withMeteredConsumers(worker: Handler): Handler {
  return {
    ...worker,
    fetch(request, env, context) {
      if (new URL(request.url).pathname !== CONSUMERS_PATH)
        return worker.fetch(request, env, context);
      const begun = [...open].filter(([, since]) => since >= readAt);
      const reading = [...shifts, ...begun.map(([batch, since]) => shiftOf(batch, since))];
      [shifts, readAt] = [[], Date.now()];
      return Response.json(reading);
    },
    async queue(batch, env, context) {
      if (batch.queue !== QUEUE) return worker.queue(batch, env, context);
      const since = Date.now();
      open.set(batch, since);
      try {
        await worker.queue(batch, env, context);
      } finally {
        open.delete(batch);
        if (since >= readAt) shifts.push(shiftOf(batch, since));
      }
    },
  };
}

function shiftOf({ messages }: QueueBatch, since: number): ConsumerShift {
  return { ms: Date.now() - since, messages: messages.length };
}
