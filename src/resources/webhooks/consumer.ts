// Consumes the WEBHOOK queue: calls the outboxes that the jobs name. Outboxes send these jobs to
// themselves, for due retries and for work that exceeds one invocation. The call returns as soon as
// the outbox has begun to post, so an endpoint that hangs does not delay other webhooks. If a job
// is lost, the outbox's alarm sends a new job.
import type { Env } from "../../env.ts";
import { logError } from "../../lib/log.ts";
import { giveUp, retryOrGiveUp } from "../dead-letters/failed-jobs.ts";
import type { WebhookJob } from "../../rpc/queue-jobs.ts";
import { objectOf } from "../../object-of.ts";

const QUEUE = "postern-webhook";
const RETRY_SECONDS = 5;
const ID = /^[\w-]{1,100}$/;

export async function consumeWebhookJobs(batch: MessageBatch, env: Env): Promise<void> {
  const byWebhook = Map.groupBy(batch.messages, ({ body }) => webhookIdOf(body));
  await Promise.all([...byWebhook].map(([webhookId, messages]) => wake(env, webhookId, messages)));
}

/** Calls one outbox. `webhookId` undefined: the bodies are not valid, so they are not retried. */
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
    await objectOf(env, "WEBHOOK_OUTBOX", webhookId).deliver();
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
