// Notes a team's first mail, before the call that makes its ledger (docs/near-its-users.md §What
// decides): one write for each team. The ledger is made near the caller of this send.
import { coreWith } from "../../../db/core-shards.ts";
import { RefusalError } from "../../../refusal.ts";
import { jurisdictionOf } from "../../../object-of.ts";
import { makeFirstMail } from "../../../regions.ts";
import { forgetCredentials } from "../../../resources/api-keys/credentials.ts";
import { recordFirstMail, toCallerTeam } from "../../../resources/team-settings/store.ts";
import { forgetTeam } from "../../../resources/team-settings/team-cache.ts";
import type { SendContext } from "../send-context.ts";

/**
 * Returns the context with the team as it is in the database, which says that the team has had
 * mail. Throws `pipeline_unavailable` if the database does not answer or the team was deleted.
 */
export async function openLedger(context: SendContext): Promise<SendContext> {
  const { env, sender, now, location } = context;
  const { id, region } = sender.team;
  const note = makeFirstMail(region, location(), jurisdictionOf(env), now);
  const row = await recordFirstMail(coreWith(env, id), id, note).catch((error: unknown) => {
    throw new RefusalError({ code: "pipeline_unavailable" }, {}, error);
  });
  if (!row)
    throw new RefusalError({ code: "pipeline_unavailable" }, {}, new Error(`${id} was deleted`));
  forgetCredentials(id);
  forgetTeam(id);
  return { ...context, sender: { ...sender, team: toCallerTeam(row) } };
}
