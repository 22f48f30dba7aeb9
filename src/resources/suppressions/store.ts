// Stores suppressions in D1, on their team's first shard (contract.md §Reasons and topics), and
// lists, adds and removes them for the team. An expired row counts as absent. The mail pipeline
// uses automatic-suppressions.ts instead.
import { prepareEntryAfter } from "../../db/audit-entries.ts";
import type { Scope } from "../../db/client.ts";
import { COUNTED_SUPPRESSIONS } from "../../limits.ts";
import { requireRow, refuse } from "../../refusal.ts";
import type { SuppressionReason } from "../../rpc/recipient-states.ts";
import { suppressionName } from "./normalise.ts";
import {
  EVIDENCE_CHANGES,
  EVIDENCE_VALUES,
  INSERT_SUPPRESSIONS,
  type SuppressionEvidence,
} from "./suppression-evidence.ts";

/** `auto`: the service added the suppression. `manual`: the team added it. */
export const ORIGINS = ["auto", "manual"] as const;

/** Times are in Unix milliseconds. */
export interface SuppressionRow extends Partial<SuppressionEvidence> {
  readonly id: string;
  readonly email: string;
  readonly topic: string;
  readonly reason: SuppressionReason;
  readonly origin: (typeof ORIGINS)[number];
  readonly classification: string | null;
  readonly smtpCode: number | null;
  readonly note: string | null;
  readonly suppressedAt: number;
  /** When the suppression expires. Null: it never expires. */
  readonly expiresAt: number | null;
  readonly createdAt: number;
}

/** Filters of a list. Addresses and topics are normalized. */
export interface SuppressionFilters {
  readonly emailContains?: string | undefined;
  readonly topic?: string | undefined;
  readonly reason?: SuppressionReason | undefined;
  readonly origin?: SuppressionRow["origin"] | undefined;
}

/** The orders in which a list can be sorted. */
export const SORTS = ["newest", "oldest", "email"] as const;

export type SuppressionSort = (typeof SORTS)[number];

/** A row's values in the two columns by which a list is sorted. */
export type SuppressionPosition = readonly [first: string | number, second: string];

/**
 * Selects `limit` rows after the position `after`, in the order `sort`. `after` null: begins with
 * the first row.
 */
interface SuppressionSlice {
  readonly sort: SuppressionSort;
  readonly after: SuppressionPosition | null;
  readonly limit: number;
}

const COLUMNS = `id, email, topic, reason, origin, classification, smtp_code AS smtpCode, note,
  reply, stage, mx_host AS mxHost, email_id AS emailId, caused_at AS causedAt,
  suppressed_at AS suppressedAt, expires_at AS expiresAt, created_at AS createdAt`;

// The statement uses instr and not LIKE, because D1 limits LIKE patterns to 50 bytes, and `%` and
// `_` have no special meaning for instr.
const MATCHES = `(expires_at IS NULL OR expires_at > ?2)
    AND (?3 IS NULL OR instr(email, ?3) > 0) AND (?4 IS NULL OR topic = ?4)
      AND (?5 IS NULL OR reason = ?5) AND (?6 IS NULL OR origin = ?6)`;

// The position is compared as a row value of an index, so the last page of a list costs as much as
// the first.
const listBy = (position: string, order: string) => `
  SELECT ${COLUMNS} FROM suppressions
  WHERE team_id = ?1 AND ${position} AND ${MATCHES}
  ORDER BY ${order} LIMIT ?9`;

const LISTS: Readonly<Record<SuppressionSort, string>> = {
  newest: listBy("(created_at, id) < (?7, ?8)", "created_at DESC, id DESC"),
  oldest: listBy("(created_at, id) > (?7, ?8)", "created_at, id"),
  email: listBy("(email, topic) > (?7, ?8)", "email, topic"),
};

/** The position before all rows of a list, for each sort order. */
const STARTS: Readonly<Record<SuppressionSort, SuppressionPosition>> = {
  newest: [Number.MAX_SAFE_INTEGER, ""],
  oldest: [-1, ""],
  email: ["", ""],
};

// The inner limit bounds the number of rows that the statement reads, including rows that do not
// match.
const countOf = (columns: string) => `
  SELECT count(*) AS looked, count(CASE WHEN ${MATCHES} THEN 1 END) AS total
  FROM (SELECT ${columns} FROM suppressions WHERE team_id = ?1
    ORDER BY created_at DESC, id DESC LIMIT ?7)`;

const COUNT = countOf("email, topic, reason, origin, expires_at");
// Counts without filters, and reads only the index.
const COUNT_ALL = countOf(
  "NULL AS email, NULL AS topic, NULL AS reason, NULL AS origin, expires_at",
);

