// Stores templates in the core database (contract.md §Drafts and publishing). Concurrent requests
// must not exceed a team's limit or use a name or alias twice. So one statement, or one batch in a
// transaction, both checks and writes. One subject: the template's rows.
import { prepareComparison, prepareEntryAfter } from "../../db/audit-entries.ts";
import type { Scope } from "../../db/client.ts";
import type { templates } from "../../db/core-schema.ts";
import type { RowPosition } from "../../endpoint.ts";
import { TEMPLATES_PER_TEAM } from "../../limits.ts";
import { type FieldErrors, requireRow, refuse } from "../../refusal.ts";
import {
  COLUMNS as CONTENT_COLUMNS,
  columnValues,
  type ContentColumns,
  listColumns,
  parseColumns,
  selectContent,
} from "./content-columns.ts";
import { basisText, type DraftBasis, basisCondition } from "./draft-basis.ts";
import { isAlias } from "./template-alias.ts";
import type { Content, Kind } from "./template-content.ts";

export interface StoredTemplate extends Omit<typeof templates.$inferSelect, "teamId"> {
  readonly hasDraft: boolean;
}

export interface NewTemplate {
  readonly id: string;
  readonly name: string;
  readonly alias: string | null;
  readonly kind: Kind;
  readonly sensitive: boolean;
  readonly replyTracking: boolean;
  readonly now: number;
}

/**
 * The members of the template itself, without its content, in a request. Undefined leaves a member
 * unchanged.
 */
export interface TemplateUpdate {
  readonly name?: string | undefined;
  readonly alias?: string | null | undefined;
  readonly sensitive?: boolean | undefined;
  readonly replyTracking?: boolean | undefined;
}

/** A row as D1 returns it. */
export type TemplateRow = Omit<StoredTemplate, Flag | keyof ContentColumns> &
  ContentColumns &
  Readonly<Record<Flag, number>>;

/** The members that D1 returns as 0 or 1. */
type Flag = "hasDraft" | "sensitive" | "replyTracking";

/**
 * Maximum size of the content on one page of a list, in bytes. A page of large templates has fewer
 * templates than the limit. A client that follows the cursor still gets all templates.
 */
const PAGE_BYTES = 8_000_000;

const COLUMNS = `t.id, t.name, t.alias, t.kind, ${selectContent("t")}, t.sensitive,
  t.reply_tracking AS replyTracking, t.version, t.published_at AS publishedAt, t.created_at AS createdAt,
  t.updated_at AS updatedAt,
  EXISTS (SELECT 1 FROM template_drafts d WHERE d.template_id = t.id) AS hasDraft`;

export const GET_TEMPLATE = `SELECT ${COLUMNS} FROM templates t WHERE t.team_id = ?1 AND t.id = ?2`;

// octet_length does not read the content, so this query reads the content only of the templates
// that it lists.
const LIST = `
  WITH page AS (
    SELECT id, created_at, octet_length(coalesce(html, ''))
      + octet_length(coalesce(text, '')) + octet_length(coalesce(markdown, ''))
      + octet_length(coalesce(fallbacks, '')) AS bytes
    FROM templates WHERE team_id = ?1 AND (created_at, id) < (?2, ?3)
    ORDER BY created_at DESC, id DESC LIMIT ?4
  ), sized AS (SELECT id, sum(bytes) OVER (ORDER BY created_at DESC, id DESC) - bytes AS before,
    count(*) OVER () AS found FROM page)
  SELECT ${COLUMNS}, sized.found FROM sized JOIN templates t ON t.id = sized.id
  WHERE sized.before < ?5 ORDER BY t.created_at DESC, t.id DESC`;

/** The position before all templates of a list, which begins with the newest template. */
const NEWEST: RowPosition = { createdAt: Number.MAX_SAFE_INTEGER, id: "" };

const HAS_ROOM = `(SELECT count(*) FROM templates WHERE team_id = ?1) < ${TEMPLATES_PER_TEAM}`;

const INSERT = `
  INSERT INTO templates (id, team_id, name, alias, kind, sensitive, reply_tracking, created_at,
    updated_at)
  SELECT ?2, ?1, ?3, ?4, ?5, ?7, ?8, ?6, ?6 WHERE ${HAS_ROOM} ON CONFLICT DO NOTHING`;

// The statement selects the inserted template. So if no template was inserted, the statement
// inserts no draft.
const INSERT_DRAFT = `
  INSERT INTO template_drafts (template_id, updated_at, ${CONTENT_COLUMNS.join(", ")})
  SELECT id, ?2, ${listColumns((_, index) => `?${index + 3}`)} FROM templates WHERE id = ?1`;

// The statement chooses the first candidate name that is free.
const DUPLICATE = `
  INSERT INTO templates (id, team_id, name, kind, sensitive, reply_tracking, created_at, updated_at)
  SELECT ?2, ?1, name.value, source.kind, source.sensitive, source.reply_tracking, ?5, ?5 FROM templates source, json_each(?4) name
  WHERE source.team_id = ?1 AND source.id = ?3 AND ${HAS_ROOM}
    AND name.value NOT IN (SELECT name FROM templates WHERE team_id = ?1)
  ORDER BY name.key LIMIT 1`;

