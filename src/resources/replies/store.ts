// Stores replies in D1, on their team's first shard (docs/storage.md §Replies). A reply's id is
// derived from its token and Message-ID, so that a reply that is delivered twice has one row.
import type { Scope } from "../../db/client.ts";
import { DAY_MS } from "../../limits.ts";
import { requireRow } from "../../refusal.ts";
import type { RowPosition } from "../../endpoint.ts";
import type { ReceivedFacts, SenderChecks } from "./reply-records.ts";

/** Times are in Unix milliseconds. */
export interface ReplyRow extends SenderChecks {
  readonly id: string;
  readonly emailId: string;
  readonly recipientIndex: number;
  readonly recipient: string | null;
  readonly fromEmail: string | null;
  readonly fromName: string | null;
  readonly fromRecipient: boolean;
  readonly subject: string;
  /** The beginning of the reply's text. */
  readonly preview: string;
  readonly auto: boolean;
  readonly facts: StoredFacts;
  readonly bytes: number;
  readonly seenAt: number | null;
  /** When the reply was received. */
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** The facts of a reply that are stored as one JSON text, because no query selects by them. */
interface StoredFacts extends ReceivedFacts {
  /** The addresses that the sender gave as `reply_to`. */
  readonly replyTo: readonly string[];
  /** The key of the raw mail in R2. */
  readonly rawKey: string;
}

export interface ReplyFilters {
  readonly emailId?: string | undefined;
  readonly recipient?: string | undefined;
  readonly seen?: boolean | undefined;
}

type StoredRow = Omit<ReplyRow, "fromRecipient" | "auto" | "facts"> & {
  readonly fromRecipient: number;
  readonly auto: number;
  readonly facts: string;
};

/** The number of an address's replies within a day, and the bytes of all replies of its team. */
export interface ReplyLoad {
  readonly ofAddress: number;
  readonly bytes: number;
}

const COLUMNS = `id, email_id AS emailId, recipient_index AS recipientIndex, recipient,
  from_email AS fromEmail, from_name AS fromName, from_recipient AS fromRecipient, subject,
  preview, auto, spf, dkim, dmarc, facts, bytes, seen_at AS seenAt, received_at AS createdAt,
  expires_at AS expiresAt`;

// A repeated delivery of a reply does not change its row.
const INSERT = `
  INSERT INTO replies (team_id, id, email_id, recipient_index, recipient, from_email, from_name,
    from_recipient, subject, preview, auto, spf, dkim, dmarc, facts, bytes, seen_at, received_at,
    expires_at)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, NULL, ?17, ?18)
  ON CONFLICT DO NOTHING`;

const FIND = `SELECT ${COLUMNS} FROM replies WHERE team_id = ?1 AND id = ?2 AND expires_at > ?3`;

const LIST = `
  SELECT ${COLUMNS} FROM replies
  WHERE team_id = ?1 AND (received_at, id) < (?2, ?3) AND expires_at > ?4
    AND (?5 IS NULL OR email_id = ?5) AND (?6 IS NULL OR lower(recipient) = ?6)
    AND (?7 IS NULL OR (seen_at IS NOT NULL) = ?7)
  ORDER BY received_at DESC, id DESC LIMIT ?8`;

const OF_EMAIL = `
  SELECT ${COLUMNS} FROM replies WHERE team_id = ?1 AND email_id = ?2 AND expires_at > ?3
  ORDER BY received_at LIMIT ?4`;

const LOAD = `
  SELECT (SELECT count(*) FROM replies
      WHERE team_id = ?1 AND email_id = ?2 AND recipient_index = ?3 AND received_at > ?4) AS ofAddress,
    (SELECT coalesce(sum(bytes), 0) FROM replies WHERE team_id = ?1) AS bytes`;

const SET_SEEN = `
  UPDATE replies SET seen_at = iif(?4, coalesce(seen_at, ?3), NULL), expires_at = ?5
  WHERE team_id = ?1 AND id = ?2`;

const EXPIRED = "SELECT team_id AS teamId, id, facts FROM replies WHERE expires_at <= ?1 LIMIT ?2";
const OF_TEAM = "SELECT team_id AS teamId, id, facts FROM replies WHERE team_id = ?1 LIMIT ?2";
const REMOVE = `
  DELETE FROM replies WHERE (team_id, id) IN (
    SELECT value ->> 0, value ->> 1 FROM json_each(?1))`;

const NEWEST: RowPosition = { createdAt: Number.MAX_SAFE_INTEGER, id: "" };

/** Stores a reply, unless it is already stored. */
export async function insertReply({ db, teamId }: Scope, row: ReplyRow): Promise<void> {
  const { facts, fromRecipient, auto, seenAt: _, ...rest } = row;
  await db
    .prepare(INSERT)
    .bind(
      teamId,
      rest.id,
      rest.emailId,
      rest.recipientIndex,
      rest.recipient,
      rest.fromEmail,
      rest.fromName,
      Number(fromRecipient),
      rest.subject,
      rest.preview,
      Number(auto),
      rest.spf,
      rest.dkim,
      rest.dmarc,
      JSON.stringify(facts),
      rest.bytes,
      rest.createdAt,
      rest.expiresAt,
    )
    .run();
}

export async function findReply(
  { db, teamId }: Scope,
  id: string,
  now: number,
): Promise<ReplyRow | undefined> {
  const row = await db.prepare(FIND).bind(teamId, id, now).first<StoredRow>();
  return row ? toRow(row) : undefined;
}

export async function getReply(scope: Scope, id: string, now: number): Promise<ReplyRow> {
  return requireRow(await findReply(scope, id, now));
}

/** Lists up to `limit` replies older than `after`, newest first. */
export async function listReplies(
  { db, teamId }: Scope,
  { emailId, recipient, seen }: ReplyFilters,
  limit: number,
  after: RowPosition | null,
  now: number,
): Promise<ReplyRow[]> {
  const { createdAt, id } = after ?? NEWEST;
  const { results } = await db
    .prepare(LIST)
    .bind(
      teamId,
      createdAt,
      id,
      now,
      emailId ?? null,
      recipient?.toLowerCase() ?? null,
      seen === undefined ? null : Number(seen),
      limit,
    )
    .all<StoredRow>();
  return results.map(toRow);
}

/** Lists up to `limit` replies to a message, oldest first. */
export async function listRepliesTo(
  { db, teamId }: Scope,
  emailId: string,
  limit: number,
  now: number,
): Promise<ReplyRow[]> {
  const { results } = await db.prepare(OF_EMAIL).bind(teamId, emailId, now, limit).all<StoredRow>();
  return results.map(toRow);
}

export async function measureLoad(
  { db, teamId }: Scope,
  emailId: string,
  recipientIndex: number,
  now: number,
): Promise<ReplyLoad> {
  const load = await db
    .prepare(LOAD)
    .bind(teamId, emailId, recipientIndex, now - DAY_MS)
    .first<ReplyLoad>();
  return load ?? { ofAddress: 0, bytes: 0 };
}

export async function setSeen(
  { db, teamId }: Scope,
  id: string,
  seen: boolean,
  expiresAt: number,
  now: number,
): Promise<void> {
  await db.prepare(SET_SEEN).bind(teamId, id, now, Number(seen), expiresAt).run();
}

/** A reply that must be deleted, with the key of its raw mail. */
export interface DueReply {
  readonly teamId: string;
  readonly id: string;
  readonly rawKey: string;
}

/** Lists up to `limit` replies of all teams that expired before `now`. */
export function listExpiredReplies(db: D1Database, now: number, limit: number) {
  return listDue(db.prepare(EXPIRED).bind(now, limit));
}

export function listRepliesOfTeam({ db, teamId }: Scope, limit: number) {
  return listDue(db.prepare(OF_TEAM).bind(teamId, limit));
}

async function listDue(statement: D1PreparedStatement): Promise<DueReply[]> {
  const { results } = await statement.all<{ teamId: string; id: string; facts: string }>();
  return results.map(({ teamId, id, facts }) => ({
    teamId,
    id,
    rawKey: (JSON.parse(facts) as StoredFacts).rawKey,
  }));
}

export async function removeReplies(db: D1Database, due: readonly DueReply[]): Promise<void> {
  const keys = due.map(({ teamId, id }) => [teamId, id]);
  await db.prepare(REMOVE).bind(JSON.stringify(keys)).run();
}

function toRow({ fromRecipient, auto, facts, ...row }: StoredRow): ReplyRow {
  return {
    ...row,
    fromRecipient: fromRecipient === 1,
    auto: auto === 1,
    facts: JSON.parse(facts) as StoredFacts,
  };
}
