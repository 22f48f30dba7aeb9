// Stores templates and their drafts in the core database (contract.md §Drafts and publishing). Each
// race between two requests is decided inside one statement or one batch, which is a transaction:
// the team's limit, unique names, and which draft is published.
import type { Scope } from "../../db/client.ts";
import type { templateDrafts, templates } from "../../db/core-schema.ts";
import { TEMPLATES_PER_TEAM } from "../../limits.ts";
import { refuse } from "../../refusal.ts";
import type { Content, Kind } from "./template-content.ts";

export type DraftRow = typeof templateDrafts.$inferSelect;

export interface StoredTemplate extends Omit<typeof templates.$inferSelect, "teamId"> {
  readonly hasDraft: boolean;
}

export interface TemplatePosition {
  readonly createdAt: number;
  readonly id: string;
}

export interface NewTemplate {
  readonly id: string;
  readonly name: string;
  readonly kind: Kind;
  readonly now: number;
}

/** Content that a send uses. */
export interface Sendable {
  readonly subject: string | null;
  readonly html: string | null;
  readonly text: string | null;
}

/** A row as D1 returns it. */
type Row = Omit<StoredTemplate, "hasDraft"> & { readonly hasDraft: number };

/**
 * Maximum content of a list's page. A larger page ends early, and a client that follows the cursor
 * misses nothing.
 */
const PAGE_BYTES = 8_000_000;

const COLUMNS = `t.id, t.name, t.kind, t.subject, t.html, t.text, t.markdown, t.published_at AS publishedAt, t.created_at AS createdAt,
  t.updated_at AS updatedAt,
  EXISTS (SELECT 1 FROM template_drafts d WHERE d.template_id = t.id) AS hasDraft`;

const DRAFT_COLUMNS = `template_id AS templateId, subject, html, text, markdown, updated_at AS updatedAt`;

const GET = `SELECT ${COLUMNS} FROM templates t WHERE t.team_id = ?1 AND t.id = ?2`;

// octet_length does not read the content, so only listed rows cost their size.
const LIST = `
  WITH page AS (
    SELECT id, created_at, octet_length(coalesce(html, ''))
      + octet_length(coalesce(text, '')) + octet_length(coalesce(markdown, '')) AS bytes
    FROM templates WHERE team_id = ?1 AND (created_at, id) < (?2, ?3)
    ORDER BY created_at DESC, id DESC LIMIT ?4
  ), sized AS (SELECT id, sum(bytes) OVER (ORDER BY created_at DESC, id DESC) - bytes AS before,
    count(*) OVER () AS found FROM page)
  SELECT ${COLUMNS}, sized.found FROM sized JOIN templates t ON t.id = sized.id
  WHERE sized.before < ?5 ORDER BY t.created_at DESC, t.id DESC`;

/** Later than every template. */
const NEWEST: TemplatePosition = { createdAt: Number.MAX_SAFE_INTEGER, id: "" };

const HAS_ROOM = `(SELECT count(*) FROM templates WHERE team_id = ?1) < ${TEMPLATES_PER_TEAM}`;

const INSERT = `
  INSERT INTO templates (id, team_id, name, kind, created_at, updated_at)
  SELECT ?2, ?1, ?3, ?4, ?5, ?5 WHERE ${HAS_ROOM} ON CONFLICT (team_id, name) DO NOTHING`;

// A template that was not inserted gets no draft.
const INSERT_DRAFT = `
  INSERT INTO template_drafts (template_id, subject, html, text, markdown, updated_at)
  SELECT id, ?2, ?3, ?4, ?5, ?6 FROM templates WHERE id = ?1`;

// The statement itself chooses the first free name among the candidates.
const DUPLICATE = `
  INSERT INTO templates (id, team_id, name, kind, created_at, updated_at)
  SELECT ?2, ?1, name.value, source.kind, ?5, ?5 FROM templates source, json_each(?4) name
  WHERE source.team_id = ?1 AND source.id = ?3 AND ${HAS_ROOM}
    AND name.value NOT IN (SELECT name FROM templates WHERE team_id = ?1)
  ORDER BY name.key LIMIT 1`;

const DUPLICATE_CONTENT = `
  INSERT INTO template_drafts (template_id, subject, html, text, markdown, updated_at)
  SELECT copy.id, iif(d.template_id IS NULL, source.subject, d.subject),
    iif(d.template_id IS NULL, source.html, d.html),
    iif(d.template_id IS NULL, source.text, d.text), iif(d.template_id IS NULL, source.markdown, d.markdown), ?3
  FROM templates copy, templates source LEFT JOIN template_drafts d ON d.template_id = source.id
  WHERE copy.id = ?1 AND source.id = ?2`;

const RENAME = `UPDATE OR IGNORE templates SET name = ?3, updated_at = ?4 WHERE team_id = ?1 AND id = ?2`;

const REMOVE_DRAFT =
  "DELETE FROM template_drafts WHERE template_id = (SELECT id FROM templates WHERE team_id = " +
  "?1 AND id = ?2)";
