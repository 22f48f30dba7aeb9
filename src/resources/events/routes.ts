// GET /v1/events (spec.md "Pulled event history").
import { coreFor, historyFor } from "../../db/client.ts";
import { type Endpoint, endpoint, listPage } from "../../endpoint.ts";
import { pullEvents } from "./pull.ts";
import { EventQuery, PulledEvent } from "./wire.ts";

export const eventEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/v1/events",
    summary: "The team's events, newest first",
    permission: "full",
    query: EventQuery,
    responses: { 200: PulledEvent },
    paginated: true,
    async handle({ env, caller, query, page, now }) {
      const { events, next } = await pullEvents(coreFor(env, caller.team.id), historyFor(env, caller.team), query, page, now);
      return listPage(events, next);
    },
  }),
];
