// The worker's entry point, and the table of contents of src. It passes requests to api/, queued
// jobs to their consumers, incoming mail to the postmaster and to feedback, and cron triggers to
// the sweep.
import { app } from "./api/app.ts";
import type { Env } from "./env.ts";
import { flushSoon } from "./metrics/isolate-counts.ts";
import { consumeDeliverJobs } from "./mail/deliver/consumer.ts";
import { consumeEmailServiceEvents } from "./mail/deliver/email-service/consumer.ts";
import { forwardEmail } from "./mail/deliver/postmaster.ts";
import { receiveEmail } from "./mail/feedback/email.ts";
import { roleOf } from "./mail/feedback/mailboxes.ts";
import { receiveSimulatedReply } from "./mail/feedback/replies/receive-reply.ts";
import { consumeDeadLetters, isFromDeadLetterQueue } from "./resources/dead-letters/consumer.ts";
import { EVENTS_QUEUE, queueNamed } from "./resources/dead-letters/job-queues.ts";
import { consumeDnsCleanup } from "./resources/domains/cleanup-consumer.ts";
import { consumeWebhookJobs } from "./resources/webhooks/consumer.ts";
import { settingsOf } from "./settings.ts";
import { ALARM_CHECK, restoreLedgerAlarms, sweep } from "./sweep.ts";

export { AuthFailures } from "./api/auth-failures.ts";
export { TeamLedger } from "./ledger/team-ledger.ts";
export { Metrics } from "./resources/metrics/metrics.ts";
export { RequestLog } from "./resources/requests/request-log.ts";
export { Visits } from "./mail/feedback/visit-filter.ts";
export { SuppressionImports } from "./resources/suppressions/suppression-imports.ts";
export { WebhookOutbox } from "./resources/webhooks/outbox/webhook-outbox.ts";
export { WebhookReplay } from "./resources/webhooks/replay/webhook-replay.ts";

export default {
  fetch: app.fetch,
  async queue(batch, env, ctx) {
    if (isFromDeadLetterQueue(batch)) await consumeDeadLetters(batch, env);
    else await consume(batch, env, ctx);
    flushSoon(env, ctx);
  },
  async email(message, env, ctx) {
    const isPostmasters = roleOf(message.to, settingsOf(env).serviceDomain) === "postmaster";
    await (isPostmasters ? forwardEmail : receiveEmail)(message, env, Date.now());
    flushSoon(env, ctx);
  },
  async scheduled(controller, env) {
    await (controller.cron === ALARM_CHECK ? restoreLedgerAlarms : sweep)(
      env,
      controller.scheduledTime,
    );
  },
} satisfies ExportedHandler<Env>;

function consume(batch: MessageBatch, env: Env, ctx: ExecutionContext): Promise<void> {
  switch (queueNamed(batch.queue)) {
    case "postern-deliver":
      return consumeDeliverJobs(
        batch,
        env,
        (work) => ctx.waitUntil(work),
        (answer) => receiveSimulatedReply(env, answer, Date.now()),
      );
    case EVENTS_QUEUE:
      return consumeEmailServiceEvents(batch, env);
    case "postern-dns-cleanup":
      return consumeDnsCleanup(batch, env);
    case "postern-webhook":
      return consumeWebhookJobs(batch, env);
    case undefined:
      throw new Error(`no consumer for the queue ${batch.queue}`);
  }
}
