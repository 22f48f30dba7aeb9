// Serves GET /v1/usage: the team's quotas, label caps and open recipients, as its ledger counts
// them now (contract.md §Usage). The operator can read the usage of any team.
import { type Endpoint, endpoint, json, type Team } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import { getTeam, toCallerTeam } from "../team-settings/store.ts";
import { TeamUsage, toUsage } from "./wire.ts";
import { reachLedger } from "../team-settings/reach-ledger.ts";

export const usageEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/v1/usage",
    summary: "The team's quotas, caps and waiting mail now",
    description:
      "The counts are exact: they include every send that was answered. `daily` and `monthly` " +
      "count messages, one for each recipient. `labels` counts the distinct labels in each " +
      "cap's rolling window. A 429 names the quota or cap that is used up. `delivery` counts " +
      "the recipients that have no final outcome yet; its rate never refuses a send.",
    permission: "full",
    responses: { 200: TeamUsage },
    async handle({ env, caller: { team }, now }) {
      return json(200, await readUsage(env, team, now));
    },
  }),
  endpoint({
    method: "GET",
    path: "/admin/teams/:id/usage",
    summary: "Get a team's quotas, caps and waiting mail now",
    description: "Returns the same as the team's own `GET /v1/usage`.",
    permission: "operator",
    responses: { 200: TeamUsage },
    async handle({ env, id, now }) {
      return json(200, await readUsage(env, toCallerTeam(await getTeam(env, id)), now));
    },
  }),
];

async function readUsage(env: Env, team: Team, now: number) {
  const { startingCredits } = team;
  return toUsage(
    team,
    await reachLedger(env, team, (ledger) => ledger.usage(now, startingCredits)),
  );
}
