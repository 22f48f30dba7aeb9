// Suppressions in D1 (spec.md "Suppression" and "Suppression expiry"): what stops a send, and what a bounce adds. Prepared SQL, one statement
// for any number of addresses, since both lie on the delivery path. A row whose time is over is as good as absent.
import type { Scope } from "../../db/client.ts";
import { newId } from "../../lib/ids.ts";
import { BOUNCE_SUPPRESSION_MS } from "../../limits.ts";
import type { SuppressionReason } from "./wire.ts";

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
export interface BouncedAddress {
  readonly email: string;
  readonly classification: string | null;
  readonly smtpCode: number | null;
  /** Unix milliseconds of the bounce; the 90 days run from here. */
  readonly at: number;
}

const EVERY_TOPIC = "*";

/** Which of several is reported: what the address did, before what somebody decided. */
const PRECEDENCE: readonly SuppressionReason[] = ["complaint", "permanent_bounce", "manual", "unsubscribed"];

const FIND_ACTIVE = `
  SELECT email, topic, reason, classification FROM suppressions
  WHERE team_id = ?1 AND email IN (SELECT value FROM json_each(?2)) AND (expires_at IS NULL OR expires_at > ?3)`;

// One rule for three kinds of row under the same (team, email, '*'): one whose time is over starts afresh, a permanent bounce in force gets its window
// renewed, and whatever else is in force stays as it is. The note survives all of them (spec.md).
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

const REMOVE_EXPIRED = `DELETE FROM suppressions WHERE rowid IN (SELECT rowid FROM suppressions WHERE expires_at <= ?1 LIMIT ?2)`;
const SWEEP_ROWS = 5_000;

/** The suppressions in force at `now`, by address in lower case; an address without any is absent. */
export async function findActiveSuppressions(
  scope: Scope,
  emails: readonly string[],
  now: number,
): Promise<Map<string, ActiveSuppression[]>> {
  if (emails.length === 0) return new Map();
  const wanted = JSON.stringify([...new Set(emails.map(normalised))]);
  const { results } = await scope.db.prepare(FIND_ACTIVE).bind(scope.teamId, wanted, now).all<ActiveSuppression>();
  return Map.groupBy(results, ({ email }) => email);
}

/** Which of an address's suppressions stops a send of this topic, if any. `*` stops every send; a topic's row only sends of that topic. */
export function suppressing(rows: readonly ActiveSuppression[], topic: string | null): ActiveSuppression | undefined {
  const wanted = topic?.toLowerCase();
  return rows
    .filter((row) => row.topic === EVERY_TOPIC || row.topic === wanted)
    .toSorted(
      (left, right) => PRECEDENCE.indexOf(left.reason) - PRECEDENCE.indexOf(right.reason) || left.topic.localeCompare(right.topic),
    )[0];
}

/**
 * Suppresses bounced addresses for every topic. A repeat renews the 90 days and keeps the row's id, note and first time; a complaint or manual row in
 * force is left alone. Doing it twice is doing it once.
 */
export async function suppressForBounce(scope: Scope, bounced: readonly BouncedAddress[], now: number): Promise<void> {
  if (bounced.length === 0) return;
  const rows = bounced.map((entry) => ({ ...entry, email: normalised(entry.email), id: newId("sup") }));
  await scope.db.prepare(SUPPRESS_FOR_BOUNCE).bind(scope.teamId, JSON.stringify(rows), now, BOUNCE_SUPPRESSION_MS).run();
}

/** Deletes rows of every team whose time is over: at most `limit` of them, so that a sweep stays small. Returns how many. */
export async function removeExpiredSuppressions(db: D1Database, now: number, limit = SWEEP_ROWS): Promise<number> {
  const { meta } = await db.prepare(REMOVE_EXPIRED).bind(now, limit).run();
  return meta.changes;
}

function normalised(email: string): string {
  return email.trim().toLowerCase();
}
