// Lists the queues whose jobs can become dead letters, by their names in wrangler.toml, which the
// metrics and the API show. A deployment may name its queues otherwise, because all deployments of
// an account share their names: the worker knows a queue by the end of its name.
// test/node/queues.test.ts compares this list with wrangler.toml. Pure.

/** Number of times that each queue offers a job: its `max_retries`, plus the first attempt. */
export const QUEUE_ATTEMPTS = {
  "postern-deliver": 6,
  "postern-dns-cleanup": 21,
  "postern-webhook": 4,
} as const;

export type QueueName = keyof typeof QUEUE_ATTEMPTS;

/** The queue of the Email Service's events. None of them becomes a dead letter. */
export const EVENTS_QUEUE = "postern-email-events";

/** The name of this deployment in wrangler.toml, with which the names above begin. */
const DEPLOYMENT = "postern";
/** Suffix of the queue to which the platform moves jobs after their last attempt. */
const DEAD = "-dead";

/**
 * Returns the queue whose dead letters are in queue `name`, or undefined when it is not a
 * dead-letter queue.
 */
export function queueOfDead(name: string): QueueName | undefined {
  const queue = name.endsWith(DEAD) ? queueNamed(name.slice(0, -DEAD.length)) : undefined;
  return queue === EVENTS_QUEUE ? undefined : queue;
}

/** Returns the queue that has the name `name` in this account: `shop-deliver` is postern-deliver. */
export function queueNamed(name: string): QueueName | typeof EVENTS_QUEUE | undefined {
  const queues = [...(Object.keys(QUEUE_ATTEMPTS) as QueueName[]), EVENTS_QUEUE] as const;
  return queues.find((queue) => {
    const end = endOf(queue);
    return name.endsWith(end) && name.length > end.length;
  });
}

/** Returns the name of the events' queue of the deployment that has the queue `name`. */
export function eventsQueueBeside(name: string): string {
  const queue = queueNamed(name);
  const deployment = queue === undefined ? DEPLOYMENT : name.slice(0, -endOf(queue).length);
  return `${deployment}${endOf(EVENTS_QUEUE)}`;
}

function endOf(queue: string): string {
  return queue.slice(DEPLOYMENT.length);
}

/** The binding of each queue, used to put a job back and to read the queue's backlog. */
export const QUEUE_BINDINGS = {
  "postern-deliver": "DELIVER",
  "postern-dns-cleanup": "DNS_CLEANUP",
  "postern-webhook": "WEBHOOK",
} as const satisfies Readonly<Record<QueueName, string>>;
