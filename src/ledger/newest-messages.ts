// Finds the newest messages in one of a ledger's tables: messages below an id, and messages that
// mention a text.
import type { MentioningMessage } from "../rpc/ledger.ts";
import { MESSAGES_SEARCHED } from "../limits.ts";

/**
 * Returns up to `limit` ids below `before`, the highest first. `from` is the table with an SQL
 * condition that ends in AND or WHERE.
 */
export function idsBelow(sql: SqlStorage, from: string, before: string, limit: number): string[] {
  const select = `SELECT id FROM ${from} id < ? ORDER BY id DESC LIMIT ?`;
  return Array.from(sql.exec<{ id: string }>(select, before, limit), ({ id }) => id);
}

/**
 * Searches the JSON of the newest messages for `text`, ignoring upper and lower case. `from` is the
 * table with its messages in order, the newest first.
 */
export function messagesMentioning(
  sql: SqlStorage,
  from: string,
  text: string,
  limit: number,
): MentioningMessage[] {
  const select =
    `SELECT id AS emailId, meta FROM (SELECT id, meta FROM ${from} LIMIT ${MESSAGES_SEARCHED}) ` +
    "WHERE instr(lower(meta), lower(?)) > 0 ORDER BY id DESC LIMIT ?";
  return sql.exec<{ emailId: string; meta: string }>(select, text, limit).toArray();
}
