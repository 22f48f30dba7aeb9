// Writes chunks and their index entries to a shard in one transaction (docs/storage.md §Chunks).
// The SQL is written by hand, because each day has its own tables.
import { chunkIndexTable, chunksTable } from "../../db/day-tables.ts";
import { isMissingPartition, makePartitions } from "../../db/partitions.ts";
import type { Reads } from "../../rpc/shard-types.ts";
import { begunIn } from "./messages-begun-in-chunk.ts";
import { packChunk } from "./pack-chunk.ts";
import { type NewChunk, chunkKey } from "./store.ts";
import { tokensOf } from "./chunk-tokens.ts";

/**
 * Writes consecutive chunks of one team and day in one transaction. Writes nothing if the first
 * chunk exists, because an earlier call may have written chunks with other boundaries. The
 * statements in `alongside` run first. Each of them must require that the first chunk does not
 * exist yet. Returns the number of the last log row that is now in these chunks. All rows up to
 * this number are in chunks.
 */
export async function writeChunks(
  db: Reads,
  chunks: readonly [NewChunk, ...NewChunk[]],
  alongside: readonly D1PreparedStatement[],
): Promise<{ lastSeq: number }> {
  const [{ team, day, at }] = chunks;
  const firstKey = chunkKey(team, day, at);
  const inserts = chunks.map((chunk) => insertsOf(db, chunk, firstKey));
  const statements = [
    ...alongside,
    ...inserts.map(({ index }) => index),
    // The first chunk's row comes last, because all other statements require that it does not
    // exist.
    ...inserts.map(({ row }) => row).toReversed(),
    selectLastOf(db, chunks),
  ];
  const batch = () => db.batch<{ last_seq: number | null }>(statements);
  const results = await batch().catch(async (error: unknown) => {
    if (!isMissingPartition(error)) throw error;
    await makePartitions(db, [day]);
    return batch();
  });
  const lastSeq = results.at(-1)?.results[0]?.last_seq ?? null;
  if (lastSeq === null)
    throw new Error(`a chunk of ${day} was written, but the database does not have it`);
  return { lastSeq };
}

function selectLastOf(db: Reads, chunks: readonly [NewChunk, ...NewChunk[]]): D1PreparedStatement {
  const keys = chunks.map(({ team, day, at }) => chunkKey(team, day, at));
  const sql =
    `SELECT max(last_seq) AS last_seq FROM ${chunksTable(chunks[0].day)} WHERE key IN ` +
    "(SELECT value FROM json_each(?1))";
  return db.prepare(sql).bind(JSON.stringify(keys));
}

/** Makes the statements that insert a chunk and its index entry, unless the first chunk exists. */
function insertsOf(
  db: Reads,
  chunk: NewChunk,
  firstKey: number,
): Record<"index" | "row", D1PreparedStatement> {
  const { team, day, at, lastSeq, messages, isStray } = chunk;
  const key = chunkKey(team, day, at);
  const [chunks, index] = [chunksTable(day), chunkIndexTable(day)];
  const times = messages.flatMap(({ events }) => events.map(({ occurredAt }) => occurredAt));
  const [oldest, newest] = [
    times.reduce((a, b) => Math.min(a, b)),
    times.reduce((a, b) => Math.max(a, b)),
  ];
  const begun = begunIn(chunk, newest);
  const isNew = (first: string) => `NOT EXISTS (SELECT 1 FROM ${chunks} WHERE key = ${first})`;
  const tokens = tokensOf(team.id, messages, { isStray, isLate: begun.newestLate !== null });
  const { oldest: oldestMessage, newestLate } = begun;
  const body = packChunk(messages);
  return {
    // A second insert for the same rowid would add its tokens to those of the first insert.
    index: db
      .prepare(`INSERT INTO ${index} (rowid, tokens) SELECT ?1, ?2 WHERE ${isNew("?3")}`)
      .bind(key, tokens, firstKey),
    row: db
      .prepare(
        `INSERT INTO ${chunks} (key, last_seq, oldest, newest, oldest_message, newest_late, ` +
          `body) SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE ${isNew("?8")}`,
      )
      .bind(key, lastSeq, oldest, newest, oldestMessage, newestLate, body, firstKey),
  };
}
