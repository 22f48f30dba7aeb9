// The `deliver` queue's consumer: groups a batch by team and has each team's share delivered. A share that faults is tried again by the queue, and
// beyond that by the ledger's alarm: the queue only carries work (design.md section 1).
import type { Env } from "../../env.ts";
import { logError } from "../../lib/log.ts";
import type { DeliverJob } from "../message.ts";
import { deliverJobs } from "./deliver.ts";

const RETRY_SECONDS = 5;

export async function consumeDeliverJobs(batch: MessageBatch<DeliverJob>, env: Env, ctx: ExecutionContext): Promise<void> {
  // Recording goes on while the next batch is on its way; where it fails, the ledger offers it again.
  const defer = (work: Promise<void>) => ctx.waitUntil(work.catch((error: unknown) => logError("record_failed", error)));
  const byTeam = Map.groupBy(batch.messages, ({ body }) => body.teamId);
  await Promise.all(
    [...byTeam].map(async ([teamId, messages]) => {
      try {
        await deliverJobs(
          env,
          teamId,
          messages.map(({ body }) => body),
          defer,
        );
        for (const message of messages) message.ack();
      } catch (error) {
        logError("deliver_failed", error, { team_id: teamId, jobs: messages.length });
        for (const message of messages) message.retry({ delaySeconds: RETRY_SECONDS });
      }
    }),
  );
}