// Because of the plus signs, SQLite's planner sorts the few rows of one address. Without the plus
// signs, it would scan the team's whole list in order.
const FIND = `
  SELECT ${COLUMNS} FROM suppressions
  WHERE team_id = ?1 AND email = ?2 AND (?3 IS NULL OR topic = ?3)
    AND (expires_at IS NULL OR expires_at > ?4)
  ORDER BY +created_at DESC, +id DESC`;

const FIND_BY_ID = `
  SELECT ${COLUMNS} FROM suppressions
  WHERE +team_id = ?1 AND id = ?2 AND (expires_at IS NULL OR expires_at > ?3)`;

const FIND_OF_ADDRESSES = `
  SELECT ${COLUMNS} FROM suppressions
  WHERE team_id = ?1 AND email IN (SELECT value FROM json_each(?2))
    AND (expires_at IS NULL OR expires_at > ?3)
  ORDER BY +created_at DESC, +id DESC`;

// No address contains the highest character. So the range covers all addresses that begin with the
// text.
const COMPLETE = `
  SELECT DISTINCT email FROM suppressions
  WHERE team_id = ?1 AND email >= ?2 AND email < ?2 || char(1114111)
    AND (expires_at IS NULL OR expires_at > ?3)
  ORDER BY email LIMIT ?4`;

const REMOVE = `
  DELETE FROM suppressions WHERE team_id = ?1 AND email = ?2 AND (?3 IS NULL OR topic = ?3)
    AND (expires_at IS NULL OR expires_at > ?4)`;

// A row in force stays unchanged. An expired row gets new values in every column.
const INSERT = `${INSERT_SUPPRESSIONS}
  SELECT value ->> 'id', ?1, value ->> 'email', value ->> 'topic', value ->> 'reason',
    value ->> 'origin', value ->> 'classification',
    value ->> 'smtpCode', value ->> 'note', ${EVIDENCE_VALUES}, value ->> 'suppressedAt',
    value ->> 'expiresAt', value ->> 'createdAt'
  FROM json_each(?2) WHERE true
  ON CONFLICT (team_id, email, topic) DO UPDATE SET
    id = excluded.id, reason = excluded.reason, origin = excluded.origin,
    classification = excluded.classification, smtp_code = excluded.smtp_code,
    note = excluded.note, ${EVIDENCE_CHANGES}, suppressed_at = excluded.suppressed_at,
    expires_at = excluded.expires_at, created_at = excluded.created_at
  WHERE suppressions.expires_at <= ?3`;

// Because of the plus sign, SQLite's planner looks up the few ids. Without it, the planner would
// scan all of the team's rows.
const COUNT_STORED =
  "SELECT count(*) AS stored FROM suppressions WHERE +team_id = ?1 AND id IN (SELECT value ->> " +
  "'id' FROM json_each(?2))";

const REMOVE_EXPIRED =
  "DELETE FROM suppressions WHERE rowid IN (SELECT rowid FROM suppressions WHERE expires_at <= " +
  "?1 LIMIT ?2)";
/**
 * Makes the statement that stores rows, except rows whose email and topic have a suppression in
 * force at `now`.
 */
export function prepareInsert(
  scope: Scope,
  rows: readonly SuppressionRow[],
  now: number,
): D1PreparedStatement {
  return scope.db.prepare(INSERT).bind(scope.teamId, JSON.stringify(rows), now);
}

/**
 * Makes the statement that selects an address's suppressions in force at `now`, newest first.
 * `topic` null: selects the suppressions of every topic.
 */
export function prepareFind(
  scope: Scope,
  email: string,
  topic: string | null,
  now: number,
): D1PreparedStatement {
  return scope.db.prepare(FIND).bind(scope.teamId, email, topic, now);
}

/** Deletes up to `limit` expired rows of all teams. Returns the number of deleted rows. */
export async function removeExpiredSuppressions(
  db: D1Database,
  now: number,
  limit: number,
): Promise<number> {
  const { meta } = await db.prepare(REMOVE_EXPIRED).bind(now, limit).run();
  return meta.changes;
}

/**
 * Lists up to `limit` suppressions in force at `now` after a position. The order `email` sorts by
 * address, then by topic.
 */
export async function listSuppressions(
  scope: Scope,
  filters: SuppressionFilters,
  { sort, after, limit }: SuppressionSlice,
  now: number,
): Promise<SuppressionRow[]> {
  const { results } = await scope.db
    .prepare(LISTS[sort])
    .bind(scope.teamId, now, ...filterValues(filters), ...(after ?? STARTS[sort]), limit)
    .all<SuppressionRow>();
  return results;
}

