// Suppressions in D1, on their team's first shard (contract.md §Reasons and topics): which of them
// stop a send, which one a bounce adds, and which a team sees and changes. Prepared SQL, one
// statement for any number of addresses, since most of it lies on the delivery path. A row whose
// time is over is as good as absent.
import type { Scope } from "../../db/client.ts";
import type { RowPosition } from "../../endpoint.ts";
import { newId } from "../../lib/ids.ts";
import { BOUNCE_SUPPRESSION_MS } from "../../limits.ts";
import { refuse } from "../../refusal.ts";
import { EVERY_TOPIC } from "./normalise.ts";
import type { SuppressionReason } from "./suppression-reasons.ts";

/** Times in Unix milliseconds. */
export interface SuppressionRow {
  readonly id: string;
  readonly email: string;
  readonly topic: string;
  readonly reason: SuppressionReason;
  readonly origin: "auto" | "manual";
  readonly classification: string | null;
  readonly smtpCode: number | null;
  readonly note: string | null;
  readonly suppressedAt: number;
  /** null: it never ends. */
  readonly expiresAt: number | null;
  readonly createdAt: number;
}

/** Each that is given narrows a list. Addresses and topics in their normal form. */
export interface SuppressionFilters {
  readonly emailContains?: string | undefined;
  readonly topic?: string | undefined;
  readonly reason?: SuppressionReason | undefined;
  readonly origin?: SuppressionRow["origin"] | undefined;
}

/** A suppression in force, as email.suppressed reports it. */
export interface ActiveSuppression {
  /** Trimmed, lower case. */
  readonly email: string;
  /** `*`, or a topic in lower case. */
  readonly topic: string;
  readonly reason: SuppressionReason;
  readonly classification: string | null;
}

/** One address that a permanent bounce suppresses, for every topic. */
interface BouncedAddress {
  readonly email: string;
  readonly classification: string | null;
  readonly smtpCode: number | null;
  /** Unix milliseconds of the bounce; the 90 days run from here. */
  readonly at: number;
}

/** One address whose owner called the mail spam. */
interface ComplainingAddress {
  readonly email: string;
  /** RFC 5965, lower case, e.g. `abuse`. */
  readonly feedbackType: string;
  /** Unix milliseconds. */
  readonly at: number;
}

/** Which of several is reported: what the address did, before what somebody decided. */
const PRECEDENCE: readonly SuppressionReason[] = [
  "complaint",
  "permanent_bounce",
  "manual",
  "unsubscribed",
];

const FIND_ACTIVE = `
  SELECT email, topic, reason, classification FROM suppressions
  WHERE team_id = ?1 AND email IN (SELECT value FROM json_each(?2)) AND (expires_at IS NULL OR expires_at > ?3)`;

// One rule for three kinds of row under the same (team, email, '*'): one whose time is over starts
// afresh, a permanent bounce in force gets its window renewed, and whatever else is in force stays
// as it is. The note survives all of them (contract.md §Reasons and topics).
const SUPPRESS_FOR_BOUNCE = `
  INSERT INTO suppressions (id, team_id, email, topic, reason, origin, classification, smtp_code, note, suppressed_at, expires_at, created_at)
  SELECT value ->> 'id', ?1, value ->> 'email', '*', 'permanent_bounce', 'auto', value ->> 'classification', value ->> 'smtpCode', NULL,
    value ->> 'at', (value ->> 'at') + ?4, ?3
  FROM json_each(?2) WHERE true
  ON CONFLICT (team_id, email, topic) DO UPDATE SET
    id = iif(suppressions.expires_at <= ?3, excluded.id, suppressions.id),
    created_at = iif(suppressions.expires_at <= ?3, excluded.created_at, suppressions.created_at),
    suppressed_at = iif(suppressions.expires_at <= ?3, excluded.suppressed_at, suppressions.suppressed_at),
    reason = excluded.reason,
    origin = excluded.origin,
    classification = excluded.classification,
    smtp_code = excluded.smtp_code,
    expires_at = excluded.expires_at
  WHERE suppressions.expires_at < excluded.expires_at AND (suppressions.expires_at <= ?3 OR suppressions.reason = 'permanent_bounce')`;

