// Calls a team's ledger on behalf of a request. At every endpoint except sends, a failed call is a
// 502 (contract.md §Statuses). A send first asks what became of its messages after a failed call
// (mail/accept/submit). Nothing but a send calls the ledger of a team that never had mail, because
// the first call decides where the ledger is for ever (docs/near-its-users.md).
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

/** The facts of a team that decide whether it has a ledger, and how an empty one answers. */
export type LedgerTeam = Pick<Team, "id" | "firstMail" | "startingCredits">;
type Ask<Calls, Result> = (ledger: Stub<Calls>) => Promise<Result>;

/**
 * Returns the ledger of a team that has had mail. Throws if the deployment's jurisdiction is not
 * the one in which the ledger was made: an empty ledger would answer instead.
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
      `setting JURISDICTION was ${firstMail.jurisdiction ?? "any"} when ${id} had its first mail`,
    );
}

/**
 * Returns the ledger's answer, or that of an empty ledger if the team never had mail. Throws
 * `overloaded` if the ledger has too many calls, otherwise `storage_unavailable` with the fault as
 * its cause.
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
 * Repeats a failed call once, because perhaps only its answer was lost. Calls that the platform
 * repeats, or that an overloaded ledger refused, are not repeated. Use it only for calls that
 * change nothing when they are repeated. Throws as reachLedger() does.
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
 * Returns the answer of a ledger to which a message led, so that the team certainly has one. Throws
 * as reachLedger() does.
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
 * Makes the team's ledger read settings, domains and webhooks again, because some of them changed. A
 * ledger that does not answer reads them within a minute.
 */
export async function tellLedger(env: Env, team: LedgerTeam): Promise<void> {
  await reachLedger(env, team, (ledger) => ledger.webhooksChanged()).catch((error: unknown) =>
    logError("ledger_not_told", error, { team_id: team.id }),
  );
}

/** A team without mail is read again: another isolate may have sent its first mail just now. */
async function currentTeam(env: Env, team: LedgerTeam): Promise<LedgerTeam> {
  return team.firstMail ? team : ((await findTeam(coreWith(env, team.id), team.id)) ?? team);
}

function toRefusal(error: unknown, teamId: string): RefusalError {
  if (isOverload(error)) return new RefusalError({ code: "overloaded" });
  const fault = new Error(`the ledger of ${teamId} did not answer`, { cause: error });
  return new RefusalError({ code: "storage_unavailable" }, {}, fault);
}
