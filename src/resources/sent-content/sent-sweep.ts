// Deletes kept content that the API no longer shows (docs/storage.md §What takes it away): expired
// content, content of deleted teams, and content of teams that stopped keeping content.
import { eachCore } from "../../db/core-shards.ts";
import type { Env } from "../../env.ts";
import { HOUR_MS } from "../../limits.ts";
import { listDeletedTeams, listTeamsWithoutContent } from "../team-settings/store.ts";
import { removeExpiredSent, removeSentOf } from "./sent-objects.ts";

/**
 * Maximum number of calls to R2 in one sweep. The platform allows 1,000 calls in an invocation, and
 * the sweep makes further calls elsewhere.
 */
const CALLS_PER_SWEEP = 600;
/** Maximum number of deleted teams, and of teams without kept content, per core and sweep. */
const TEAMS_PER_SWEEP = 10;
/**
 * The sweep handles teams that changed their setting within this time. The sweep runs every hour.
 * For a minute after a change, consumers with the old settings still store content.
 */
const CHANGED_WITHIN_MS = 3 * HOUR_MS;

/**
 * Deletes content with a limited number of calls to R2. The next sweep continues. `now` is in Unix
 * milliseconds.
 */
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
