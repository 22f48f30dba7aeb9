// Opens the ledger of a send's team. Before the first call, which creates the ledger, the worker
// records the team's first mail (docs/near-its-users.md §What decides). This is one write for each
// team. The platform creates the ledger near the caller of this send.
import { coreWith } from "../../../db/core-shards.ts";
import { policyOf } from "../../../ledger/admission/decide-items.ts";
import type { Stub } from "../../../namespace.ts";
import { RefusalError } from "../../../refusal.ts";
import { jurisdictionOf } from "../../../object-of.ts";
import { makeFirstMail } from "../../../regions.ts";
import { forgetCredentials } from "../../../resources/api-keys/credentials.ts";
import { ledgerOf } from "../../../resources/team-settings/reach-ledger.ts";
import type { Ledger } from "../../../rpc/ledger.ts";
import type { AdmitRequest } from "../../../rpc/ledger-calls.ts";
import { recordFirstMail, toCallerTeam } from "../../../resources/team-settings/store.ts";
import { forgetTeam } from "../../../resources/team-settings/team-cache.ts";
import type { SendContext } from "../send-context.ts";

/** A ledger, with the input that all calls of a send have in common. */
export interface SendersLedger {
  readonly context: SendContext;
  readonly ledger: Stub<Ledger>;
  readonly common: Pick<AdmitRequest, "policy" | "session" | "now">;
}

/**
 * Opens the ledger. Throws `pipeline_unavailable` if the team's first mail can't be recorded,
 * because the database does not respond or the team was deleted.
 */
export function openLedger(context: SendContext): SendersLedger | Promise<SendersLedger> {
  return context.sender.team.firstMail
    ? ledgerOfSender(context)
    : noteFirstMail(context).then(ledgerOfSender);
}

function ledgerOfSender(context: SendContext): SendersLedger {
  const { env, sender, now } = context;
  return {
    context,
    ledger: ledgerOf(env, sender.team),
    common: { policy: policyOf(sender.team), session: sender.session, now },
  };
}

/** Records the team's first mail. Returns the context with the team's new row. */
async function noteFirstMail(context: SendContext): Promise<SendContext> {
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
