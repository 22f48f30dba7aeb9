// Consumes the WEBHOOK queue: wakes the outboxes that its jobs name. Outboxes send these jobs
// themselves, for retries that are due and for what exceeds one invocation's share. An outbox
// answers as soon as it has begun, so a receiver that hangs delays no other webhook's deliveries. A
// lost job is sent again by the outbox's alarm.
import type { Env } from "../../env.ts";
import { logError } from "../../lib/log.ts";
import { giveUp, retryOrGiveUp } from "../dead-letters/failed-jobs.ts";
import type { WebhookJob } from "../../rpc/queue-jobs.ts";

const QUEUE = "postern-webhook";
const RETRY_SECONDS = 5;
const ID = /^[\w-]{1,100}$/;

export async function consumeWebhookJobs(batch: MessageBatch, env: Env): Promise<void> {
  const byWebhook = Map.groupBy(batch.messages, ({ body }) => webhookIdOf(body));
  await Promise.all([...byWebhook].map(([webhookId, messages]) => wake(env, webhookId, messages)));
}

/** Wakes one outbox. `webhookId` undefined: the bodies are not jobs, and never will be. */
async function wake(
  env: Env,
  webhookId: string | undefined,
  messages: readonly Message[],
): Promise<void> {
  try {
    if (webhookId === undefined) {
      await Promise.all(
        messages.map((message) => giveUp(env, QUEUE, message, "the body is not a job")),
      );
      return;
    }
    await env.WEBHOOK_OUTBOX.getByName(webhookId).deliver();
    for (const message of messages) message.ack();
  } catch (error) {
    logError("webhook_wake_failed", error, { webhook_id: webhookId, jobs: messages.length });
    await Promise.all(
      messages.map((message) => retryOrGiveUp(env, QUEUE, message, error, RETRY_SECONDS)),
    );
  }
}

function webhookIdOf(body: unknown): string | undefined {
  const { webhookId } = (body ?? {}) as Partial<WebhookJob>;
  return typeof webhookId === "string" && ID.test(webhookId) ? webhookId : undefined;
}
