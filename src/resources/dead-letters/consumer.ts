// The consumer of every dead-letter queue: jobs that the platform took from their own queue after
// the last attempt. Nothing is behind this one, so a job that can't be recorded is tried for days.
import type { Env } from "../../env.ts";
import { logError } from "../../lib/log.ts";
import { bodiesOf } from "./job-body.ts";
import { keep } from "./give-up.ts";
import { QUEUE_ATTEMPTS, type QueueName, queueOfDead } from "./queue-names.ts";

const FIRST_RETRY_SECONDS = 30;
const LONGEST_RETRY_SECONDS = 3_600;

/** Whether the batch came from a dead-letter queue. */
export function holdsDeadLetters(batch: MessageBatch): boolean {
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
      await keep(env, queue, { id, timestamp, body }, QUEUE_ATTEMPTS[queue], null);
    message.ack();
  } catch (error) {
    logError("dead_letter_not_kept", error, { queue });
    message.retry({
      delaySeconds: Math.min(
        FIRST_RETRY_SECONDS * 2 ** (message.attempts - 1),
        LONGEST_RETRY_SECONDS,
      ),
    });
  }
}
