// Serves GET /v1/events, a team's event history (contract.md §Pulled history).
import { type Endpoint, endpoint, listPage } from "../../endpoint.ts";
import { pullEvents } from "./pull-events.ts";
import { EventQuery, PulledEvent } from "./wire.ts";

export const eventEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/v1/events",
    summary: "The team's events, newest first",
    description:
      "Lists events from `start` up to `end`. By default these are the last 24 hours; the " +
      "window never reaches back beyond the team's retention. An event must match all given " +
      "filters. A filter that is present but empty matches nothing; only an empty `subject` " +
      "is refused. A `domain` that the team never sent from is a 400.",
    errors: [400],
    permission: "full",
    query: EventQuery,
    queryAliases: { type: "event_type" },
    responses: { 200: PulledEvent },
    paginated: true,
    async handle({ env, caller, query, page, now }) {
      const { events, next } = await pullEvents(env, caller.team, query, page, now);
      return listPage(events, next);
    },
  }),
];
