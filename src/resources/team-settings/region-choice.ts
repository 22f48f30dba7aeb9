// Decides whether the operator may choose the region of a team's ledger (docs/near-its-users.md).
import type { Env } from "../../env.ts";
import { jurisdictionOf } from "../../object-of.ts";
import { type Region, regionsWithin } from "../../regions.ts";
import type { TeamRow } from "./store.ts";

/**
 * Returns the problem with the region in a request, by member. `region` undefined: the request has
 * no region. `before` is the team before the change.
 */
export function findRegionProblems(
  region: Region | null | undefined,
  before: Pick<TeamRow, "region" | "firstMail">,
  env: Env,
): Record<string, string[]> {
  if (region === undefined) return {};
  const within = regionsWithin(jurisdictionOf(env));
  if (region !== null && !within.includes(region))
    return { region: [`must be one of ${within.join(", ")} or null`] };
  return before.firstMail && region !== before.region
    ? { region: ["can't change after the team's first mail, because its ledger does not move"] }
    : {};
}
