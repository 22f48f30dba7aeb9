// Makes a ledger's deferred messages for a storm by SQL. The messages are copies of one scheduled
// message. A server would need too long to defer tens of thousands of real messages.

/**
 * The deferred messages that a ledger must have. With `copies` 0, the ledger adds none and deletes
 * those that are not due.
 */
export interface DeferredRequest {
  /** The id of the scheduled message, and the token in its subject, text and address. */
  readonly emailId: string;
  readonly token: string;
  readonly copies: number;
  /** The number of copies that are due during the storm. The other copies are due a day later. */
  readonly due: number;
}

interface Sql {
  exec(
    query: string,
    ...values: readonly (string | number)[]
  ): { one(): { readonly count: number } };
}

const FIRST_DUE_MS = 300;
const DUE_EVERY_MS = 4;
const LATER_MS = 24 * 60 * 60_000;

/**
 * The parameters of both queries: ?1 is the scheduled message, ?2 the first and ?3 the last copy,
 * ?4 the time.
 */
const COPIES = `
  WITH RECURSIVE numbers (n) AS (SELECT CAST(?2 AS INTEGER) UNION ALL SELECT n + 1 FROM numbers WHERE n < ?3),
    first AS (SELECT * FROM scheduled WHERE id = ?1),
    last AS (SELECT max(iif(seq < 1 << 40, seq, seq - (1 << 40))) AS seq FROM
      (SELECT seq FROM ledger UNION ALL SELECT state ->> '$.lastSeq' FROM log_state UNION ALL SELECT 0))
  INSERT INTO ledger (seq, id, accepted_at, recipients, jobs, wake_at, since, states, meta, content)
  SELECT last.seq + n, substr(id, 1, length(id) - 12) || printf('%012x', n), ?4, 1,
    json_object('0', json_object('state', 'waiting', 'attempt', 1, 'dueAt',`;
const DUE = `${COPIES} ?4 + ${FIRST_DUE_MS} + n * ${DUE_EVERY_MS})),
    ?4 + ${FIRST_DUE_MS} + n * ${DUE_EVERY_MS}, ?4, 1 + (1 << 32),
    replace(replace(meta, substr(id, 7), substr(id, 7, length(id) - 18) || printf('%012x', n)), ?5, ?5 || n || 'x'),
    replace(content, ?5, ?5 || n || 'x')
  FROM numbers, first, last`;
const LATER = `${COPIES} ?4 + ${LATER_MS})), ?4 + ${LATER_MS}, ?4, 1 + (1 << 32), '{}', ''
  FROM numbers, first, last`;

/** Returns the token of a copy. Copies are counted from 1. */
export function copiedToken(token: string, copy: number): string {
  return `${token}${copy}x`;
}

/** Returns the id of a copy. Copies are counted from 1. */
export function copiedId(emailId: string, copy: number): string {
  return emailId.slice(0, -12) + copy.toString(16).padStart(12, "0");
}

/**
 * Adds the messages, or deletes those that are not due. Returns how many messages were not due
 * before. The ledger must restart after this call.
 */
export function setDeferred(
  sql: Sql,
  { emailId, token, copies, due }: DeferredRequest,
  now: number,
): number {
  const later = now + LATER_MS / 2;
  const { count } = sql.exec("SELECT count(*) AS count FROM ledger WHERE wake_at > ?", later).one();
  if (copies === 0) sql.exec("DELETE FROM ledger WHERE wake_at > ?", later);
  // A repeated request adds nothing.
  else if (count === 0) {
    sql.exec(DUE, emailId, 1, due, now, token);
    sql.exec(LATER, emailId, due + 1, copies, now);
  }
  return count;
}
