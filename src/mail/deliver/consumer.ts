// The `deliver` queue's consumer: groups a batch by team and has each team's share delivered. A share that faults is tried again by the queue, and
// beyond that by the ledger's alarm: the queue only carries work (design.md section 1). No job holds up another: what is no job is buried at once, and
// a job that faulted before goes alone.
import { type Env, settingsOf } from "../../env.ts";
import { logError } from "../../lib/log.ts";
import { bury, retryOrBury } from "../../resources/dead-letters/bury.ts";
import type { DeliverJob } from "../message.ts";
import { Couriers } from "./couriers.ts";
import { deliverJobs } from "./deliver.ts";

const QUEUE = "postern-deliver";
const ID = /^[\w-]{1,100}$/;

type Job = Message<DeliverJob>;

export async function consumeDeliverJobs(batch: MessageBatch, env: Env, ctx: ExecutionContext): Promise<void> {
  // Recording goes on while the next batch is on its way; where it fails, the ledger offers it again.
  const defer = (work: Promise<void>) => ctx.waitUntil(work.catch((error: unknown) => logError("record_failed", error)));
  const couriers = new Couriers(env, settingsOf(env));
  const jobs = batch.messages.filter(isJob);
  const shares = Map.groupBy(jobs, ({ id, body, attempts }) => (attempts > 1 ? `${body.teamId} ${id}` : body.teamId));
  await Promise.all([
    ...batch.messages.filter((message) => !isJob(message)).map((message) => bury(env, QUEUE, message, "the body is no job")),
    ...[...shares.values()].map((share) => deliverShare(env, share, couriers, defer)),
  ]);
}

async function deliverShare(env: Env, share: readonly Job[], couriers: Couriers, defer: (work: Promise<void>) => void): Promise<void> {
  const teamId = share[0]?.body.teamId ?? "";
  try {
    await deliverJobs(
      env,
      teamId,
      share.map(({ body }) => body),
      couriers,
      defer,
    );
    for (const job of share) job.ack();
  } catch (error) {
    logError("deliver_failed", error, { team_id: teamId, email_ids: [...new Set(share.map(({ body }) => body.emailId))] });
    await Promise.all(share.map((job) => retryOrBury(env, QUEUE, job, error)));
  }
}

function isJob(message: Message): message is Job {
  const body = message.body as Partial<DeliverJob> | null | undefined;
  return isId(body?.teamId) && isId(body?.emailId) && Number.isInteger(body?.recipientIndex);
}

function isId(value: unknown): boolean {
  return typeof value === "string" && ID.test(value);
}
