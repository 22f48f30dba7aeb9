// How a consumer gives up a job: not before its last attempt, and never without a trace. The
// consumer writes the row itself while it still knows the error; where that fails, or the consumer
// died over the job, the platform moves it to the queue's dead-letter queue, and its consumer
// writes the row.
import type { Env } from "../../env.ts";
import { formatUuid } from "../../lib/ids.ts";
import { logError, logInfo, logWarning, safeMessage } from "../../lib/log.ts";
import { count } from "../../metrics/isolate-counts.ts";
import { idsOf } from "./job-body.ts";
import { QUEUE_ATTEMPTS, type QueueName } from "./queue-names.ts";
import { keepDeadLetter } from "./store.ts";

const ERROR_CHARACTERS = 300;
/**
 * Too long, and a team's queue stands still over one job; too short, and an outage of some minutes
 * makes dead letters.
 */
const FIRST_RETRY_SECONDS = 5;
const RETRY_FACTOR = 3;

type Job = Pick<Message, "id" | "body" | "attempts" | "timestamp" | "ack" | "retry">;
type Kept = Pick<Message, "id" | "body" | "timestamp">;

/**
 * Has the queue offer the job again after a while, or, when that was its last attempt, buries it.
 * `delaySeconds`: in place of 5, 15, 45 and so on.
 */
export async function retryOrGiveUp(
  env: Env,
  queue: QueueName,
  job: Job,
  error: unknown,
  delaySeconds?: number,
): Promise<void> {
  if (job.attempts >= QUEUE_ATTEMPTS[queue]) return giveUp(env, queue, job, error);
  job.retry({
    delaySeconds: delaySeconds ?? FIRST_RETRY_SECONDS * RETRY_FACTOR ** (job.attempts - 1),
  });
}

/**
 * Makes the job a dead letter now: no further attempt would end otherwise. `bodies`: of a message
 * with several jobs, those that failed.
 */
export async function giveUp(
  env: Env,
  queue: QueueName,
  job: Job,
  error: unknown,
  bodies: readonly unknown[] = [job.body],
): Promise<void> {
  const { id, timestamp, attempts } = job;
  try {
    for (const body of bodies)
      await keep(
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

/** Writes the row, unless the job has been done meanwhile. `error` null: not known. */
export async function keep(
  env: Env,
  queue: QueueName,
  job: Kept,
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
  await keepDeadLetter(env.DB, {
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
 * Objects offer their own work again, so that it may have been done by another way. One that does
 * not answer leaves the question open.
 */
export async function isDone(env: Env, queue: QueueName, body: unknown): Promise<boolean> {
  const { teamId, emailId, webhookId } = idsOf(queue, body) ?? {};
  try {
    if (queue === "postern-deliver" && typeof teamId === "string" && typeof emailId === "string")
      return (await env.TEAM_LEDGER.getByName(teamId).find(emailId)).open === null;
    if (queue === "postern-webhook" && typeof webhookId === "string")
      return (await env.WEBHOOK_OUTBOX.getByName(webhookId).waiting()) === 0;
  } catch {
    return false;
  }
  return false;
}

async function idOf(queue: QueueName, { id, body }: Kept): Promise<string> {
  const job = new TextEncoder().encode(`${queue}\n${textOf(body) ?? id}`);
  return `dead_${formatUuid(new Uint8Array(await crypto.subtle.digest("SHA-256", job)))}`;
}

/** Undefined for what JSON does not know. */
function textOf(body: unknown): string | undefined {
  try {
    return JSON.stringify(body);
  } catch {
    return undefined;
  }
}
