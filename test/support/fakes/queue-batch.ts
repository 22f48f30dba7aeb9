// Hands a batch to a queue's consumer without a queue, and returns what the consumer acknowledged.
import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";

/**
 * Consumes messages with these bodies and the ids m0, m1 and so on. `attempts`: how often the queue
 * delivered each message. Returns the ids of the messages that are done, and of those to be
 * delivered again.
 */
export async function consumeBatch(
  queue: string,
  bodies: readonly unknown[],
  consume: (batch: MessageBatch, waitUntil: (work: Promise<unknown>) => void) => Promise<void>,
  attempts = 1,
): Promise<{ readonly acked: readonly string[]; readonly retried: readonly string[] }> {
  const messages = bodies.map((body, index) => ({
    id: `m${index}`,
    timestamp: new Date(),
    attempts,
    body,
  }));
  const batch = createMessageBatch(queue, messages);
  const later: Promise<unknown>[] = [];
  await consume(batch, (work) => void later.push(work));
  await Promise.all(later);
  const { explicitAcks, retryMessages } = await getQueueResult(batch, createExecutionContext());
  return {
    acked: explicitAcks.toSorted(),
    retried: retryMessages.map(({ msgId }) => msgId).toSorted(),
  };
}
