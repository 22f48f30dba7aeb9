// Stores the drafts of templates, and publishes them (contract.md §Drafts and publishing). A draft
// is published in one transaction, so a concurrent change is either published completely or not at
// all.
import { prepareComparison, prepareEntryAfter } from "../../db/audit-entries.ts";
import type { Scope } from "../../db/client.ts";
import type { templateDrafts } from "../../db/core-schema.ts";
import { requireRow } from "../../refusal.ts";
import {
  COLUMNS,
  columnValues,
  type ContentColumns,
  listColumns,
  parseColumns,
  selectContent,
} from "./content-columns.ts";
import { basisText, type DraftBasis, basisCondition } from "./draft-basis.ts";
import { GET_TEMPLATE, type TemplateRow, type StoredTemplate, toStored } from "./store.ts";
import type { Content } from "./template-content.ts";
import { type NewVersion, prepareVersion } from "./version-rows.ts";

export type StoredDraft = typeof templateDrafts.$inferSelect;

/** A basis that was read from the database. */
export interface KnownBasis extends DraftBasis {
  readonly draft: StoredDraft | null;
  readonly template: StoredTemplate;
}

/** A row as D1 returns it. */
type DraftRow = Omit<StoredDraft, keyof ContentColumns> & ContentColumns;

const DRAFT_COLUMNS = `template_id AS templateId, ${selectContent("template_drafts")}, updated_at AS updatedAt`;

const GET_DRAFT = `
  SELECT ${DRAFT_COLUMNS} FROM template_drafts
  WHERE template_id = (SELECT id FROM templates WHERE team_id = ?1 AND id = ?2)`;

// A new draft begins as a copy of the published content. The statement has two parameters for each
// column: whether the column changes, and its new value.
const SAVE_DRAFT = `
  INSERT INTO template_drafts (template_id, updated_at, ${COLUMNS.join(", ")})
  SELECT id, ?3, ${listColumns((name, index) => chooseValue("templates", name, index))}
  FROM templates WHERE team_id = ?1 AND id = ?2
    AND ${basisCondition("templates", `?${4 + 2 * COLUMNS.length}`)}
  ON CONFLICT (template_id) DO UPDATE SET updated_at = excluded.updated_at,
    ${listColumns((name, index) => `${name} = ${chooseValue("template_drafts", name, index)}`)}
  RETURNING ${DRAFT_COLUMNS}`;

const SENDABLE_DRAFT = `
  SELECT 1 FROM template_drafts d WHERE d.template_id = t.id
    AND trim(coalesce(iif(t.kind = 'markdown', d.markdown, d.html), ''),
    char(9, 10, 12, 13, 32)) <> ''`;

const PUBLISH = `
  UPDATE templates AS t SET (${COLUMNS.join(", ")}) =
    (SELECT ${listColumns((name) => `d.${name}`)} FROM template_drafts d WHERE d.template_id = t.id),
    published_at = ?3, updated_at = ?3, version = ?5
  WHERE t.team_id = ?1 AND t.id = ?2 AND EXISTS (${SENDABLE_DRAFT}) AND ${basisCondition("t", "?4")}
    AND ?5 = (SELECT coalesce(max(number), 0) + 1 FROM template_versions WHERE template_id = t.id)`;

const CONSUME_DRAFT = `
  DELETE FROM template_drafts WHERE template_id =
    (SELECT t.id FROM templates t WHERE t.team_id = ?1 AND t.id = ?2 AND t.version = ?3
      AND t.published_at = ?4)`;

const HAS_BASIS = `
  SELECT ${basisCondition("t", "?3")} AS has FROM templates t WHERE t.team_id = ?1 AND t.id = ?2`;

/** The members of a draft whose names differ from their columns' names. */
const MEMBERS = { sender: "from" } as const;

const REMOVE_DRAFT = `
  DELETE FROM template_drafts WHERE template_id =
    (SELECT t.id FROM templates t WHERE t.team_id = ?1 AND t.id = ?2 AND ${basisCondition("t", "?3")})`;

