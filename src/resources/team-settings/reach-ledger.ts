// Calls a team's ledger for a request. At every endpoint except sends, a failed call is a 502
// (contract.md §Statuses). After a failed call, a send first asks the ledger for the result of the
// send (mail/accept/submit). The first call of a ledger decides its location for ever
// (docs/near-its-users.md). So if a team never had mail, only a send calls its ledger.
import { coreWith } from "../../db/core-shards.ts";
import type { Ledger } from "../../rpc/ledger.ts";
import type { Stub } from "../../namespace.ts";
import type { Team } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import { logError } from "../../lib/log.ts";
import { RefusalError } from "../../refusal.ts";
import { isOverload, isRepeatedByPlatform } from "../../rpc/overload.ts";
import { jurisdictionOf, objectOf } from "../../object-of.ts";
import { type EarlyCalls, withoutLedger } from "../../without-ledger.ts";
import { findTeam } from "./store.ts";

/**
 * The facts of a team that decide whether it has a ledger. They also determine the results for a
 * team without a ledger.
 */
export type LedgerTeam = Pick<Team, "id" | "firstMail" | "startingCredits">;
type Ask<Calls, Result> = (ledger: Stub<Calls>) => Promise<Result>;

/**
 * Returns the ledger of a team that has had mail. Throws if the ledger was made under another
 * jurisdiction than the deployment's, because then the call would reach a new, empty ledger.
 */
export function ledgerOf(
  env: Pick<Env, "TEAM_LEDGER" | "JURISDICTION">,
  team: Pick<Team, "id" | "firstMail">,
): Stub<Ledger> {
  requireJurisdiction(env, team);
  return objectOf(env, "TEAM_LEDGER", team.id, team.firstMail?.region);
}

/** Throws if the team had its first mail under another jurisdiction. */
export function requireJurisdiction(
  env: Pick<Env, "JURISDICTION">,
  { id, firstMail }: Pick<Team, "id" | "firstMail">,
): void {
  if (firstMail && firstMail.jurisdiction !== jurisdictionOf(env))
    throw new Error(
      `the ledger of ${id} was made when JURISDICTION was ${firstMail.jurisdiction ?? "unset"}`,
    );
}

/**
 * Calls the ledger and returns the result. If the team never had mail, returns the result of an
 * empty ledger. Throws `overloaded` if the ledger has too many calls. For any other fault, throws
 * `storage_unavailable` with the fault as its cause.
 */
export async function reachLedger<Result>(
  env: Env,
  team: LedgerTeam,
  ask: Ask<EarlyCalls, Result>,
): Promise<Result> {
  try {
    const current = await currentTeam(env, team);
    return await ask(current.firstMail ? ledgerOf(env, current) : withoutLedger(current));
  } catch (error) {
    throw toRefusal(error, team.id);
  }
}

/**
 * Calls the ledger, and repeats a failed call once, because perhaps only the result was lost. Does
 * not repeat a call that the platform has repeated, or that an overloaded ledger refused. Use it
 * only for idempotent calls. Throws as reachLedger() does.
 */
export function reachLedgerAgain<Result>(
  env: Env,
  team: LedgerTeam,
  ask: Ask<EarlyCalls, Result>,
): Promise<Result> {
  return reachLedger(env, team, (ledger) =>
    ask(ledger).catch((error: unknown) => {
      if (isOverload(error) || isRepeatedByPlatform(error)) throw error;
      return ask(objectOf(env, "TEAM_LEDGER", team.id));
    }),
  );
}

/**
 * Calls the ledger of a team with a known message, which proves that the ledger exists. Throws as
 * reachLedger() does.
 */
export async function reachMailsLedger<Result>(
  env: Env,
  team: LedgerTeam,
  ask: Ask<Ledger, Result>,
): Promise<Result> {
  try {
    return await ask(ledgerOf(env, team));
  } catch (error) {
    throw toRefusal(error, team.id);
  }
}

/**
 * Makes the team's ledger reload settings, domains and webhooks after a change. A ledger that does
 * not answer reloads them within a minute.
 */
export async function tellLedger(env: Env, team: LedgerTeam): Promise<void> {
  await reachLedger(env, team, (ledger) => ledger.webhooksChanged()).catch((error: unknown) =>
    logError("ledger_not_told", error, { team_id: team.id }),
  );
}

/**
 * Returns the team. Reads a team without mail again, because another isolate may have just accepted
 * the team's first mail.
 */
async function currentTeam(env: Env, team: LedgerTeam): Promise<LedgerTeam> {
  return team.firstMail ? team : ((await findTeam(coreWith(env, team.id), team.id)) ?? team);
}

function toRefusal(error: unknown, teamId: string): RefusalError {
  if (isOverload(error)) return new RefusalError({ code: "overloaded" });
  const fault = new Error(`the ledger of ${teamId} did not answer`, { cause: error });
  return new RefusalError({ code: "storage_unavailable" }, {}, fault);
}
