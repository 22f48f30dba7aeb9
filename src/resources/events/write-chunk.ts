// Writes a chunk and its index entry to a shard in one transaction (docs/storage.md §Chunks). The
// SQL is prepared by hand, because the tables are named by their day.
import { chunkIndexTable, chunksTable } from "../../db/day-tables.ts";
import { isMissingPartition, makePartitions } from "../../db/partitions.ts";
import type { Reads } from "../../rpc/shard-types.ts";
import { begunIn } from "./begun-messages.ts";
import { packChunk } from "./pack-chunk.ts";
import { type NewChunk, chunkKey } from "./store.ts";
import { tokensOf } from "./tokens.ts";

/**
 * Writes a chunk in one transaction. If a chunk with this key exists, it stays as it is. The
 * statements `alongside` run first, and each of them must require that the chunk does not exist
 * yet. Returns the log number of the last row in the chunk that now has the key.
 */
export async function writeChunk(
  db: Reads,
  chunk: NewChunk,
  alongside: readonly D1PreparedStatement[],
): Promise<{ lastSeq: number }> {
  const statements = [...alongside, ...chunkStatements(db, chunk)];
  const batch = () => db.batch<{ last_seq: number }>(statements);
  const results = await batch().catch(async (error: unknown) => {
    if (!isMissingPartition(error)) throw error;
    await makePartitions(db, [chunk.day]);
    return batch();
  });
  const written = results.at(-1)?.results[0];
  if (!written) throw new Error(`a chunk of ${chunk.day} was written but is not there`);
  return { lastSeq: written.last_seq };
}

function chunkStatements(db: Reads, chunk: NewChunk): D1PreparedStatement[] {
  const { team, day, at, lastSeq, messages, isStray } = chunk;
  const key = chunkKey(team, day, at);
  const [chunks, index] = [chunksTable(day), chunkIndexTable(day)];
  const times = messages.flatMap(({ events }) => events.map(({ occurredAt }) => occurredAt));
  const [oldest, newest] = [
    times.reduce((a, b) => Math.min(a, b)),
    times.reduce((a, b) => Math.max(a, b)),
  ];
  const begun = begunIn(chunk, newest);
  return [
    // Must run before the chunk's row is inserted, because this statement does nothing once the row
    // exists. A second insert for the same rowid would add its tokens to those of the first insert.
    db
      .prepare(
        `INSERT INTO ${index} (rowid, tokens) SELECT ?1, ?2 WHERE NOT EXISTS (SELECT 1 FROM ` +
          `${chunks} WHERE key = ?1)`,
      )
      .bind(key, tokensOf(team.id, messages, { isStray, isLate: begun.newestLate !== null })),
    db
      .prepare(
        `INSERT INTO ${chunks} (key, last_seq, oldest, newest, oldest_message, newest_late, ` +
          "body) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (key) DO NOTHING",
      )
      .bind(key, lastSeq, oldest, newest, begun.oldest, begun.newestLate, packChunk(messages)),
    db.prepare(`SELECT last_seq FROM ${chunks} WHERE key = ?1`).bind(key),
  ];
}