const REMOVE = `DELETE FROM templates WHERE team_id = ?1 AND id = ?2`;

const GET_DRAFT = `
  SELECT ${DRAFT_COLUMNS} FROM template_drafts
  WHERE template_id = (SELECT id FROM templates WHERE team_id = ?1 AND id = ?2)`;

// A new draft begins with the published content. Each column has two parameters: whether it
// changes, and its new value.
const SAVE_DRAFT = `
  INSERT INTO template_drafts (template_id, subject, html, text, markdown, updated_at)
  SELECT id, iif(?4, ?5, subject), iif(?6, ?7, html), iif(?8, ?9, text), iif(?10, ?11, markdown), ?3
  FROM templates WHERE team_id = ?1 AND id = ?2
  ON CONFLICT (template_id) DO UPDATE SET
    subject = iif(?4, ?5, template_drafts.subject), html = iif(?6, ?7, template_drafts.html),
    text = iif(?8, ?9, template_drafts.text), markdown = iif(?10, ?11, template_drafts.markdown),
    updated_at = excluded.updated_at
  RETURNING ${DRAFT_COLUMNS}`;

const SENDABLE_DRAFT = `
  SELECT 1 FROM template_drafts d WHERE d.template_id = t.id
    AND trim(coalesce(iif(t.kind = 'markdown', d.markdown, d.html), ''),
    char(9, 10, 12, 13, 32)) <> ''`;

const PUBLISH = `
  UPDATE templates AS t SET (subject, html, text, markdown) =
    (SELECT d.subject, d.html, d.text, d.markdown FROM template_drafts d WHERE d.template_id = t.id),
    published_at = ?3, updated_at = ?3
  WHERE t.team_id = ?1 AND t.id = ?2 AND EXISTS (${SENDABLE_DRAFT})`;

const CONSUME_DRAFT = `
  DELETE FROM template_drafts WHERE template_id =
    (SELECT t.id FROM templates t WHERE t.team_id = ?1 AND t.id = ?2 AND EXISTS (${SENDABLE_DRAFT}))`;

const FIND_SENDABLE =
  "SELECT subject, html, text, published_at AS publishedAt FROM templates WHERE team_id = ?1 " +
  "AND id = ?2";

export async function getTemplate(scope: Scope, id: string): Promise<StoredTemplate> {
  const row = await scope.db.prepare(GET).bind(scope.teamId, id).first<Row>();
  if (!row) throw refuse("not_found");
  return toStored(row);
}

/**
 * Lists at most `limit` templates older than `after`, the newest first, and tells whether there are
 * more.
 */
export async function listTemplates(
  scope: Scope,
  limit: number,
  after: TemplatePosition | null,
): Promise<{ readonly rows: StoredTemplate[]; readonly hasMore: boolean }> {
  const { createdAt, id } = after ?? NEWEST;
  const { results } = await scope.db
    .prepare(LIST)
    .bind(scope.teamId, createdAt, id, limit + 1, PAGE_BYTES)
    .all<Row & { readonly found: number }>();
  const rows = results.slice(0, limit).map(({ found: _found, ...row }) => toStored(row));
  return { rows, hasMore: (results[0]?.found ?? 0) > rows.length };
}

/**
 * Inserts a template. Throws `invalid` when the team has a template of that name or has reached its
 * limit.
 */
export async function insertTemplate(
  scope: Scope,
  template: NewTemplate,
  draft: Content | undefined,
): Promise<StoredTemplate> {
  const { id, name, kind, now } = template;
  const insert = scope.db.prepare(INSERT).bind(scope.teamId, id, name, kind, now);
  const drafts = draft
    ? [
        scope.db
          .prepare(INSERT_DRAFT)
          .bind(id, draft.subject, draft.html, draft.text, draft.markdown, now),
      ]
    : [];
  return (await runAndGet(scope, id, [insert, ...drafts])) ?? (await refuseInsert(scope, [name]));
}

/**
 * Copies a template. `names` are candidates for the copy's name, the best first. Throws
 * `not_found`, or `invalid` when every name is taken or the team has reached its limit.
 */
export async function duplicateTemplate(
  scope: Scope,
  sourceId: string,
  copy: { readonly id: string; readonly names: readonly string[]; readonly now: number },
): Promise<StoredTemplate> {
  const inserted = await runAndGet(scope, copy.id, [
    scope.db
      .prepare(DUPLICATE)
      .bind(scope.teamId, copy.id, sourceId, JSON.stringify(copy.names), copy.now),
    scope.db.prepare(DUPLICATE_CONTENT).bind(copy.id, sourceId, copy.now),
  ]);
  if (inserted) return inserted;
  await getTemplate(scope, sourceId);
  return refuseInsert(scope, copy.names);
}

/**
 * Renames a template. Throws `not_found`, or `invalid` when another template of the team has that
 * name.
 */
