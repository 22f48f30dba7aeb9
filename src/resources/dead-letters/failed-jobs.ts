// Decides what becomes of a queue job that failed: a retry after a delay, or a dead letter after
// the last attempt. The consumer writes the dead letter while it knows the error. If that fails, or
// the consumer dies, the platform moves the job to the dead-letter queue, and the consumer of that
// queue writes it.
import { sharedCore } from "../../db/core-shards.ts";
import type { Env } from "../../env.ts";
import { formatUuid } from "../../lib/ids.ts";
import { logError, logInfo, logWarning, safeMessage } from "../../lib/log.ts";
import { count } from "../../metrics/isolate-counts.ts";
import { idsOf } from "./job-body.ts";
import { QUEUE_ATTEMPTS, type QueueName } from "./job-queues.ts";
import { insertDeadLetter } from "./store.ts";
import { objectOf } from "../../object-of.ts";
import { spreadDelay } from "../../retry-delay.ts";

const ERROR_CHARACTERS = 300;
/**
 * The wait before the first retry, in seconds. A longer wait would let one job block a team's queue
 * for long. With a shorter wait, an outage of only minutes would turn jobs into dead letters.
 */
const JOB_RETRY_SECONDS = 5;
const RETRY_FACTOR = 3;

type QueueJob = Pick<Message, "id" | "body" | "attempts" | "timestamp" | "ack" | "retry">;
type KeptJob = Pick<Message, "id" | "body" | "timestamp">;

/**
 * Retries the job after a delay, or gives it up after its last attempt. Without `delaySeconds`, the
 * delays are 5, 15, 45 seconds and so on, and up to half as much again.
 */
export async function retryOrGiveUp(
  env: Env,
  queue: QueueName,
  job: QueueJob,
  error: unknown,
  delaySeconds?: number,
): Promise<void> {
  if (job.attempts >= QUEUE_ATTEMPTS[queue]) return giveUp(env, queue, job, error);
  const least = JOB_RETRY_SECONDS * RETRY_FACTOR ** (job.attempts - 1);
  job.retry({ delaySeconds: delaySeconds ?? spreadDelay(least, Math.random()) });
}

/**
 * Makes the job a dead letter now, because a retry would fail too. If the queue message has several
 * jobs, `bodies` has the failed ones.
 */
export async function giveUp(
  env: Env,
  queue: QueueName,
  job: QueueJob,
  error: unknown,
  bodies: readonly unknown[] = [job.body],
): Promise<void> {
  const { id, timestamp, attempts } = job;
  try {
    for (const body of bodies)
      await storeFailedJob(
        env,
        queue,
        { id, timestamp, body },
        attempts,
        safeMessage(error).slice(0, ERROR_CHARACTERS),
      );
    job.ack();
  } catch (fault) {
    logError("dead_letter_not_kept", fault, { queue });
    job.retry();
  }
}

/**
 * Writes the dead letter, unless the job was done in the meantime. `error` is null if the error is
 * unknown.
 */
export async function storeFailedJob(
  env: Env,
  queue: QueueName,
  job: KeptJob,
  attempts: number,
  error: string | null,
): Promise<void> {
  const body = idsOf(queue, job.body);
  const id = await idOf(queue, job);
  const fields = {
    id,
    queue,
    ...(typeof body?.["emailId"] === "string" ? { email_id: body["emailId"] } : {}),
  };
  if (await isDone(env, queue, job.body)) return logInfo("dead_letter_done_meanwhile", fields);
  const at = Date.now();
  const text = body && JSON.stringify(body);
  await insertDeadLetter(sharedCore(env), {
    id,
    queue,
    body: text,
    error,
    attempts,
    firstAt: Math.min(at, job.timestamp.getTime()),
    lastAt: at,
  });
  count("postern_dead_lettered_total", { queue });
  logWarning("dead_letter", { ...fields, attempts, error });
}

/**
 * Tells whether the job was done meanwhile, because its Durable Object offered it to the queue
 * again. Returns false when the object does not answer.
 */
export async function isDone(env: Env, queue: QueueName, body: unknown): Promise<boolean> {
  const { teamId, emailId, webhookId } = idsOf(queue, body) ?? {};
  try {
    if (queue === "postern-deliver" && typeof teamId === "string" && typeof emailId === "string")
      return (await objectOf(env, "TEAM_LEDGER", teamId).find(emailId)).open === null;
    if (queue === "postern-webhook" && typeof webhookId === "string")
      return (await objectOf(env, "WEBHOOK_OUTBOX", webhookId).waiting()) === 0;
  } catch {
    return false;
  }
  return false;
}

async function idOf(queue: QueueName, { id, body }: KeptJob): Promise<string> {
  const job = new TextEncoder().encode(`${queue}\n${textOf(body) ?? id}`);
  return `dead_${formatUuid(new Uint8Array(await crypto.subtle.digest("SHA-256", job)))}`;
}

/** Serializes a body, or returns undefined when JSON cannot. */
function textOf(body: unknown): string | undefined {
  try {
    return JSON.stringify(body);
  } catch {
    return undefined;
  }
}
