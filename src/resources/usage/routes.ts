// Serves GET /v1/usage: the team's quotas, caps and open recipients as its ledger counts them now
// (contract.md §Usage).
import { type Endpoint, endpoint, json } from "../../endpoint.ts";
import { TeamUsage, toUsage } from "./wire.ts";
import { reachLedger } from "../../reach-ledger.ts";

export const usageEndpoints: readonly Endpoint[] = [
  endpoint({
    method: "GET",
    path: "/v1/usage",
    summary: "The team's quotas, caps and waiting mail now",
    description:
      "Counted exactly: a send that was answered is in it. `daily` and `monthly` count " +
      "messages, one for each recipient, and `labels` the distinct labels in each cap's rolling " +
      "window; a 429 names the one that is used up. `delivery` counts the recipients that have " +
      "no final outcome yet; its rate never refuses a send.",
    permission: "full",
    responses: { 200: TeamUsage },
    async handle({ env, caller: { team }, now }) {
      const usage = await reachLedger(env, team.id, (ledger) => ledger.usage(now));
      return json(200, toUsage(team, usage));
    },
  }),
];
