// Finds the message that a report or a reaction refers to. The team's ledger has a message from its
// 202 until its events are written to a chunk. From then on the chunks have it.
import type { Day } from "../../rpc/shard-types.ts";
import type { Team } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import type { MessageInLedger } from "../../rpc/ledger-calls.ts";
import type { MessageRecord } from "../../rpc/event-records.ts";
import { findChunkedMessage } from "../../resources/events/chunked-message.ts";
import { readStoredMessage } from "../message-start.ts";
import { toMessageRecord } from "./record.ts";
import { reachLedger } from "../../reach-ledger.ts";

/**
 * Returns a team's message, or undefined if the id is unknown or the message was deleted. `from` is
 * the first day that may have events of it, by default the day of its id.
 */
export async function findMessage(
  env: Env,
  team: Team,
  emailId: string,
  from?: Day,
): Promise<MessageRecord | undefined> {
  const found = await reachLedger(env, team.id, (ledger) => ledger.find(emailId));
  return messageInLedger(found) ?? findChunkedMessage(env, team, emailId, Date.now(), from);
}

/** The released message in a ledger's answer; undefined: the ledger has none. */
export function messageInLedger({ open, logged }: MessageInLedger): MessageRecord | undefined {
  return (
    logged ?? (open ? toMessageRecord(readStoredMessage(open.meta, open.startsAt)) : undefined)
  );
}
