// Writes a page and its index entry to a shard in one transaction (docs/storage.md §Pages). The SQL
// is prepared by hand, because the tables are named by their day.
import { pageIndexTable, pagesTable } from "../../db/day-tables.ts";
import { isMissingPartition, makePartitions } from "../../db/partitions.ts";
import type { Reads } from "../../rpc/shard-types.ts";
import { begunIn } from "./begun-messages.ts";
import { packPage } from "./pack-page.ts";
import { type NewPage, pageKey } from "./store.ts";
import { tokensOf } from "./tokens.ts";

/**
 * Writes a page in one transaction with the statements `alongside`, which run first and must
 * require that the page does not exist. An existing page stays as it is. Returns the log's number
 * of the last row in the page with that key.
 */
export async function writePage(
  db: Reads,
  page: NewPage,
  alongside: readonly D1PreparedStatement[],
): Promise<{ lastSeq: number }> {
  const statements = [...alongside, ...pageStatements(db, page)];
  const batch = () => db.batch<{ last_seq: number }>(statements);
  const results = await batch().catch(async (error: unknown) => {
    if (!isMissingPartition(error)) throw error;
    await makePartitions(db, [page.day]);
    return batch();
  });
  const written = results.at(-1)?.results[0];
  if (!written) throw new Error(`a page of ${page.day} was written and is not there`);
  return { lastSeq: written.last_seq };
}

function pageStatements(db: Reads, page: NewPage): D1PreparedStatement[] {
  const { team, day, at, lastSeq, messages, isStray } = page;
  const key = pageKey(team, day, at);
  const [pages, index] = [pagesTable(day), pageIndexTable(day)];
  const times = messages.flatMap(({ events }) => events.map(({ occurredAt }) => occurredAt));
  const [oldest, newest] = [
    times.reduce((a, b) => Math.min(a, b)),
    times.reduce((a, b) => Math.max(a, b)),
  ];
  const begun = begunIn(page, newest);
  return [
    // The index would merge tokens that come again with the same rowid, so its statement runs
    // before the page exists.
    db
      .prepare(
        `INSERT INTO ${index} (rowid, tokens) SELECT ?1, ?2 WHERE NOT EXISTS (SELECT 1 FROM ` +
          `${pages} WHERE key = ?1)`,
      )
      .bind(key, tokensOf(team.id, messages, { isStray, isLate: begun.newestLate !== null })),
    db
      .prepare(
        `INSERT INTO ${pages} (key, last_seq, oldest, newest, oldest_message, newest_late, ` +
          "body) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (key) DO NOTHING",
      )
      .bind(key, lastSeq, oldest, newest, begun.oldest, begun.newestLate, packPage(messages)),
    db.prepare(`SELECT last_seq FROM ${pages} WHERE key = ?1`).bind(key),
  ];
}
