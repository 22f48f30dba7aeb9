// Finds the message that a report or a reaction is about: in the team's ledger, which knows it from
// its 202 until a page has its events, then in the pages.
import type { Team } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import type { FoundMessage } from "../../contracts/ledger-contract.ts";
import type { MessageRecord } from "../../contracts/event-records.ts";
import { findPagedMessage } from "../../resources/events/paged-message.ts";
import type { Message } from "../message.ts";
import type { Day } from "../../contracts/shard-types.ts";
import { toMessageRecord } from "./record.ts";

/**
 * `from`: the first day that may have events of it; left out, the day of its id. Undefined: the
 * team has no such message, or none that is kept.
 */
export async function findMessage(
  env: Env,
  team: Team,
  emailId: string,
  from?: Day,
): Promise<MessageRecord | undefined> {
  const found = await env.TEAM_LEDGER.getByName(team.id).find(emailId);
  return inLedger(found) ?? findPagedMessage(env, team, emailId, Date.now(), from);
}

/** The message, as far as a ledger's answer tells. */
export function inLedger({ open, logged }: FoundMessage): MessageRecord | undefined {
  return logged ?? (open ? toMessageRecord(JSON.parse(open.meta) as Message) : undefined);
}
