// Lists the queues whose jobs can become dead letters, by their names in wrangler.toml.
// test/node/queues.test.ts compares this list with wrangler.toml. Pure.

/** Number of times that each queue offers a job: its `max_retries`, plus the first attempt. */
export const QUEUE_ATTEMPTS = {
  "postern-deliver": 6,
  "postern-dns-cleanup": 21,
  "postern-webhook": 4,
} as const;

export type QueueName = keyof typeof QUEUE_ATTEMPTS;

/** Suffix of the queue to which the platform moves jobs after their last attempt. */
const DEAD = "-dead";

/**
 * Returns the queue whose dead letters are in queue `name`, or undefined when it is not a
 * dead-letter queue.
 */
export function queueOfDead(name: string): QueueName | undefined {
  const queue = name.endsWith(DEAD) ? name.slice(0, -DEAD.length) : "";
  return Object.hasOwn(QUEUE_ATTEMPTS, queue) ? (queue as QueueName) : undefined;
}

/** The binding of each queue, used to put a job back and to read the queue's backlog. */
export const QUEUE_BINDINGS = {
  "postern-deliver": "DELIVER",
  "postern-dns-cleanup": "DNS_CLEANUP",
  "postern-webhook": "WEBHOOK",
} as const satisfies Readonly<Record<QueueName, string>>;