export async function renameTemplate(
  scope: Scope,
  id: string,
  name: string,
  now: number,
): Promise<StoredTemplate> {
  const [renamed, found] = await scope.db.batch<Row>([
    scope.db.prepare(RENAME).bind(scope.teamId, id, name, now),
    scope.db.prepare(GET).bind(scope.teamId, id),
  ]);
  const row = found?.results[0];
  if (!row) throw refuse("not_found");
  if (renamed?.meta.changes === 0) throw nameTakenError();
  return toStored(row);
}

/** Deletes a template with its draft. Throws `not_found`. */
export async function removeTemplate(scope: Scope, id: string): Promise<void> {
  const results = await scope.db.batch([
    scope.db.prepare(REMOVE_DRAFT).bind(scope.teamId, id),
    scope.db.prepare(REMOVE).bind(scope.teamId, id),
  ]);
  if (results[1]?.meta.changes === 0) throw refuse("not_found");
}

/** Returns a template's draft. Throws `not_found` when the template or its draft does not exist. */
export async function getDraft(scope: Scope, id: string): Promise<DraftRow> {
  const row = await scope.db.prepare(GET_DRAFT).bind(scope.teamId, id).first<DraftRow>();
  if (!row) throw refuse("not_found");
  return row;
}

/**
 * Changes the given columns of the draft. Without a draft, one is first made from the published
 * content, if any. Throws `not_found`.
 */
export async function saveDraft(
  scope: Scope,
  id: string,
  change: Partial<Content>,
  now: number,
): Promise<DraftRow> {
  const columns = (["subject", "html", "text", "markdown"] as const).flatMap((name) => [
    Object.hasOwn(change, name) ? 1 : 0,
    change[name] ?? null,
  ]);
  const row = await scope.db
    .prepare(SAVE_DRAFT)
    .bind(scope.teamId, id, now, ...columns)
    .first<DraftRow>();
  if (!row) throw refuse("not_found");
  return row;
}

/**
 * Deletes a template's draft, if it has one. Throws `not_found` when the template does not exist.
 */
export async function removeDraft(scope: Scope, id: string): Promise<void> {
  const [, found] = await scope.db.batch([
    scope.db.prepare(REMOVE_DRAFT).bind(scope.teamId, id),
    scope.db.prepare(GET).bind(scope.teamId, id),
  ]);
  if (found?.results.length === 0) throw refuse("not_found");
}

/**
 * Publishes the draft and deletes it. Throws `not_found`, or `invalid` when there is nothing to
 * publish.
 */
export async function publishDraft(scope: Scope, id: string, now: number): Promise<StoredTemplate> {
  const [published, , found] = await scope.db.batch<Row>([
    scope.db.prepare(PUBLISH).bind(scope.teamId, id, now),
    scope.db.prepare(CONSUME_DRAFT).bind(scope.teamId, id),
    scope.db.prepare(GET).bind(scope.teamId, id),
  ]);
  const row = found?.results[0];
  if (!row) throw refuse("not_found");
  if (published?.meta.changes === 0) {
    throw refuse("invalid", {
      errors: row.hasDraft
        ? { [row.kind]: ["is empty in the draft"] }
        : { draft: ["does not exist"] },
    });
  }
  return toStored(row);
}

/**
 * Returns the published content of a template, `unpublished` before its first publication, or
 * undefined for an unknown template.
 */
export async function findSendable(
  scope: Scope,
  id: string,
): Promise<Sendable | "unpublished" | undefined> {
  const row = await scope.db
    .prepare(FIND_SENDABLE)
    .bind(scope.teamId, id)
    .first<Sendable & { readonly publishedAt: number | null }>();
  if (!row) return undefined;
  const { publishedAt, ...sendable } = row;
  return publishedAt === null ? "unpublished" : sendable;
}

async function runAndGet(
  scope: Scope,
  id: string,
  inserts: readonly D1PreparedStatement[],
): Promise<StoredTemplate | undefined> {
  const results = await scope.db.batch<Row>([
    ...inserts,
    scope.db.prepare(GET).bind(scope.teamId, id),
  ]);
  const row = results.at(-1)?.results[0];
  return row && toStored(row);
}

/**
 * Refuses an insert with its reason. The database may have changed since, but its current state is
 * a valid reason as well.
 */
async function refuseInsert(scope: Scope, names: readonly string[]): Promise<never> {
  const taken = await scope.db
    .prepare(
      "SELECT count(*) AS count FROM templates WHERE team_id = ?1 AND name IN (SELECT value " +
        "FROM json_each(?2))",
    )
    .bind(scope.teamId, JSON.stringify(names))
    .first<number>("count");
  if (taken === names.length) throw nameTakenError();
  throw refuse("invalid", {
    errors: { templates: [`are limited to ${TEMPLATES_PER_TEAM} per team`] },
  });
}

function nameTakenError(): Error {
  return refuse("invalid", { errors: { name: ["is taken by another template"] } });
}

function toStored({ hasDraft, ...row }: Row): StoredTemplate {
  return { ...row, hasDraft: hasDraft === 1 };
}
