// /admin/dead-letters (docs/operating.md §Dead letters): the jobs that a queue gave up, by
// ADMIN_TOKEN.
import { type Endpoint, endpoint, json, listRows, type RowPosition } from "../../endpoint.ts";
import { refuse } from "../../refusal.ts";
import type { QueueName } from "./queue-names.ts";
import { QUEUES } from "./queues.ts";
import { getDeadLetter, listDeadLetters, removeDeadLetter } from "./store.ts";
import { DeadLetter, DeadLetterQuery, toDeadLetter } from "./wire.ts";

export const deadLetterEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/admin/dead-letters",
    summary: "List dead letters",
    description: "Jobs that a queue gave up after its last attempt: ids alone. Kept for 30 days.",
    permission: "operator",
    query: DeadLetterQuery,
    paginated: true,
    responses: { 200: DeadLetter },
    async handle({ env, page, query }) {
      const list = async (limit: number, after: RowPosition | null) =>
        (await listDeadLetters(env.DB, query.queue, limit, after)).map((row) => ({
          ...row,
          createdAt: row.firstAt,
        }));
      return listRows(page, list, toDeadLetter);
    },
  }),
  endpoint({
    method: "POST",
    path: "/admin/dead-letters/:id/requeue",
    summary: "Put a dead letter back onto its queue",
    description:
      "The job is offered again and the dead letter is gone. A delivery that was done meanwhile is not done twice: its team's ledger decides, the job only names it.",
    permission: "operator",
    errors: [422],
    responses: { 202: DeadLetter },
    async handle({ env, params }) {
      const row = await getDeadLetter(env.DB, params.id ?? "");
      const queueOf = Object.hasOwn(QUEUES, row.queue) ? QUEUES[row.queue as QueueName] : undefined;
      if (row.body === null || !queueOf)
        throw refuse("invalid", { errors: { body: ["is no job that its queue knows"] } });
      await queueOf(env).send(JSON.parse(row.body), { contentType: "json" });
      await removeDeadLetter(env.DB, row.id);
      return json(202, toDeadLetter(row));
    },
  }),
  endpoint({
    method: "DELETE",
    path: "/admin/dead-letters/:id",
    summary: "Forget a dead letter",
    permission: "operator",
    responses: { 204: null },
    async handle({ env, params }) {
      await removeDeadLetter(env.DB, params.id ?? "");
      return { status: 204 };
    },
  }),
];
