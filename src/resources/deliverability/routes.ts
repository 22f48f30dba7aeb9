// Serves GET /v1/deliverability: what providers did with the mail, and what is wrong (contract.md
// §Deliverability). The operator reads the same of any team.
import { type Endpoint, endpoint, json } from "../../endpoint.ts";
import { getTeam, toCallerTeam } from "../team-settings/store.ts";
import { reportOnTeam } from "./team-report.ts";
import { Deliverability, DeliverabilityQuery } from "./wire.ts";

export const deliverabilityEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/v1/deliverability",
    summary: "The fate of the mail by provider, and findings",
    description:
      "Each mailbox provider's figures from `start` up to `end`, and in the window before: how much " +
      "mail it took, put off and refused, how soon it took it, its most frequent refusals; and " +
      "findings, each with its evidence and what can be done. The window is the last 24 hours where it is " +
      "left out, never further back than the team's retention, rounded out to whole hours. Mail " +
      "to the simulator's addresses counts in none of it.",
    operationId: "getDeliverability",
    permission: "full",
    query: DeliverabilityQuery,
    responses: { 200: Deliverability },
    async handle({ env, caller: { team }, query, now }) {
      return json(200, await reportOnTeam(env, team, query, now));
    },
  }),
  endpoint({
    method: "GET",
    path: "/admin/teams/:id/deliverability",
    summary: "Get a team's mail by provider, and findings",
    description: "The same answer as the team's own `GET /v1/deliverability`.",
    permission: "operator",
    query: DeliverabilityQuery,
    responses: { 200: Deliverability },
    errors: [502],
    async handle({ env, id, query, now }) {
      const team = toCallerTeam(await getTeam(env.DB, id));
      return json(200, await reportOnTeam(env, team, query, now));
    },
  }),
];