const DUPLICATE_CONTENT = `
  INSERT INTO template_drafts (template_id, updated_at, ${CONTENT_COLUMNS.join(", ")})
  SELECT copy.id, ?3, ${listColumns((name) => `iif(d.template_id IS NULL, source.${name}, d.${name})`)}
  FROM templates copy, templates source LEFT JOIN template_drafts d ON d.template_id = source.id
  WHERE copy.id = ?1 AND source.id = ?2`;

const FIND_ID = "SELECT id FROM templates WHERE team_id = ?1 AND alias = ?2";

const FIND_TAKEN = `
  SELECT
    (SELECT count(*) FROM templates WHERE team_id = ?1 AND id <> ?2
      AND name IN (SELECT value FROM json_each(?3))) AS names,
    (SELECT count(*) FROM templates WHERE team_id = ?1 AND id <> ?2 AND alias = ?4) AS aliases`;

const REMOVE = `
  DELETE FROM templates WHERE team_id = ?1 AND id = ?2 AND ${basisCondition("templates", "?3")}`;
// The statements for the draft and the versions delete rows only if the first statement has deleted
// the template.
const REMOVE_LEFT_VERSIONS = `
  DELETE FROM template_versions WHERE template_id = ?1
    AND NOT EXISTS (SELECT 1 FROM templates WHERE id = ?1)`;
const REMOVE_LEFT_DRAFT = `
  DELETE FROM template_drafts WHERE template_id = ?1
    AND NOT EXISTS (SELECT 1 FROM templates WHERE id = ?1)`;

/**
 * Returns the id of the template with this alias. Returns any other text unchanged: an id, or an
 * alias that no template has.
 */
export async function findTemplateId(scope: Scope, named: string): Promise<string> {
  if (!isAlias(named)) return named;
  const id = await scope.db.prepare(FIND_ID).bind(scope.teamId, named).first<string>("id");
  return id ?? named;
}

export async function getTemplate(scope: Scope, id: string): Promise<StoredTemplate> {
  const row = await scope.db.prepare(GET_TEMPLATE).bind(scope.teamId, id).first<TemplateRow>();
  return toStored(requireRow(row));
}

/** Lists at most `limit` templates older than `after`, newest first, and whether more follow. */
export async function listTemplates(
  scope: Scope,
  limit: number,
  after: RowPosition | null,
): Promise<{ readonly rows: StoredTemplate[]; readonly hasMore: boolean }> {
  const { createdAt, id } = after ?? NEWEST;
  const { results } = await scope.db
    .prepare(LIST)
    .bind(scope.teamId, createdAt, id, limit + 1, PAGE_BYTES)
    .all<TemplateRow & { readonly found: number }>();
  const rows = results.slice(0, limit).map(({ found: _found, ...row }) => toStored(row));
  return { rows, hasMore: (results[0]?.found ?? 0) > rows.length };
}

/**
 * Inserts a template. Throws `invalid` if the team already has a template with the name or alias,
 * or has reached its limit.
 */
export async function insertTemplate(
  scope: Scope,
  template: NewTemplate,
  draft: Content | undefined,
): Promise<StoredTemplate> {
  const { id, name, alias, kind, sensitive, replyTracking, now } = template;
  const insert = scope.db
    .prepare(INSERT)
    .bind(scope.teamId, id, name, alias, kind, now, Number(sensitive), Number(replyTracking));
  const drafts = draft
    ? [scope.db.prepare(INSERT_DRAFT).bind(id, now, ...columnValues(draft))]
    : [];
  const entry = prepareEntryAfter(scope, { target: id });
  const inserted = await runAndGet(scope, id, [insert, ...entry, ...drafts]);
  return inserted ?? (await refuseInsert(scope, id, [name], alias));
}

/**
 * Copies a template. `names` are candidates for the copy's name, in the order of preference. Throws
 * `not_found` for an unknown template. Throws `invalid` if every name is taken, or if the team has
 * reached its limit.
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
    ...prepareEntryAfter(scope, { target: copy.id }),
    scope.db.prepare(DUPLICATE_CONTENT).bind(copy.id, sourceId, copy.now),
  ]);
  if (inserted) return inserted;
  await getTemplate(scope, sourceId);
  return refuseInsert(scope, copy.id, copy.names, null);
}

/**
 * Changes members of the template itself, not its content. Throws `invalid` if another template of
 * the team has the name or alias. Returns undefined if the template does not exist, or no longer
 * equals `before`.
 */
