// The settings of a team that its ledger decides by.
import type { Team } from "../endpoint.ts";
import type { Policy } from "../contracts/ledger-contract.ts";

export function policyOf(team: Team): Policy {
  return { ...team.limits, ...team.labelCaps };
}
