// Finds the message that a report or a reaction (such as an open) is about. The team's ledger has a
// message from its 202 until the events of the message are in a chunk of the history. From then on
// the chunks have the message.
import type { Day } from "../../rpc/shard-types.ts";
import type { Team } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import type { MessageInLedger } from "../../rpc/message-list-calls.ts";
import type { MessageRecord } from "../../rpc/event-records.ts";
import { findChunkedMessage } from "../../resources/events/chunked-message.ts";
import { readStoredMessage } from "../message-start.ts";
import { toMessageRecord } from "./record.ts";
import { reachLedger } from "../../resources/team-settings/reach-ledger.ts";

/**
 * Returns a team's message. Undefined means that the id is unknown, or that the message was
 * deleted. `from` is the first day that may have events of the message, by default the day in its
 * id.
 */
export async function findMessage(
  env: Env,
  team: Team,
  emailId: string,
  from?: Day,
): Promise<MessageRecord | undefined> {
  const found = await reachLedger(env, team, (ledger) => ledger.find(emailId));
  return messageInLedger(found) ?? findChunkedMessage(env, team, emailId, Date.now(), from);
}

/**
 * Returns the released message in a ledger's result. Undefined means that the ledger has no such
 * message.
 */
export function messageInLedger({ open, logged }: MessageInLedger): MessageRecord | undefined {
  return (
    logged ?? (open ? toMessageRecord(readStoredMessage(open.meta, open.startsAt)) : undefined)
  );
}