export async function updateTemplate(
  scope: Scope,
  id: string,
  changes: TemplateUpdate,
  before: StoredTemplate | null,
  now: number,
): Promise<StoredTemplate | undefined> {
  const values = toColumns(changes);
  const set = { ...values, updated_at: now };
  const where = { team_id: scope.teamId, id, ...(before && comparedColumns(before)) };
  const assignments = Object.keys(set).map((column) => `${column} = ?`);
  const conditions = Object.keys(where).map((column) => `${column} IS ?`);
  const update = scope.db
    .prepare(
      `UPDATE OR IGNORE templates SET ${assignments.join(", ")} WHERE ${conditions.join(" AND ")}`,
    )
    .bind(...Object.values(set), ...Object.values(where));
  const compared = { table: "templates", key: "id", id, values };
  const entry = prepareComparison(scope, { target: id }, compared);
  const results = await scope.db.batch<TemplateRow>([
    ...entry.before,
    update,
    ...entry.after,
    scope.db.prepare(GET_TEMPLATE).bind(scope.teamId, id),
  ]);
  const updated = results[entry.before.length];
  const row = results.at(-1)?.results[0];
  if (!row) return undefined;
  if (updated?.meta.changes === 0) {
    if (before && !isLike(row, before)) return undefined;
    const names = changes.name === undefined ? [] : [changes.name];
    const errors = await findTaken(scope, id, names, changes.alias ?? null);
    throw refuse("invalid", { errors: errors ?? takenError(names.length > 0 ? "name" : "alias") });
  }
  return toStored(row);
}

/**
 * Deletes a template with its draft and its versions. Returns undefined if the template does not
 * exist, or if its basis is no longer `before`.
 */
export async function removeTemplate(
  scope: Scope,
  id: string,
  before: DraftBasis | null,
): Promise<true | undefined> {
  const [removed] = await scope.db.batch([
    scope.db.prepare(REMOVE).bind(scope.teamId, id, basisText(before)),
    ...prepareEntryAfter(scope, { target: id }),
    scope.db.prepare(REMOVE_LEFT_DRAFT).bind(id),
    scope.db.prepare(REMOVE_LEFT_VERSIONS).bind(id),
  ]);
  return removed?.meta.changes === 0 ? undefined : true;
}

/** Returns the columns of the given members, as D1 stores them. */
function toColumns({ name, alias, sensitive, replyTracking }: TemplateUpdate) {
  return {
    ...(name !== undefined && { name }),
    ...(alias !== undefined && { alias }),
    ...(sensitive !== undefined && { sensitive: Number(sensitive) }),
    ...(replyTracking !== undefined && { reply_tracking: Number(replyTracking) }),
  };
}

/** Returns the columns that change when a template or its published version changes. */
function comparedColumns(template: StoredTemplate) {
  return { ...toColumns(template), published_at: template.publishedAt };
}

function isLike(row: TemplateRow, before: StoredTemplate): boolean {
  const current = comparedColumns(toStored(row));
  return JSON.stringify(current) === JSON.stringify(comparedColumns(before));
}

async function runAndGet(
  scope: Scope,
  id: string,
  inserts: readonly D1PreparedStatement[],
): Promise<StoredTemplate | undefined> {
  const results = await scope.db.batch<TemplateRow>([
    ...inserts,
    scope.db.prepare(GET_TEMPLATE).bind(scope.teamId, id),
  ]);
  const row = results.at(-1)?.results[0];
  return row && toStored(row);
}

/**
 * Throws the reason why an insert failed. The database may have changed since the insert, but a
 * reason from its current state is valid as well.
 */
async function refuseInsert(
  scope: Scope,
  id: string,
  names: readonly string[],
  alias: string | null,
): Promise<never> {
  const errors = (await findTaken(scope, id, names, alias)) ?? {
    templates: [`are limited to ${TEMPLATES_PER_TEAM} per team`],
  };
  throw refuse("invalid", { errors });
}

/**
 * Returns errors if other templates of the team already use the alias or all candidate names.
 * Otherwise returns undefined.
 */
async function findTaken(
  scope: Scope,
  id: string,
  names: readonly string[],
  alias: string | null,
): Promise<FieldErrors | undefined> {
  const taken = await scope.db
    .prepare(FIND_TAKEN)
    .bind(scope.teamId, id, JSON.stringify(names), alias)
    .first<{ readonly names: number; readonly aliases: number }>();
  const isNameTaken = names.length > 0 && taken?.names === names.length;
  const isAliasTaken = taken?.aliases === 1;
  if (!isNameTaken && !isAliasTaken) return undefined;
  return {
    ...(isNameTaken && takenError("name")),
    ...(isAliasTaken && takenError("alias")),
  };
}

function takenError(field: "name" | "alias"): FieldErrors {
  return { [field]: ["is taken by another template"] };
}

export function toStored({ hasDraft, sensitive, replyTracking, ...row }: TemplateRow) {
  const flags = {
    hasDraft: hasDraft === 1,
    sensitive: sensitive === 1,
    replyTracking: replyTracking === 1,
  };
  return { ...parseColumns(row), ...flags } satisfies StoredTemplate;
}
