// Reads and writes suppressions for the mail pipeline (contract.md §Reasons and topics). Finds the
// suppressions that block a send, and adds suppressions for bounces, complaints and unsubscribes.
// One statement handles any number of addresses. An expired row counts as absent.
import type { Scope } from "../../db/client.ts";
import { newId } from "../../lib/ids.ts";
import { BOUNCE_SUPPRESSION_MS } from "../../limits.ts";
import type { SuppressionReason } from "../../rpc/recipient-states.ts";
import { EVERY_TOPIC } from "./normalise.ts";
import { prepareFind, prepareInsert, type SuppressionRow } from "./store.ts";
import {
  EVIDENCE_CHANGES,
  EVIDENCE_VALUES,
  INSERT_SUPPRESSIONS,
  type SuppressionEvidence,
} from "./suppression-evidence.ts";

/** A suppression in force, with the facts that the event email.suppressed shows. */
export interface ActiveSuppression {
  /** The address, trimmed and in lower case. */
  readonly email: string;
  /** `*`, or a topic in lower case. */
  readonly topic: string;
  readonly reason: SuppressionReason;
  readonly classification: string | null;
}

/** An address to suppress for every topic because of a permanent bounce. */
interface BouncedAddress extends Partial<SuppressionEvidence> {
  readonly email: string;
  readonly classification: string | null;
  readonly smtpCode: number | null;
  /** The time of the bounce, Unix milliseconds. The suppression lasts 90 days from then. */
  readonly at: number;
}

/** An address to suppress because its owner reported a message as spam. */
interface ComplainingAddress extends Partial<SuppressionEvidence> {
  readonly email: string;
  /** Feedback type of RFC 5965 in lower case, such as `abuse`. */
  readonly feedbackType: string;
  /** The time of the complaint, Unix milliseconds. */
  readonly at: number;
}

/**
 * If several suppressions apply, the event shows the reason that is first in this list. Facts about
 * the address come before decisions of people.
 */
const PRECEDENCE: readonly SuppressionReason[] = [
  "complaint",
  "permanent_bounce",
  "manual",
  "unsubscribed",
];

const FIND_ACTIVE = `
  SELECT email, topic, reason, classification FROM suppressions
  WHERE team_id = ?1 AND email IN (SELECT value FROM json_each(?2))
    AND (expires_at IS NULL OR expires_at > ?3)`;

// An existing row gets new values. If it is in force, its id and its times of creation stay.
const REPLACE = `ON CONFLICT (team_id, email, topic) DO UPDATE SET
    id = iif(suppressions.expires_at <= ?3, excluded.id, suppressions.id),
    created_at = iif(suppressions.expires_at <= ?3, excluded.created_at, suppressions.created_at),
    suppressed_at = iif(
      suppressions.expires_at <= ?3, excluded.suppressed_at, suppressions.suppressed_at
    ),
    reason = excluded.reason, origin = excluded.origin, classification = excluded.classification,
    smtp_code = excluded.smtp_code, ${EVIDENCE_CHANGES}, expires_at = excluded.expires_at`;

// One statement handles the three kinds of existing rows for (team, email, '*'). An expired row
// gets new values. A permanent bounce in force lasts for another 90 days. Every other row in force
// stays unchanged. The note always stays (contract.md §Reasons and topics).
const SUPPRESS_FOR_BOUNCE = `${INSERT_SUPPRESSIONS}
  SELECT value ->> 'id', ?1, value ->> 'email', '*', 'permanent_bounce', 'auto',
    value ->> 'classification', value ->> 'smtpCode', NULL, ${EVIDENCE_VALUES},
    value ->> 'at', (value ->> 'at') + ?4, ?3
  FROM json_each(?2) WHERE true
  ${REPLACE}
  WHERE suppressions.expires_at < excluded.expires_at
    AND (suppressions.expires_at <= ?3 OR suppressions.reason = 'permanent_bounce')`;

