// What ends a dead letter without the operator: 30 days, or that its job was done after all, e.g. a
// delivery that the team's ledger offered again.
import type { Env } from "../../env.ts";
import { DEAD_LETTER_RETENTION_MS } from "../../limits.ts";
import { isDone } from "./give-up.ts";
import type { QueueName } from "./queue-names.ts";
import { listStalestDeadLetters, removeDeadLetters, removeOldDeadLetters } from "./store.ts";

/** Looked at in one go: each costs a call. */
const LOOKS = 200;
/** Queues whose jobs an object offers again by itself. */
const OF_OBJECTS: readonly QueueName[] = ["postern-deliver", "postern-webhook"];

export async function sweepDeadLetters(env: Env, now: number): Promise<void> {
  await removeOldDeadLetters(env.DB, now - DEAD_LETTER_RETENTION_MS);
  const letters = await listStalestDeadLetters(env.DB, OF_OBJECTS, LOOKS);
  const done = await Promise.all(
    letters.map(
      async ({ queue, body }) => body !== null && isDone(env, queue as QueueName, JSON.parse(body)),
    ),
  );
  await removeDeadLetters(
    env.DB,
    letters.filter((_, index) => done[index]).map(({ id }) => id),
  );
}
