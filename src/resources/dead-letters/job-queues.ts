// Lists the queues whose jobs can become dead letters, by their names in wrangler.toml. Metrics and
// the API show these names. A second deployment in the same account needs other queue names, so the
// worker recognises a queue by the end of its name. test/node/queues.test.ts compares this list
// with wrangler.toml. Pure.

/** Number of attempts that each queue makes for a job: its `max_retries`, plus the first one. */
export const QUEUE_ATTEMPTS = {
  "postern-deliver": 6,
  "postern-dns-cleanup": 21,
  "postern-webhook": 4,
} as const;

export type QueueName = keyof typeof QUEUE_ATTEMPTS;

/** The queue of the Email Service's events. Its messages never become dead letters. */
export const EVENTS_QUEUE = "postern-email-events";

/** The deployment's name in wrangler.toml, with which the queue names begin. */
const DEPLOYMENT = "postern";
/** Suffix of the queue to which the platform moves jobs after their last attempt. */
const DEAD = "-dead";

/**
 * Returns the queue whose dead letters are in queue `name`, or undefined if `name` is not a
 * dead-letter queue.
 */
export function queueOfDead(name: string): QueueName | undefined {
  const queue = name.endsWith(DEAD) ? queueNamed(name.slice(0, -DEAD.length)) : undefined;
  return queue === EVENTS_QUEUE ? undefined : queue;
}

/** Returns the queue that is called `name` in this account: `shop-deliver` is postern-deliver. */
export function queueNamed(name: string): QueueName | typeof EVENTS_QUEUE | undefined {
  const queues = [...(Object.keys(QUEUE_ATTEMPTS) as QueueName[]), EVENTS_QUEUE] as const;
  return queues.find((queue) => {
    const end = endOf(queue);
    return name.endsWith(end) && name.length > end.length;
  });
}

/** Returns the name of the events queue in the deployment that has the queue `name`. */
export function eventsQueueBeside(name: string): string {
  const queue = queueNamed(name);
  const deployment = queue === undefined ? DEPLOYMENT : name.slice(0, -endOf(queue).length);
  return `${deployment}${endOf(EVENTS_QUEUE)}`;
}

function endOf(queue: string): string {
  return queue.slice(DEPLOYMENT.length);
}

/** The binding of each queue. The worker uses it to queue a job again, and to read the backlog. */
export const QUEUE_BINDINGS = {
  "postern-deliver": "DELIVER",
  "postern-dns-cleanup": "DNS_CLEANUP",
  "postern-webhook": "WEBHOOK",
} as const satisfies Readonly<Record<QueueName, string>>;