/** Returns the position of a row in a list with this order. */
export function positionOf(row: SuppressionRow, sort: SuppressionSort): SuppressionPosition {
  return sort === "email" ? [row.email, row.topic] : [row.createdAt, row.id];
}

/**
 * Counts the suppressions in force at `now` among the newest COUNTED_SUPPRESSIONS rows. `hasMore`
 * is true if the team has further rows.
 */
export async function countSuppressions(
  scope: Scope,
  filters: SuppressionFilters,
  now: number,
): Promise<{ readonly total: number; readonly hasMore: boolean }> {
  const values = filterValues(filters);
  const statement = values.some((value) => value !== null) ? COUNT : COUNT_ALL;
  const row = await scope.db
    .prepare(statement)
    .bind(scope.teamId, now, ...values, COUNTED_SUPPRESSIONS + 1)
    .first<{ looked: number; total: number }>();
  const { looked = 0, total = 0 } = row ?? {};
  const hasMore = looked > COUNTED_SUPPRESSIONS;
  return { total: Math.min(total, COUNTED_SUPPRESSIONS), hasMore };
}

function filterValues(filters: SuppressionFilters): (string | null)[] {
  const { emailContains = null, topic = null, reason = null, origin = null } = filters;
  return [emailContains, topic, reason, origin];
}

/**
 * Returns an address's suppressions in force at `now`, for all topics, newest first. With an id,
 * returns only the suppression with this id. Throws `not_found` if the result would be empty.
 */
export async function getSuppressions(
  scope: Scope,
  emailOrId: string,
  now: number,
): Promise<SuppressionRow[]> {
  const find = emailOrId.includes("@")
    ? prepareFind(scope, emailOrId, null, now)
    : scope.db.prepare(FIND_BY_ID).bind(scope.teamId, emailOrId, now);
  const { results } = await find.all<SuppressionRow>();
  if (results.length === 0) throw refuse("not_found");
  return results;
}

export async function getSuppression(
  scope: Scope,
  email: string,
  topic: string,
  now: number,
): Promise<SuppressionRow> {
  return requireRow(await prepareFind(scope, email, topic, now).first<SuppressionRow>());
}

/** Lists the suppressions in force at `now` of these normalized addresses, newest first. */
export async function listSuppressionsOf(
  scope: Scope,
  emails: readonly string[],
  now: number,
): Promise<SuppressionRow[]> {
  if (emails.length === 0) return [];
  const { results } = await scope.db
    .prepare(FIND_OF_ADDRESSES)
    .bind(scope.teamId, JSON.stringify(emails), now)
    .all<SuppressionRow>();
  return results;
}

/** Returns up to `limit` suppressed addresses that begin with a normalized text, sorted. */
export async function completeSuppressed(
  scope: Scope,
  prefix: string,
  limit: number,
  now: number,
): Promise<string[]> {
  const { results } = await scope.db
    .prepare(COMPLETE)
    .bind(scope.teamId, prefix, now, limit)
    .all<{ email: string }>();
  return results.map(({ email }) => email);
}

/**
 * Stores a suppression. Returns false and stores nothing if a suppression of this email and topic
 * is in force at `now`.
 */
export async function insertSuppression(
  scope: Scope,
  row: SuppressionRow,
  now: number,
): Promise<boolean> {
  const [inserted] = await scope.db.batch([
    prepareInsert(scope, [row], now),
    ...prepareEntryAfter(scope, { target: suppressionName(row.email, row.topic) }),
  ]);
  return inserted!.meta.changes > 0;
}

/**
 * Stores a slice of an import, at most 2 MB as JSON, by the rules of insertSuppression(). Returns
 * how many of these rows are then in the table. A repeated call changes nothing and returns the
 * same number.
 */
export async function importSuppressions(
  scope: Scope,
  rows: readonly SuppressionRow[],
  now: number,
): Promise<number> {
  if (rows.length === 0) return 0;
  const [, counted] = await scope.db.batch<{ stored: number }>([
    prepareInsert(scope, rows, now),
    scope.db.prepare(COUNT_STORED).bind(scope.teamId, JSON.stringify(rows)),
  ]);
  return counted?.results[0]?.stored ?? 0;
}

/**
 * Removes an address's suppressions in force at `now`. `topic` null: removes the suppressions of
 * every topic. Returns whether it removed a suppression.
 */
export async function removeSuppressions(
  scope: Scope,
  email: string,
  topic: string | null,
  now: number,
): Promise<boolean> {
  const [removed] = await scope.db.batch([
    scope.db.prepare(REMOVE).bind(scope.teamId, email, topic, now),
    ...prepareEntryAfter(scope, { target: suppressionName(email, topic) }),
  ]);
  return removed!.meta.changes > 0;
}
