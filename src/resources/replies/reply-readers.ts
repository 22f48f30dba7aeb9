// Decides whether a team has a reader of its replies (contract.md §Replies): a webhook whose types
// name `email.replied`, or the team's setting to read replies through the API. A send that tracks
// replies needs a reader. Otherwise the recipient's reply would be accepted and never read.
import type { Scope } from "../../db/client.ts";
import { BoundedCache } from "../../lib/bounded-cache.ts";
import { CREDENTIAL_CACHE_MS } from "../../limits.ts";
import { REPLIED } from "../../rpc/event-types.ts";

const TEAMS_REMEMBERED = 1_000;

/**
 * The query also counts disabled webhooks. Otherwise, sends with `reply_tracking` would be refused
 * as soon as the service disables a webhook whose endpoint fails.
 */
const FIND = `
  SELECT EXISTS (SELECT 1 FROM teams WHERE id = ?1 AND reads_replies = 1)
    OR EXISTS (SELECT 1 FROM webhooks, json_each(webhooks.events)
      WHERE team_id = ?1 AND json_each.value = '${REPLIED}') AS found`;

/** The teams with a reader. Other teams are not cached, so a new reader takes effect at once. */
const readers = new BoundedCache<true>(TEAMS_REMEMBERED, CREDENTIAL_CACHE_MS);

export async function hasReplyReader({ db, teamId }: Scope, now: number): Promise<boolean> {
  if (readers.get(teamId, now)) return true;
  const found = (await db.prepare(FIND).bind(teamId).first<number>("found")) === 1;
  if (found) readers.set(teamId, true, now);
  return found;
}
