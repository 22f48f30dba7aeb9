// The entry, and the table of contents: requests go to api/, queues to their consumers, the hourly tick to the sweeps, Durable Objects to their rooms.
import { app } from "./api/app.ts";
import type { Env } from "./env.ts";
import { consumeDeliverJobs } from "./mail/deliver/consumer.ts";
import { receiveEmail } from "./mail/feedback/email.ts";
import type { DeliverJob } from "./mail/message.ts";
import { consumeDnsCleanup } from "./resources/domains/cleanup-consumer.ts";
import type { DnsCleanupJob } from "./resources/domains/publisher.ts";
import { sweep } from "./sweep.ts";

export { AuthFailures } from "./api/auth-failures.ts";
export { TeamLedger } from "./ledger/team-ledger.ts";
export { Visits } from "./mail/feedback/visits.ts";

export default {
  fetch: app.fetch,
  async queue(batch, env, ctx) {
    switch (batch.queue) {
      case "postern-deliver":
        return consumeDeliverJobs(batch as MessageBatch<DeliverJob>, env, ctx);
      case "postern-dns-cleanup":
        return consumeDnsCleanup(batch as MessageBatch<DnsCleanupJob>, env);
      default:
        throw new Error(`no consumer for the queue ${batch.queue}`);
    }
  },
  async email(message, env) {
    await receiveEmail(message, env, Date.now());
  },
  async scheduled(controller, env) {
    await sweep(env, controller.scheduledTime);
  },
} satisfies ExportedHandler<Env>;
