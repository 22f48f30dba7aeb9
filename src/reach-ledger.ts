// Calls a team's ledger on behalf of a request. At every endpoint except sends, a failed call is a
// 502 (contract.md §Statuses). A send first asks what became of its messages after a failed call
// (mail/accept/submit).
import type { Ledger } from "./rpc/ledger.ts";
import type { Stub } from "./rpc/namespace.ts";
import type { Env } from "./env.ts";
import { RefusalError } from "./refusal.ts";

type Ask<Result> = (ledger: Stub<Ledger>) => Promise<Result>;

/** Returns the ledger's answer. Throws `storage_unavailable` with the fault as its cause. */
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
 * Repeats a failed call once, because perhaps only its answer was lost. Use it only for calls that
 * change nothing when they are repeated. Throws as reachLedger() does.
 */
export function reachLedgerAgain<Result>(
  env: Pick<Env, "TEAM_LEDGER">,
  teamId: string,
  ask: Ask<Result>,
): Promise<Result> {
  return reachLedger(env, teamId, ask).catch(() => reachLedger(env, teamId, ask));
}