// A complaint never ends, so it takes the place of whatever does, and what never ends stays as it
// is.
const SUPPRESS_FOR_COMPLAINT = `
  INSERT INTO suppressions (id, team_id, email, topic, reason, origin, classification, smtp_code, note, suppressed_at, expires_at, created_at)
  SELECT value ->> 'id', ?1, value ->> 'email', '*', 'complaint', 'auto', value ->> 'feedbackType', NULL, NULL, value ->> 'at', NULL, ?3
  FROM json_each(?2) WHERE true
  ON CONFLICT (team_id, email, topic) DO UPDATE SET
    id = iif(suppressions.expires_at <= ?3, excluded.id, suppressions.id),
    created_at = iif(suppressions.expires_at <= ?3, excluded.created_at, suppressions.created_at),
    suppressed_at = iif(suppressions.expires_at <= ?3, excluded.suppressed_at, suppressions.suppressed_at),
    reason = excluded.reason,
    origin = excluded.origin,
    classification = excluded.classification,
    smtp_code = NULL,
    expires_at = NULL
  WHERE suppressions.expires_at IS NOT NULL`;

const COLUMNS = `id, email, topic, reason, origin, classification, smtp_code AS smtpCode, note,
  suppressed_at AS suppressedAt, expires_at AS expiresAt, created_at AS createdAt`;

// instr takes `%` and `_` as they are, and D1 limits patterns of LIKE to 50 bytes. The position is
// a row value, so that a page costs no more for being deep.
const LIST = `
  SELECT ${COLUMNS} FROM suppressions
  WHERE team_id = ?1 AND (created_at, id) < (?2, ?3) AND (expires_at IS NULL OR expires_at > ?4)
    AND (?5 IS NULL OR instr(email, ?5) > 0) AND (?6 IS NULL OR topic = ?6) AND (?7 IS NULL OR reason = ?7) AND (?8 IS NULL OR origin = ?8)
  ORDER BY created_at DESC, id DESC LIMIT ?9`;

/** Later than everything. */
const NEWEST: RowPosition = { createdAt: Number.MAX_SAFE_INTEGER, id: "" };

// The plus signs keep the planner from walking the whole list in order, where the few rows of an
// address are to be sorted.
const FIND = `
  SELECT ${COLUMNS} FROM suppressions
  WHERE team_id = ?1 AND email = ?2 AND (?3 IS NULL OR topic = ?3) AND (expires_at IS NULL OR expires_at > ?4)
  ORDER BY +created_at DESC, +id DESC`;

const REMOVE = `
  DELETE FROM suppressions WHERE team_id = ?1 AND email = ?2 AND (?3 IS NULL OR topic = ?3) AND (expires_at IS NULL OR expires_at > ?4)`;

// A row in force stays as it is, one whose time is over makes way for the new one in every column.
const INSERT = `
  INSERT INTO suppressions (id, team_id, email, topic, reason, origin, classification, smtp_code, note, suppressed_at, expires_at, created_at)
  SELECT value ->> 'id', ?1, value ->> 'email', value ->> 'topic', value ->> 'reason', value ->> 'origin', value ->> 'classification',
    value ->> 'smtpCode', value ->> 'note', value ->> 'suppressedAt', value ->> 'expiresAt', value ->> 'createdAt'
  FROM json_each(?2) WHERE true
  ON CONFLICT (team_id, email, topic) DO UPDATE SET
    id = excluded.id, reason = excluded.reason, origin = excluded.origin, classification = excluded.classification, smtp_code = excluded.smtp_code,
    note = excluded.note, suppressed_at = excluded.suppressed_at, expires_at = excluded.expires_at, created_at = excluded.created_at
  WHERE suppressions.expires_at <= ?3`;

// The plus sign keeps the planner from walking all of the team's rows, where the ids lead to the
// few that are meant.
const COUNT_STORED = `SELECT count(*) AS stored FROM suppressions WHERE +team_id = ?1 AND id IN (SELECT value ->> 'id' FROM json_each(?2))`;

