// Finds the teams that have a ledger in one jurisdiction, by the records of their first mail
// (docs/near-its-users.md).
import { readCores } from "../../db/core-shards.ts";
import type { Env } from "../../env.ts";
import type { FirstMail } from "../../regions.ts";

const OF_JURISDICTION = "first_mail ->> 'jurisdiction' IS";

/**
 * Returns the ids of up to `limit` teams of a core database whose ledgers are in this jurisdiction.
 * If `turn` increases by 1 with each call, the calls return all these teams in rotation.
 */
export async function listTeamsInTurn(
  db: D1Database,
  jurisdiction: FirstMail["jurisdiction"],
  turn: number,
  limit: number,
): Promise<string[]> {
  const hasLedger = `first_mail IS NOT NULL AND ${OF_JURISDICTION} ?3`;
  const { results } = await db
    .prepare(
      `SELECT id FROM teams WHERE ${hasLedger} ORDER BY id LIMIT ?1 OFFSET ?1 * (?2 % max(1, ` +
        `(SELECT (count(*) + ?1 - 1) / ?1 FROM teams WHERE ${hasLedger})))`,
    )
    .bind(limit, turn, jurisdiction)
    .all<{ id: string }>();
  return results.map(({ id }) => id);
}

/** Counts the teams that had their first mail under another jurisdiction. */
export async function countTeamsElsewhere(
  env: Env,
  jurisdiction: FirstMail["jurisdiction"],
): Promise<number> {
  const sql = `SELECT count(*) AS n FROM teams WHERE first_mail IS NOT NULL AND ${OF_JURISDICTION} NOT ?`;
  const counts = await readCores(env, (db) =>
    db.prepare(sql).bind(jurisdiction).first<number>("n"),
  );
  return counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
}
