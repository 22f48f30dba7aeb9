// Calls a team's ledger on behalf of a request. A call that fails is a 502 (contract.md §Statuses),
// at every endpoint but the sends, whose messages are looked up first (mail/accept/submit).
import type { Ledger } from "./rpc/ledger.ts";
import type { Stub } from "./rpc/namespace.ts";
import type { Env } from "./env.ts";
import { RefusalError } from "./refusal.ts";

type Ask<Result> = (ledger: Stub<Ledger>) => Promise<Result>;

/** Returns the ledger's answer. Throws `storage_unavailable`, which carries the fault. */
export async function reachLedger<Result>(
  env: Pick<Env, "TEAM_LEDGER">,
  teamId: string,
  ask: Ask<Result>,
): Promise<Result> {
  try {
    return await ask(env.TEAM_LEDGER.getByName(teamId));
  } catch (error) {
    const fault = new Error(`the ledger of ${teamId} did not answer`, { cause: error });
    throw new RefusalError({ code: "storage_unavailable" }, {}, fault);
  }
}

/**
 * Makes a failed call once more, since it may have lost nothing but its answer. Only for a call
 * that changes nothing when it is repeated. Throws as reachLedger() does.
 */
export function reachLedgerAgain<Result>(
  env: Pick<Env, "TEAM_LEDGER">,
  teamId: string,
  ask: Ask<Result>,
): Promise<Result> {
  return reachLedger(env, teamId, ask).catch(() => reachLedger(env, teamId, ask));
}