const REMOVE_EXPIRED = `DELETE FROM suppressions WHERE rowid IN (SELECT rowid FROM suppressions WHERE expires_at <= ?1 LIMIT ?2)`;
const REMOVE_OF_TEAM = `DELETE FROM suppressions WHERE rowid IN (SELECT rowid FROM suppressions WHERE team_id = ?1 LIMIT ?2)`;

/**
 * The suppressions in force at `now`, by address in lower case; an address without any is absent.
 */
export async function findActiveSuppressions(
  scope: Scope,
  emails: readonly string[],
  now: number,
): Promise<Map<string, ActiveSuppression[]>> {
  if (emails.length === 0) return new Map();
  const wanted = JSON.stringify([...new Set(emails.map(normalised))]);
  const { results } = await scope.db
    .prepare(FIND_ACTIVE)
    .bind(scope.teamId, wanted, now)
    .all<ActiveSuppression>();
  return Map.groupBy(results, ({ email }) => email);
}

/**
 * Which of an address's suppressions stops a send of this topic, if any. `*` stops every send; a
 * topic's row only sends of that topic.
 */
export function suppressing(
  rows: readonly ActiveSuppression[],
  topic: string | null,
): ActiveSuppression | undefined {
  const wanted = topic?.toLowerCase();
  return rows
    .filter((row) => row.topic === EVERY_TOPIC || row.topic === wanted)
    .toSorted(
      (left, right) =>
        PRECEDENCE.indexOf(left.reason) - PRECEDENCE.indexOf(right.reason) ||
        left.topic.localeCompare(right.topic),
    )[0];
}

/**
 * Suppresses bounced addresses for every topic. A repeat renews the 90 days and keeps the row's id,
 * note and first time; a complaint or manual row in force is left alone. Doing it twice is doing it
 * once.
 */
export async function suppressForBounce(
  scope: Scope,
  bounced: readonly BouncedAddress[],
  now: number,
): Promise<void> {
  if (bounced.length === 0) return;
  const rows = bounced.map((entry) => ({
    ...entry,
    email: normalised(entry.email),
    id: newId("sup"),
  }));
  await scope.db
    .prepare(SUPPRESS_FOR_BOUNCE)
    .bind(scope.teamId, JSON.stringify(rows), now, BOUNCE_SUPPRESSION_MS)
    .run();
}

/**
 * Suppresses an address for a topic (lower case), for good, because its owner unsubscribed. What is
 * in force for the two already stays as it is: the answer is the row that holds now, and whether it
 * is new.
 */
export async function suppressForUnsubscribe(
  scope: Scope,
  email: string,
  topic: string,
  now: number,
): Promise<Pick<SuppressionRow, "reason" | "suppressedAt"> & { readonly isNew: boolean }> {
  const nothing = { classification: null, smtpCode: null, note: null, expiresAt: null };
  const times = { suppressedAt: now, createdAt: now };
  const row = {
    ...nothing,
    ...times,
    id: newId("sup"),
    email: normalised(email),
    topic,
    reason: "unsubscribed",
    origin: "auto",
  };
  const [inserted, found] = await scope.db.batch<SuppressionRow>([
    scope.db.prepare(INSERT).bind(scope.teamId, JSON.stringify([row]), now),
    scope.db.prepare(FIND).bind(scope.teamId, row.email, topic, now),
  ]);
  const [holding] = found?.results ?? [];
  if (!holding) throw new Error("an unsubscribed address has no suppression");
  return {
    reason: holding.reason,
    suppressedAt: holding.suppressedAt,
    isNew: inserted?.meta.changes === 1,
  };
}

/**
 * Suppresses addresses that complained, for every topic and for good. A bounce in force becomes a
 * complaint and keeps its id, note and first time; a complaint or manual row that never ends is
 * left alone. Doing it twice is doing it once.
 */
