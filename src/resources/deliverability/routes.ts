// Serves GET /v1/deliverability: the outcomes of the mail at each provider, and the findings
// (contract.md §Deliverability). The operator can read the report of any team.
import { type Endpoint, endpoint, json } from "../../endpoint.ts";
import { getTeam, toCallerTeam } from "../team-settings/store.ts";
import { assessTeam } from "./assess-team.ts";
import { Deliverability, DeliverabilityQuery } from "./wire.ts";

export const deliverabilityEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/v1/deliverability",
    summary: "The outcomes of the team's mail by provider",
    description:
      "Reports each mailbox provider's figures from `start` up to `end`, and in the " +
      "preceding window: how much mail it accepted, deferred and refused, how soon it accepted " +
      "mail, and its most frequent refusals. Each finding comes with its evidence and advice. By " +
      "default the window is the last 24 hours. It never reaches back beyond the team's " +
      "retention, and is rounded out to whole hours. Mail to the simulator's addresses is not " +
      "counted.",
    operationId: "getDeliverability",
    permission: "full",
    query: DeliverabilityQuery,
    responses: { 200: Deliverability },
    async handle({ env, caller: { team }, query, now }) {
      return json(200, await assessTeam(env, team, query, now));
    },
  }),
  endpoint({
    method: "GET",
    path: "/admin/teams/:id/deliverability",
    summary: "Get a team's mail by provider, and findings",
    description: "Returns the same as the team's own `GET /v1/deliverability`.",
    permission: "operator",
    query: DeliverabilityQuery,
    responses: { 200: Deliverability },
    async handle({ env, id, query, now }) {
      const team = toCallerTeam(await getTeam(env, id));
      return json(200, await assessTeam(env, team, query, now));
    },
  }),
];
