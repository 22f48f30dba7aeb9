// Reads and writes the messages that are copied from one shard to another when a team moves (docs/scaling.md §Moving a team), with what was
// kept with each; events go through the events' own store. A repetition changes nothing.
import { type Day, messagesTable } from "../../db/day-tables.ts";
import { isMissingPartition, makePartitions } from "../../db/partitions.ts";
import { idHex, KEPT } from "../events/rows.ts";

/** Of a message: its id in hex, and its facts (JSON). */
interface MessageRow {
  readonly email: string;
  readonly facts: string;
}

/** D1 takes 2 MB a parameter; a character is at most three bytes. */
const PARAMETER_CHARACTERS = 600_000;

/** The days from which the shard has messages, up to `newest`, newest first. */
export async function messageDays(db: D1Database, newest: Day): Promise<Day[]> {
  const { results } = await db
    .prepare("SELECT day FROM partitions WHERE kind = 'messages' AND day <= ?1 ORDER BY day DESC")
    .bind(newest)
    .all<{ day: Day }>();
  return results.map(({ day }) => day);
}

/** Up to `limit` of a team's messages of a day, by their ids, behind `after` (hex; "": from the first). A day that is gone has none. */
export async function listMessages(db: D1Database, teamId: string, day: Day, after: string, limit: number): Promise<MessageRow[]> {
  const query = db
    .prepare(
      `SELECT lower(hex(email)) AS email, facts FROM ${messagesTable(day)}
        WHERE email > unhex(?1) AND team = unhex(?2) ORDER BY email LIMIT ?3`,
    )
    .bind(after, idHex(teamId, "team_"), limit);
  try {
    return (await query.all<MessageRow>()).results;
  } catch (error) {
    if (!isMissingPartition(error)) throw error;
    return [];
  }
}

/** Adds a team's messages to a day. Of one that is there, what was kept with it is made whole: what is there stays. */
export async function insertMessages(db: D1Database, teamId: string, day: Day, messages: readonly MessageRow[]): Promise<void> {
  if (messages.length === 0) return;
  await makePartitions(db, [{ kind: "messages", day }]);
  const table = messagesTable(day);
  const theirs = `json_extract(excluded.facts, '$.${KEPT}')`;
  const ours = `json_extract(${table}.facts, '$.${KEPT}')`;
  const isMissing = (name: string) => `NOT EXISTS (SELECT 1 FROM json_each(${ours}) o WHERE o.key = ${name})`;
  const sql = `INSERT INTO ${table} (email, team, facts)
    SELECT unhex(value ->> 0), unhex(?2), value ->> 1 FROM json_each(?1) WHERE true
    ON CONFLICT (email) DO UPDATE SET facts = json_set(facts, '$.${KEPT}', (
      SELECT json_group_object(k, json(v)) FROM (
        SELECT key AS k, value AS v FROM json_each(${ours})
        UNION ALL SELECT t.key, t.value FROM json_each(${theirs}) t WHERE ${isMissing("t.key")})))
    WHERE EXISTS (SELECT 1 FROM json_each(${theirs}) t WHERE ${isMissing("t.key")})`;
  const statements = chunks(messages).map((rows) => db.prepare(sql).bind(rows, idHex(teamId, "team_")));
  await db.batch(statements);
}

function chunks(messages: readonly MessageRow[]): string[] {
  const arrays: string[][] = [];
  let size = Infinity;
  for (const { email, facts } of messages) {
    const row = JSON.stringify([email, facts]);
    if (size + row.length > PARAMETER_CHARACTERS) {
      arrays.push([]);
      size = 0;
    }
    arrays.at(-1)?.push(row);
    size += row.length + 1;
  }
  return arrays.map((rows) => `[${rows.join(",")}]`);
}
