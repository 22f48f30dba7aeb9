// Deletes kept content that is not shown any more (docs/storage.md §What takes it away): of days
// that are over, of deleted teams, and of teams that keep no content any more.
import { eachCore } from "../../db/core-shards.ts";
import type { Env } from "../../env.ts";
import { HOUR_MS } from "../../limits.ts";
import { listDeletedTeams, listTeamsWithoutContent } from "../team-settings/store.ts";
import { removeExpiredSent, removeSentOf } from "./sent-objects.ts";

/**
 * Maximum number of calls to R2 in one sweep. The platform allows 1,000 in an invocation, and the
 * sweep makes others.
 */
const CALLS_PER_SWEEP = 600;
/** Maximum number of teams of a core database in one sweep, of each kind. */
const TEAMS_PER_SWEEP = 10;
/**
 * A consumer that knows the team's old settings keeps content for a minute after a change, and the
 * sweep runs every hour.
 */
const CHANGED_WITHIN_MS = 3 * HOUR_MS;

/** `now` is in Unix milliseconds. The next sweep continues where this one ended. */
export async function sweepSentContent(env: Env, now: number): Promise<void> {
  let left = CALLS_PER_SWEEP;
  const removeUnwanted = async (core: D1Database): Promise<void> => {
    const deleted = await listDeletedTeams(core, now, TEAMS_PER_SWEEP);
    const since = now - CHANGED_WITHIN_MS;
    const unwilling = await listTeamsWithoutContent(core, since, TEAMS_PER_SWEEP);
    for (const teamId of [...deleted.map(({ id }) => id), ...unwilling])
      left = await removeSentOf(env.CONTENT, teamId, now, left);
  };
  try {
    await eachCore(env, removeUnwanted);
  } finally {
    await removeExpiredSent(env.CONTENT, now, left);
  }
}