// A complaint never expires, so it replaces a row with an expiry. A row without an expiry stays
// unchanged.
const SUPPRESS_FOR_COMPLAINT = `${INSERT_SUPPRESSIONS}
  SELECT value ->> 'id', ?1, value ->> 'email', '*', 'complaint', 'auto', value ->> 'feedbackType',
    NULL, NULL, ${EVIDENCE_VALUES}, value ->> 'at', NULL, ?3
  FROM json_each(?2) WHERE true
  ${REPLACE}
  WHERE suppressions.expires_at IS NOT NULL`;

/** Finds the suppressions in force at `now`, by lower-case address. */
export async function findActiveSuppressions(
  scope: Scope,
  emails: readonly string[],
  now: number,
): Promise<Map<string, ActiveSuppression[]>> {
  if (emails.length === 0) return new Map();
  const wanted = JSON.stringify([...new Set(emails.map(normalize))]);
  const { results } = await scope.db
    .prepare(FIND_ACTIVE)
    .bind(scope.teamId, wanted, now)
    .all<ActiveSuppression>();
  return Map.groupBy(results, ({ email }) => email);
}

/**
 * Returns the suppression that blocks a send of this topic, or undefined. A suppression for `*`
 * blocks every send. A suppression for a topic blocks only sends of this topic.
 */
export function findSuppressing(
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
 * Suppresses bounced addresses for every topic. A repeated bounce restarts the 90 days, and does
 * not change the row's id, note and first time. A complaint or manual row in force stays unchanged.
 * Idempotent.
 */
export async function suppressForBounce(
  scope: Scope,
  bounced: readonly BouncedAddress[],
  now: number,
): Promise<void> {
  if (bounced.length === 0) return;
  await scope.db
    .prepare(SUPPRESS_FOR_BOUNCE)
    .bind(scope.teamId, toRows(bounced), now, BOUNCE_SUPPRESSION_MS)
    .run();
}

/**
 * Suppresses an address for a topic (lower case) without an expiry, because its owner unsubscribed
 * from a message. Does not change a suppression of this address and topic that is already in force.
 * Returns the row in force, and whether the row is new.
 */
export async function suppressForUnsubscribe(
  scope: Scope,
  email: string,
  topic: string,
  now: number,
  emailId: string | null = null,
): Promise<Pick<SuppressionRow, "reason" | "suppressedAt"> & { readonly isNew: boolean }> {
  const row: SuppressionRow = {
    id: newId("sup"),
    email: normalize(email),
    topic,
    reason: "unsubscribed",
    origin: "auto",
    classification: null,
    smtpCode: null,
    note: null,
    ...(emailId !== null && { emailId, causedAt: now }),
    suppressedAt: now,
    expiresAt: null,
    createdAt: now,
  };
  const [inserted, found] = await scope.db.batch<SuppressionRow>([
    prepareInsert(scope, [row], now),
    prepareFind(scope, row.email, topic, now),
  ]);
  const [holding] = found?.results ?? [];
  if (!holding) throw new Error("the suppression of an unsubscribed address was not stored");
  return {
    reason: holding.reason,
    suppressedAt: holding.suppressedAt,
    isNew: inserted?.meta.changes === 1,
  };
}

/**
 * Suppresses the addresses of complaints for every topic, without an expiry. A bounce in force
 * becomes a complaint with the same id, note and first time. A complaint or manual row without an
 * expiry stays unchanged. Idempotent.
 */
export async function suppressForComplaint(
  scope: Scope,
  complained: readonly ComplainingAddress[],
  now: number,
): Promise<void> {
  if (complained.length === 0) return;
  await scope.db.prepare(SUPPRESS_FOR_COMPLAINT).bind(scope.teamId, toRows(complained), now).run();
}

function normalize(email: string): string {
  return email.trim().toLowerCase();
}

/** Returns the entries as JSON, each with an id and the stored form of its address. */
function toRows(entries: readonly { readonly email: string }[]): string {
  return JSON.stringify(
    entries.map((entry) => ({ ...entry, email: normalize(entry.email), id: newId("sup") })),
  );
}
