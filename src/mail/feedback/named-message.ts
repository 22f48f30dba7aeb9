// Finds the message that a token names, by the day of its release: in the team's ledger, or in the
// days of its history that are kept. Older messages are not searched, because each visit to an old
// link would then cost a search of every day.
import { dayOf } from "../../db/days.ts";
import type { Team } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import { findMessage } from "../record/find-message.ts";
import type { MessageRecord } from "../../rpc/event-records.ts";
import { type MessageRef, releaseDayAt, startOfRelease } from "../recipient-ref.ts";

/**
 * A message is tried for 3 days, and its return-paths are accepted for 30 (docs/storage.md). This
 * limit leaves some slack.
 */
const MESSAGE_FOUND_DAYS = 35;

/**
 * Returns the message, or undefined when the team has none of that id or its data is gone. `now` is
 * in Unix milliseconds.
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
