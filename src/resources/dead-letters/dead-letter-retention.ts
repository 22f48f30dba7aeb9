// Deletes dead letters automatically: after 30 days, or when the job was done in the meantime, for
// example because the team's ledger released the delivery again.
import { sharedCore } from "../../db/core-shards.ts";
import type { Env } from "../../env.ts";
import { workOnAll } from "../../lib/gathered-faults.ts";
import { DEAD_LETTER_RETENTION_MS } from "../../limits.ts";
import { isDone } from "./failed-jobs.ts";
import type { QueueName } from "./job-queues.ts";
import { listStalestDeadLetters, removeDeadLetters, removeOldDeadLetters } from "./store.ts";

/** Maximum number of dead letters that a sweep checks. Each check calls a Durable Object. */
const CHECKS_PER_SWEEP = 200;
const CHECKS_AT_ONCE = 50;
/** Queues whose jobs a Durable Object queues again automatically. */
const OBJECT_QUEUES: readonly QueueName[] = ["postern-deliver", "postern-webhook"];

export async function sweepDeadLetters(env: Env, now: number): Promise<void> {
  await removeOldDeadLetters(sharedCore(env), now - DEAD_LETTER_RETENTION_MS);
  const letters = await listStalestDeadLetters(sharedCore(env), OBJECT_QUEUES, CHECKS_PER_SWEEP);
  const done: string[] = [];
  try {
    await workOnAll(letters, CHECKS_AT_ONCE, async ({ id, queue, body }) => {
      if (body !== null && (await isDone(env, queue as QueueName, JSON.parse(body)))) done.push(id);
    });
  } finally {
    await removeDeadLetters(sharedCore(env), done);
  }
}
