// Declares the JSON of a dead letter (docs/operating.md §Dead letters).
import * as z from "zod";
import type { JobBody } from "./job-body.ts";
import { QUEUE_ATTEMPTS } from "./job-queues.ts";
import type { DeadLetterRow } from "./store.ts";

const QueueNames = z.enum(Object.keys(QUEUE_ATTEMPTS) as [string, ...string[]]);

export const DeadLetterQuery = z.object({
  queue: QueueNames.optional().describe("Only dead letters of this queue."),
});

export const DeadLetter = z.object({
  id: z.string(),
  queue: QueueNames,
  body: z
    .record(z.string(), z.union([z.string(), z.int(), z.array(z.string())]))
    .nullable()
    .describe("The job's ids. Null for an unknown body, which cannot be put back."),
  error: z.string().nullable().describe("The last attempt's error, if known."),
  attempts: z.int().describe("Number of attempts in total."),
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
