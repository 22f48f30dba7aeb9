// Serves /admin/dead-letters: the jobs that failed their last attempt (docs/operating.md §Dead
// letters). Callers need the ADMIN_TOKEN.
import { coreFor } from "../../db/client.ts";
import { sharedCore } from "../../db/core-shards.ts";
import { type Endpoint, endpoint, json, listRows, type RowPosition } from "../../endpoint.ts";
import { refuseMember } from "../../refusal.ts";
import { QUEUE_BINDINGS, type QueueName } from "./job-queues.ts";
import { getDeadLetter, listDeadLetters, removeDeadLetter } from "./store.ts";
import { DeadLetter, DeadLetterQuery, toDeadLetter } from "./wire.ts";

/** The empty team id, because dead letters belong to the operator and not to a team. */
const NO_TEAM = "";

export const deadLetterEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/admin/dead-letters",
    summary: "List dead letters",
    description:
      "Jobs that a queue gave up after the last attempt. Only their ids are kept, for 30 days.",
    permission: "operator",
    query: DeadLetterQuery,
    paginated: true,
    responses: { 200: DeadLetter },
    async handle({ env, page, query }) {
      const list = async (limit: number, after: RowPosition | null) =>
        (await listDeadLetters(sharedCore(env), query.queue, limit, after)).map((row) => ({
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
      "The queue delivers the job again, and the dead letter is deleted. A delivery that was " +
      "done meanwhile is not repeated, because its team's ledger decides.",
    permission: "operator",
    errors: [422],
    audit: { store: "core", operation: "dead_letter.requeue" },
    responses: { 202: DeadLetter },
    async handle({ env, id, author }) {
      const row = await getDeadLetter(sharedCore(env), id);
      const binding = Object.hasOwn(QUEUE_BINDINGS, row.queue)
        ? QUEUE_BINDINGS[row.queue as QueueName]
        : undefined;
      if (row.body === null || !binding)
        throw refuseMember("body", "is not a job of its queue, so it cannot be queued again");
      await env[binding].send(JSON.parse(row.body), { contentType: "json" });
      await removeDeadLetter(coreFor(env, NO_TEAM, author), row.id);
      return json(202, toDeadLetter(row));
    },
  }),
  endpoint({
    method: "DELETE",
    path: "/admin/dead-letters/:id",
    summary: "Forget a dead letter",
    permission: "operator",
    audit: { store: "core", operation: "dead_letter.delete" },
    responses: { 204: null },
    async handle({ env, id, author }) {
      await removeDeadLetter(coreFor(env, NO_TEAM, author), id);
      return { status: 204 };
    },
  }),
];
