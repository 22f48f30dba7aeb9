// Finds the message that a token names, from the day of its release on: in the team's ledger, or in
// the days of its history that are kept. What was released before those is not looked for, or an
// old link would cost a look at every one of them, at each visit.
import type { Team } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import { findMessage } from "../record/find-message.ts";
import type { MessageRecord } from "../../contracts/event-records.ts";
import { dayOf } from "../../db/days.ts";
import { type MessageRef, releaseDayAt, startOfRelease } from "../recipient-ref.ts";

/**
 * A message is tried for 3 days, and its return-paths are taken for 30 (docs/storage.md); the rest
 * is slack.
 */
const KEPT_DAYS = 35;

/** `now`: Unix milliseconds. Undefined: the team has none of that id, or nothing more of it. */
export async function findNamed(
  env: Env,
  team: Team,
  ref: MessageRef,
  now: number,
): Promise<MessageRecord | undefined> {
  if (ref.releaseDay < releaseDayAt(now) - KEPT_DAYS) return undefined;
  return findMessage(env, team, ref.emailId, dayOf(startOfRelease(ref)));
}
