// Adds the facts of the core database to a claim, so that its consumer need not query that database
// (decision 0031). If the setting JURISDICTION changed after a team's first mail, calls for the
// team reach a new, empty ledger, which refuses claims.
import { logError } from "../../lib/log.ts";
import { courierFor } from "../../resources/team-settings/courier-choice.ts";
import { requireJurisdiction } from "../../resources/team-settings/reach-ledger.ts";
import type { DomainsById } from "../../rpc/delivery-facts.ts";
import type { Claim, ClaimedMessage } from "../../rpc/ledger-calls.ts";
import { settingsOf } from "../../settings.ts";
import type { CoreFacts } from "../core-facts.ts";

/**
 * Calls `claim`, and adds the facts to its result. `courierRemembers` says whether the consumer's
 * courier remembers attempts. If it is undefined, the ledger decides by the team's settings. A
 * claim without grants gets no facts.
 */
export async function claimWithFacts(
  facts: CoreFacts,
  courierRemembers: boolean | undefined,
  now: number,
  claim: (courierRemembers: boolean) => Promise<Claim>,
): Promise<Claim> {
  const team = await facts.team(now);
  if (team) requireJurisdiction(facts.env(), team);
  const isRemembered = team && courierFor(team.courier, settingsOf(facts.env())) === "gateway";
  const claimed = await claim(courierRemembers ?? isRemembered ?? false);
  if (claimed.grants.length === 0) return claimed;
  if (!team) return { ...claimed, facts: null };
  const { id, number, shards, courier, contentDays, eventRetentionDays } = team;
  // The jobs are already leased. If the ledger can't read the domains, the consumer reads them
  // itself.
  const domains = await facts
    .domains(domainIdsOf(claimed.messages), now)
    .catch((error: unknown): DomainsById => {
      logError("domains_not_read", error, { team_id: facts.teamId });
      return {};
    });
  return {
    ...claimed,
    facts: { team: { id, number, shards, courier, contentDays, eventRetentionDays }, domains },
  };
}

function domainIdsOf(messages: readonly ClaimedMessage[]): string[] {
  return [...new Set(messages.flatMap(({ meta }) => domainIdOf(meta)))];
}

/**
 * Returns the id of the message's domain. Ignores a message that can't be parsed, because the
 * consumer reports it.
 */
function domainIdOf(meta: string): string[] {
  try {
    const { domainId } = JSON.parse(meta) as { domainId?: string };
    return domainId === undefined ? [] : [domainId];
  } catch {
    return [];
  }
}
