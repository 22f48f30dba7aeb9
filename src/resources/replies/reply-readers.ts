// Tells whether someone learns of a team's replies (contract.md §Replies): a webhook names
// `email.replied`, or the team reads replies here. A send that tracks replies needs one of them,
// because a reply that is told to no program and no person is lost to its author.
import type { Scope } from "../../db/client.ts";
import { BoundedCache } from "../../lib/bounded-cache.ts";
import { CREDENTIAL_CACHE_MS } from "../../limits.ts";
import { REPLIED } from "../../rpc/event-types.ts";

const TEAMS_REMEMBERED = 1_000;

/** A disabled webhook counts: an outage of the receiver must not refuse the team's mail. */
const FIND = `
  SELECT EXISTS (SELECT 1 FROM teams WHERE id = ?1 AND reads_replies = 1)
    OR EXISTS (SELECT 1 FROM webhooks, json_each(webhooks.events)
      WHERE team_id = ?1 AND json_each.value = '${REPLIED}') AS found`;

/** The teams with a reader. Only these are remembered, so that a new reader counts at once. */
const readers = new BoundedCache<true>(TEAMS_REMEMBERED, CREDENTIAL_CACHE_MS);

export async function hasReplyReader({ db, teamId }: Scope, now: number): Promise<boolean> {
  if (readers.get(teamId, now)) return true;
  const found = (await db.prepare(FIND).bind(teamId).first<number>("found")) === 1;
  if (found) readers.set(teamId, true, now);
  return found;
}