export async function suppressForComplaint(
  scope: Scope,
  complained: readonly ComplainingAddress[],
  now: number,
): Promise<void> {
  if (complained.length === 0) return;
  const rows = complained.map((entry) => ({
    ...entry,
    email: normalised(entry.email),
    id: newId("sup"),
  }));
  await scope.db
    .prepare(SUPPRESS_FOR_COMPLAINT)
    .bind(scope.teamId, JSON.stringify(rows), now)
    .run();
}

/**
 * Deletes rows of every team whose time is over: at most `limit` of them, so that a sweep stays
 * small. Returns how many.
 */
export async function removeExpiredSuppressions(
  db: D1Database,
  now: number,
  limit: number,
): Promise<number> {
  const { meta } = await db.prepare(REMOVE_EXPIRED).bind(now, limit).run();
  return meta.changes;
}

/** Deletes at most `limit` of a team's rows. Returns how many. */
export async function removeSuppressionsOfTeam(
  { db, teamId }: Scope,
  limit: number,
): Promise<number> {
  const { meta } = await db.prepare(REMOVE_OF_TEAM).bind(teamId, limit).run();
  return meta.changes;
}

/** Those in force at `now`, newest first, `limit` rows older than `after`. */
export async function listSuppressions(
  scope: Scope,
  filters: SuppressionFilters,
  limit: number,
  after: RowPosition | null,
  now: number,
): Promise<SuppressionRow[]> {
  const { createdAt, id } = after ?? NEWEST;
  const { emailContains = null, topic = null, reason = null, origin = null } = filters;
  const { results } = await scope.db
    .prepare(LIST)
    .bind(scope.teamId, createdAt, id, now, emailContains, topic, reason, origin, limit)
    .all<SuppressionRow>();
  return results;
}

/**
 * An address's suppressions in force at `now`, of every topic, newest first; at least one, or it
 * throws not_found.
 */
export async function getSuppressions(
  scope: Scope,
  email: string,
  now: number,
): Promise<SuppressionRow[]> {
  const { results } = await scope.db
    .prepare(FIND)
    .bind(scope.teamId, email, null, now)
    .all<SuppressionRow>();
  if (results.length === 0) throw refuse("not_found");
  return results;
}

export async function getSuppression(
  scope: Scope,
  email: string,
  topic: string,
  now: number,
): Promise<SuppressionRow> {
  const row = await scope.db
    .prepare(FIND)
    .bind(scope.teamId, email, topic, now)
    .first<SuppressionRow>();
  if (!row) throw refuse("not_found");
  return row;
}

/**
 * Adds those whose (email, topic) has nothing in force at `now`, the first of two equal ones, and
 * answers how many that were.
 */
export async function insertSuppressions(
  scope: Scope,
  rows: readonly SuppressionRow[],
  now: number,
): Promise<number> {
  const { meta } = await scope.db
    .prepare(INSERT)
    .bind(scope.teamId, JSON.stringify(rows), now)
    .run();
  return meta.changes;
}

/**
 * Does the same for a slice of an import, at most 2 MB as JSON, and answers how many of these very
 * rows are stored then. Doing it twice is doing it once, and has the same answer.
 */
export async function importSuppressions(
  scope: Scope,
  rows: readonly SuppressionRow[],
  now: number,
): Promise<number> {
  if (rows.length === 0) return 0;
  const given = JSON.stringify(rows);
  const [, counted] = await scope.db.batch<{ stored: number }>([
    scope.db.prepare(INSERT).bind(scope.teamId, given, now),
    scope.db.prepare(COUNT_STORED).bind(scope.teamId, given),
  ]);
  return counted?.results[0]?.stored ?? 0;
}

/**
 * Removes what is in force at `now` for the address: of one topic, or of every topic where that is
 * null. Answers whether there was anything.
 */
export async function removeSuppressions(
  scope: Scope,
  email: string,
  topic: string | null,
  now: number,
): Promise<boolean> {
  const { meta } = await scope.db.prepare(REMOVE).bind(scope.teamId, email, topic, now).run();
  return meta.changes > 0;
}

function normalised(email: string): string {
  return email.trim().toLowerCase();
}
