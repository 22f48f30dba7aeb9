// The shape of a dead letter (docs/operating.md §Dead letters).
import * as z from "zod";
import type { JobBody } from "./job-body.ts";
import { QUEUE_ATTEMPTS } from "./queue-names.ts";
import type { DeadLetterRow } from "./store.ts";

const QueueNames = z.enum(Object.keys(QUEUE_ATTEMPTS) as [string, ...string[]]);

export const DeadLetterQuery = z.object({
  queue: QueueNames.optional().describe("Only what this queue gave up."),
});

export const DeadLetter = z.object({
  id: z.string(),
  queue: QueueNames,
  body: z
    .record(z.string(), z.union([z.string(), z.int(), z.array(z.string())]))
    .nullable()
    .describe("The job: ids alone. Null for what was no job of that queue: it can't be put back."),
  error: z.string().nullable().describe("What the last attempt met, where it could still say so."),
  attempts: z.int().describe("How often the queue offered it, all times together."),
  first_failed_at: z.iso.datetime(),
  last_failed_at: z.iso.datetime(),
});

export function toDeadLetter(row: DeadLetterRow): z.output<typeof DeadLetter> {
  return {
    id: row.id,
    queue: row.queue,
    body: bodyOf(row),
    error: row.error,
    attempts: row.attempts,
    first_failed_at: new Date(row.firstAt).toISOString(),
    last_failed_at: new Date(row.lastAt).toISOString(),
  };
}

function bodyOf({ body }: DeadLetterRow) {
  return body === null
    ? null
    : (JSON.parse(body) as Record<keyof JobBody, string | number | string[]>);
}
