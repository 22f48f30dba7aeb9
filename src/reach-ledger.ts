// Calls a team's ledger on behalf of a request. A failed call is a 502 (contract.md §Statuses) at
// every endpoint except sends. After a failed call, sends first ask what became of their messages
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
