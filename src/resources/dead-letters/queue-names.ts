// The queues whose jobs can become dead letters, by the names that wrangler.toml gives them;
// test/node/queues.test.ts holds the two against each other.

/** How often each offers a job: its `max_retries`, and the first time. */
export const QUEUE_ATTEMPTS = {
  "postern-deliver": 6,
  "postern-dns-cleanup": 21,
  "postern-webhook": 4,
} as const;

export type QueueName = keyof typeof QUEUE_ATTEMPTS;

/** To its queue of this ending the platform moves what a queue's consumer died over. */
const DEAD = "-dead";

/** The queue whose dead letters `name` holds; undefined: it is none that holds dead letters. */
export function queueOfDead(name: string): QueueName | undefined {
  const queue = name.endsWith(DEAD) ? name.slice(0, -DEAD.length) : "";
  return Object.hasOwn(QUEUE_ATTEMPTS, queue) ? (queue as QueueName) : undefined;
}
