// Stores the versions of templates (docs/templates.md §Versions): a small row for each publication
// in the core database, and the content in R2. The content is stored before the row is written, so
// that every row has its content. A sweep deletes content without a row.
import type { Scope } from "../../db/client.ts";
import type { RowPosition } from "../../endpoint.ts";
import { TEMPLATE_VERSION_BYTES, TEMPLATE_VERSIONS } from "../../limits.ts";
import { requireRow, RefusalError } from "../../refusal.ts";
import type { Content } from "./template-content.ts";

export const BODIES = "template-versions/";

/** A publication that is not stored yet. */
export interface NewVersion {
  readonly number: number;
  /** The key of the content in R2. */
  readonly body: string;
  readonly bytes: number;
  readonly subject: string | null;
}

export interface StoredVersion extends NewVersion {
  /** Unix milliseconds. */
  readonly publishedAt: number;
}

const COLUMNS = "v.number, v.body, v.bytes, v.subject, v.published_at AS publishedAt";
const OF_TEAM = `
  FROM template_versions v JOIN templates t ON t.id = v.template_id
  WHERE t.team_id = ?1 AND t.id = ?2`;

const NEXT =
  "SELECT coalesce(max(number), 0) + 1 AS next FROM template_versions WHERE template_id = ?";

// The condition is true only if the batch has published this version.
const INSERT = `
  INSERT OR IGNORE INTO template_versions (template_id, number, body, bytes, subject, published_at)
  SELECT id, ?3, ?4, ?5, ?6, ?7 FROM templates
  WHERE team_id = ?1 AND id = ?2 AND version = ?3 AND published_at = ?7`;

const PRUNE = `
  DELETE FROM template_versions WHERE template_id = ?1 AND number IN (
    SELECT number FROM (SELECT number, row_number() OVER newest AS place, sum(bytes) OVER newest AS total
      FROM template_versions WHERE template_id = ?1 WINDOW newest AS (ORDER BY number DESC))
    WHERE place > ${TEMPLATE_VERSIONS} OR (place > 1 AND total > ${TEMPLATE_VERSION_BYTES}))`;

export async function nextVersionNumber({ db }: Scope, id: string): Promise<number> {
  return (await db.prepare(NEXT).bind(id).first<number>("next")) ?? 1;
}

/**
 * Makes the statements that store a version. They must follow the publication in the same batch.
 */
export function prepareVersion(
  { db, teamId }: Scope,
  id: string,
  { number, body, bytes, subject }: NewVersion,
  now: number,
): D1PreparedStatement[] {
  return [
    db.prepare(INSERT).bind(teamId, id, number, body, bytes, subject, now),
    db.prepare(PRUNE).bind(id),
  ];
}

/** Lists up to `limit` versions older than `after`, newest first. */
export async function listVersions(
  { db, teamId }: Scope,
  id: string,
  limit: number,
  after: RowPosition | null,
): Promise<StoredVersion[]> {
  const before = after ? Number(after.id) : Number.MAX_SAFE_INTEGER;
  const { results } = await db
    .prepare(`SELECT ${COLUMNS} ${OF_TEAM} AND v.number < ?3 ORDER BY v.number DESC LIMIT ?4`)
    .bind(teamId, id, before, limit)
    .all<StoredVersion>();
  return results;
}

/** Finds a version. `text` is the number in the path, which may be malformed. */
export async function getVersion(
  { db, teamId }: Scope,
  id: string,
  text: string,
): Promise<StoredVersion> {
  const number = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0;
  const find = db.prepare(`SELECT ${COLUMNS} ${OF_TEAM} AND v.number = ?3`);
  return requireRow(await find.bind(teamId, id, number).first<StoredVersion>());
}

/** Returns the keys that no version has. */
export async function keysWithoutVersion(
  db: D1Database,
  keys: readonly string[],
): Promise<string[]> {
  const { results } = await db
    .prepare(
      "SELECT value FROM json_each(?) WHERE value NOT IN (SELECT body FROM template_versions)",
    )
    .bind(JSON.stringify(keys))
    .all<{ value: string }>();
  return results.map(({ value }) => value);
}

/** Stores the content of a version in R2, and returns its key and size. */
export async function putBody(
  bucket: R2Bucket,
  { teamId }: Scope,
  id: string,
  content: Content,
): Promise<Pick<NewVersion, "body" | "bytes">> {
  const { subject, html, text, markdown, from, replyTo, fallbacks } = content;
  const kept: Content = { subject, html, text, markdown, from, replyTo, fallbacks };
  const bytes = new TextEncoder().encode(JSON.stringify(kept));
  const body = `${BODIES}${teamId}/${id}/${crypto.randomUUID()}`;
  await bucket.put(body, bytes).catch((error: unknown) => {
    throw new RefusalError({ code: "storage_unavailable" }, {}, error);
  });
  return { body, bytes: bytes.length };
}

export async function readBody(bucket: R2Bucket, { body }: NewVersion): Promise<Content> {
  const object = await bucket.get(body);
  if (!object) throw new Error(`the content of a template's version is missing: ${body}`);
  return object.json<Content>();
}
