// Handles a failed queue job: retries it after a delay, or stores a dead letter after the last
// attempt. The job's consumer stores the dead letter, because it knows the error. If that fails,
// the platform moves the job to the dead-letter queue, and the consumer of that queue stores the
// dead letter.
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
 * The delay before the first retry, in seconds. With a longer delay, one job would block a team's
 * queue for too long. With a shorter delay, an outage of a few minutes would turn jobs into dead
 * letters.
 */
const JOB_RETRY_SECONDS = 5;
const RETRY_FACTOR = 3;

type QueueJob = Pick<Message, "id" | "body" | "attempts" | "timestamp" | "ack" | "retry">;
type KeptJob = Pick<Message, "id" | "body" | "timestamp">;

/**
 * Retries the job after a delay, or makes it a dead letter after its last attempt. Without
 * `delaySeconds`, the delays are 5, 15, 45 seconds and so on, each with up to 50 % of random extra
 * time.
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
 * jobs, `bodies` has the bodies of the failed jobs.
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
 * Stores the dead letter, unless the job was done in the meantime. `error` null: the error is
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
 * Returns whether the job was done in the meantime, because its Durable Object queued it again.
 * Returns false if the object does not answer.
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

/** Returns the body as JSON, or undefined if it cannot be serialized. */
function textOf(body: unknown): string | undefined {
  try {
    return JSON.stringify(body);
  } catch {
    return undefined;
  }
}
