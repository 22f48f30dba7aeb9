// Finds the message that a token names. The token has the day of the message's release. The search
// covers the team's ledger and the team's history from that day on. Messages over
// MESSAGE_FOUND_DAYS old are left out, because each visit to an old link would cost a search of
// every day.
import { dayOf } from "../../db/days.ts";
import type { Team } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import { findMessage } from "../record/find-message.ts";
import type { MessageRecord } from "../../rpc/event-records.ts";
import { type MessageRef, releaseDayAt, startOfRelease } from "../recipient-ref.ts";

/**
 * Maximum age of a message, in days since its release. It is longer than necessary: a message is
 * tried for 3 days, and its return-paths are accepted for 30 days (docs/storage.md).
 */
const MESSAGE_FOUND_DAYS = 35;

/**
 * Returns the message. Undefined means that the team has no message with that id, or that its data
 * is deleted. `now` is in Unix milliseconds.
 */
export async function findNamedMessage(
  env: Env,
  team: Team,
  ref: MessageRef,
  now: number,
): Promise<MessageRecord | undefined> {
  if (ref.releaseDay < releaseDayAt(now) - MESSAGE_FOUND_DAYS) return undefined;
  return findMessage(env, team, ref.emailId, dayOf(startOfRelease(ref)));
}