/** Returns a template's draft. Throws `not_found` if the template or its draft does not exist. */
export async function getDraft(scope: Scope, id: string): Promise<StoredDraft> {
  const row = await scope.db.prepare(GET_DRAFT).bind(scope.teamId, id).first<DraftRow>();
  return parseColumns(requireRow(row));
}

/** Reads the basis of a change of the draft. Throws `not_found` for an unknown template. */
export async function getBasis(scope: Scope, id: string): Promise<KnownBasis> {
  const [templates, drafts] = await scope.db.batch([
    scope.db.prepare(GET_TEMPLATE).bind(scope.teamId, id),
    scope.db.prepare(GET_DRAFT).bind(scope.teamId, id),
  ]);
  const template = requireRow(templates?.results[0] as TemplateRow | undefined);
  const draft = drafts?.results[0] as DraftRow | undefined;
  return { template: toStored(template), draft: draft ? parseColumns(draft) : null };
}

/**
 * Changes the given columns of the draft. If the template has no draft, first makes a draft from
 * the published content. Returns undefined if the template does not exist, or if its basis is no
 * longer `before`.
 */
export async function saveDraft(
  scope: Scope,
  id: string,
  change: Partial<Content>,
  before: DraftBasis | null,
  now: number,
): Promise<StoredDraft | undefined> {
  const columns = columnValues(change).flatMap((value) =>
    value === undefined ? [0, null] : [1, value],
  );
  const values = Object.fromEntries(
    columnValues(change).flatMap((value, index) =>
      value === undefined ? [] : [[COLUMNS[index]!, value]],
    ),
  );
  const compared = { table: "template_drafts", key: "template_id", id, values };
  const copied = { ...compared, members: MEMBERS, copied: "templates" };
  const entry = prepareComparison(scope, { target: id }, copied);
  const results = await scope.db.batch<DraftRow>([
    ...entry.before,
    scope.db.prepare(SAVE_DRAFT).bind(scope.teamId, id, now, ...columns, basisText(before)),
    ...entry.after,
  ]);
  const row = results[entry.before.length]?.results[0];
  return row ? parseColumns(row) : undefined;
}

/** Deletes a template's draft, if it has one. Returns undefined in the cases of saveDraft(). */
export async function removeDraft(
  scope: Scope,
  id: string,
  before: DraftBasis | null,
): Promise<true | undefined> {
  const values = [scope.teamId, id, basisText(before)];
  const [basis] = await scope.db.batch<{ has: number }>([
    scope.db.prepare(HAS_BASIS).bind(...values),
    scope.db.prepare(REMOVE_DRAFT).bind(...values),
    ...prepareEntryAfter(scope, { target: id }),
  ]);
  return basis?.results[0]?.has === 1 ? true : undefined;
}

/**
 * Publishes the draft as a version, and deletes the draft. Returns undefined in the same cases as
 * saveDraft(), and if another request has published a version in the meantime.
 */
export async function publishDraft(
  scope: Scope,
  id: string,
  before: DraftBasis,
  version: NewVersion,
  now: number,
): Promise<StoredTemplate | undefined> {
  const basis = basisText(before);
  const results = await scope.db.batch([
    scope.db.prepare(HAS_BASIS).bind(scope.teamId, id, basis),
    scope.db.prepare(PUBLISH).bind(scope.teamId, id, now, basis, version.number),
    ...prepareEntryAfter(scope, { target: id }),
    ...prepareVersion(scope, id, version, now),
    scope.db.prepare(CONSUME_DRAFT).bind(scope.teamId, id, version.number, now),
    scope.db.prepare(GET_TEMPLATE).bind(scope.teamId, id),
  ]);
  const [had, published] = results;
  const row = results.at(-1)?.results[0] as TemplateRow | undefined;
  if (!row || (had?.results[0] as { has: number } | undefined)?.has !== 1) return undefined;
  return published?.meta.changes === 0 ? undefined : toStored(row);
}

/** Returns the SQL of a column's value: the new value if the column changes, else the old value. */
function chooseValue(table: string, column: string, index: number): string {
  const parameter = 4 + 2 * index;
  return `iif(?${parameter}, ?${parameter + 1}, ${table}.${column})`;
}
