// Consumes all dead-letter queues, to which the platform moves jobs after their last attempt. A
// dead-letter queue has no dead-letter queue itself, so a job that is given up here is lost. If the
// consumer cannot record a job, it retries for days.
import { retryDelaySeconds } from "../../retry-delay.ts";
import type { Env } from "../../env.ts";
import { logError } from "../../lib/log.ts";
import { bodiesOf } from "./job-body.ts";
import { storeFailedJob } from "./failed-jobs.ts";
import { QUEUE_ATTEMPTS, type QueueName, queueOfDead } from "./job-queues.ts";

/** The delays before the next attempt to store a dead letter, after the database failed. */
const RECORD_WAITS = { firstSeconds: 30, longestSeconds: 3_600 };

export function isFromDeadLetterQueue(batch: MessageBatch): boolean {
  return queueOfDead(batch.queue) !== undefined;
}

export async function consumeDeadLetters(batch: MessageBatch, env: Env): Promise<void> {
  const queue = queueOfDead(batch.queue);
  if (!queue) throw new Error(`${batch.queue} holds no dead letters`);
  await Promise.all(batch.messages.map((message) => consume(message, queue, env)));
}

async function consume(message: Message, queue: QueueName, env: Env): Promise<void> {
  try {
    const { id, timestamp } = message;
    for (const body of bodiesOf(queue, message.body))
      await storeFailedJob(env, queue, { id, timestamp, body }, QUEUE_ATTEMPTS[queue], null);
    message.ack();
  } catch (error) {
    logError("dead_letter_not_kept", error, { queue });
    message.retry({ delaySeconds: retryDelaySeconds(RECORD_WAITS, message.attempts) });
  }
}
