// Deletes expired replies, and replies of deleted teams (docs/storage.md §Replies). Deletes the raw
// mail first and then the row, so that no raw mail is left without a row. A crash during the
// receipt of a reply may leave raw mail without a row. The sweep deletes such mail by the day in
// its key.
import { repliesOf, shardDatabases } from "../../db/client.ts";
import { removeExpiredObjects } from "../../db/stored-objects.ts";
import type { Team } from "../../endpoint.ts";
import type { Env } from "../../env.ts";
import { workOnAll } from "../../lib/gathered-faults.ts";
import { type DueReply, listExpiredReplies, listRepliesOfTeam, removeReplies } from "./store.ts";

const REPLIES_PER_CALL = 500;
/** Maximum number of rounds of a sweep or of a team's deletion. The next sweep continues. */
const ROUNDS = 10;
/** Maximum number of calls to R2 with which a sweep deletes raw mail that has no row. */
const ORPHAN_CALLS = 20;
const PREFIX = "replies/";

/** Deletes expired replies of all teams. `now` is in Unix milliseconds. */
export async function sweepReplies(env: Env, now: number): Promise<void> {
  try {
    await workOnAll(shardDatabases(env), 1, (shard) =>
      removeDue(env, shard, () => listExpiredReplies(shard, now, REPLIES_PER_CALL)),
    );
  } finally {
    await removeExpiredObjects(env.CONTENT, PREFIX, now, ORPHAN_CALLS);
  }
}

/** Deletes a team's replies in a limited number of rounds. The sweep deletes the rest. */
export async function removeRepliesOf(env: Env, team: Pick<Team, "id" | "shards">): Promise<void> {
  const scope = repliesOf(env, team);
  await removeDue(env, scope.db, () => listRepliesOfTeam(scope, REPLIES_PER_CALL));
}

async function removeDue(
  env: Env,
  db: D1Database,
  list: () => Promise<readonly DueReply[]>,
): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const due = await list();
    if (due.length === 0) return;
    await env.CONTENT.delete(due.map(({ rawKey }) => rawKey));
    await removeReplies(db, due);
  }
}
