// Finds a message in the chunks that have its events (docs/storage.md §Chunks). Searches from the
// message's first day to later days, because an event may occur weeks after the send.
import { shardDatabase } from "../../db/client.ts";
import { existingDays, forgetDays, isMissingPartition } from "../../db/partitions.ts";
import { shardOn } from "../../db/shards.ts";
import type { Env } from "../../env.ts";
import { EMAIL_PREFIX, isUuid, timeOfUuidv7 } from "../../lib/ids.ts";
import { DAY_MS } from "../../limits.ts";
import type { HistoryTeam } from "./history.ts";
import { openChunk } from "./open-chunk.ts";
import type { MessageRecord } from "../../rpc/event-records.ts";
import { CHUNK_DAYS } from "./day-retention.ts";
import type { Day } from "../../rpc/shard-types.ts";
import { daysBack, dayOf } from "../../db/days.ts";
import { bodyOf, type ChunkRow, selectChunks } from "./store.ts";

/** Number of days that the first two round trips read. The third trip reads all other days. */
const DAYS_PER_TRIP = [2, 6];
/**
 * Maximum number of chunks that one look-up reads. Normally the first chunk has the message.
 * Further chunks are read if another email has the same token in the index.
 */
const CHUNKS_PER_LOOKUP = 4;

/**
 * Finds a message in the chunks of the day `from` and later days, at the primary. The default of
 * `from` is the day in the message's id. Returns undefined if no stored chunk has an event of the
 * message. The caller must query the ledger first, because recent events are not in chunks yet.
 */
export async function findChunkedMessage(
  env: Env,
  team: HistoryTeam,
  emailId: string,
  now: number,
  from = dayOfEmail(emailId),
): Promise<MessageRecord | undefined> {
  const kept = dayOf(now - CHUNK_DAYS * DAY_MS);
  const days =
    from === undefined ? [] : daysBack(dayOf(now + DAY_MS), from > kept ? from : kept).toReversed();
  for (let first = 0, trip = 0; first < days.length; trip += 1) {
    const asked = days.slice(first, first + (DAYS_PER_TRIP[trip] ?? days.length));
    const found = await findOnDays(env, team, emailId, asked);
    if (found) return found;
    first += asked.length;
  }
  return undefined;
}

async function findOnDays(
  env: Env,
  team: HistoryTeam,
  emailId: string,
  days: readonly Day[],
): Promise<MessageRecord | undefined> {
  const byShard = Map.groupBy(days, (day) => shardOn(team.shards, day));
  const asks = Array.from(byShard, async ([shard, onShard]) => {
    const db = shardDatabase(env, shard);
    return chunksOf(db, team, emailId, onShard).catch((error: unknown) => {
      // Retention has dropped a day that this isolate's cache still had.
      if (!isMissingPartition(error)) throw error;
      forgetDays(db);
      return chunksOf(db, team, emailId, onShard);
    });
  });
  const chunks = (await Promise.all(asks)).flat();
  return chunks
    .map((row) => openChunk(team.id, bodyOf(row)).message(emailId))
    .find((message) => message !== undefined);
}

async function chunksOf(
  db: D1Database,
  team: HistoryTeam,
  emailId: string,
  days: readonly Day[],
): Promise<ChunkRow[]> {
  const ask = {
    team,
    filters: { email_id: emailId },
    start: 0,
    last: Number.MAX_SAFE_INTEGER,
    limit: CHUNKS_PER_LOOKUP,
  };
  const present = await existingDays(db, days);
  if (present.length === 0) return [];
  const results = await db.batch<ChunkRow>(
    present.map((day) => selectChunks(db, { ...ask, day }, null)),
  );
  return results.flatMap((result) => result.results);
}

/**
 * Returns the day in a message's id. Returns undefined for a text that is not a message's id, and
 * for a forged id with a time after the year 9999.
 */
function dayOfEmail(emailId: string): Day | undefined {
  const uuid = emailId.slice(EMAIL_PREFIX.length);
  const isEmail =
    emailId.startsWith(EMAIL_PREFIX) && isUuid(uuid) && timeOfUuidv7(uuid) < Date.UTC(10_000, 0);
  return isEmail ? dayOf(timeOfUuidv7(uuid)) : undefined;
}
