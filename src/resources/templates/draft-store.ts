// Stores the drafts of templates, and publishes them (contract.md §Drafts and publishing). If
// requests change and publish a draft at the same time, one transaction decides what is published.
import type { Scope } from "../../db/client.ts";
import type { templateDrafts } from "../../db/core-schema.ts";
import { refuse } from "../../refusal.ts";
import {
  COLUMNS,
  columnValues,
  type ContentColumns,
  listColumns,
  parseColumns,
  selectContent,
} from "./content-columns.ts";
import {
  GET_TEMPLATE,
  REMOVE_DRAFT,
  type TemplateRow,
  type StoredTemplate,
  toStored,
} from "./store.ts";
import type { Content } from "./template-content.ts";

export type StoredDraft = typeof templateDrafts.$inferSelect;

/** A row as D1 returns it. */
type DraftRow = Omit<StoredDraft, keyof ContentColumns> & ContentColumns;

const DRAFT_COLUMNS = `template_id AS templateId, ${selectContent("template_drafts")}, updated_at AS updatedAt`;

const GET_DRAFT = `
  SELECT ${DRAFT_COLUMNS} FROM template_drafts
  WHERE template_id = (SELECT id FROM templates WHERE team_id = ?1 AND id = ?2)`;

// A new draft begins with the published content. Each column has two parameters: whether it
// changes, and its new value.
const SAVE_DRAFT = `
  INSERT INTO template_drafts (template_id, updated_at, ${COLUMNS.join(", ")})
  SELECT id, ?3, ${listColumns((name, index) => chooseValue("templates", name, index))}
  FROM templates WHERE team_id = ?1 AND id = ?2
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
    published_at = ?3, updated_at = ?3
  WHERE t.team_id = ?1 AND t.id = ?2 AND EXISTS (${SENDABLE_DRAFT})`;

const CONSUME_DRAFT = `
  DELETE FROM template_drafts WHERE template_id =
    (SELECT t.id FROM templates t WHERE t.team_id = ?1 AND t.id = ?2 AND EXISTS (${SENDABLE_DRAFT}))`;

/** Returns a template's draft. Throws `not_found` when the template or its draft does not exist. */
export async function getDraft(scope: Scope, id: string): Promise<StoredDraft> {
  const row = await scope.db.prepare(GET_DRAFT).bind(scope.teamId, id).first<DraftRow>();
  if (!row) throw refuse("not_found");
  return parseColumns(row);
}

/**
 * Changes the given columns of the draft. If there is no draft, first makes one from the published
 * content, if any. Throws `not_found`.
 */
export async function saveDraft(
  scope: Scope,
  id: string,
  change: Partial<Content>,
  now: number,
): Promise<StoredDraft> {
  const columns = columnValues(change).flatMap((value) =>
    value === undefined ? [0, null] : [1, value],
  );
  const row = await scope.db
    .prepare(SAVE_DRAFT)
    .bind(scope.teamId, id, now, ...columns)
    .first<DraftRow>();
  if (!row) throw refuse("not_found");
  return parseColumns(row);
}

/**
 * Deletes a template's draft, if it has one. Throws `not_found` when the template does not exist.
 */
export async function removeDraft(scope: Scope, id: string): Promise<void> {
  const [, found] = await scope.db.batch([
    scope.db.prepare(REMOVE_DRAFT).bind(scope.teamId, id),
    scope.db.prepare(GET_TEMPLATE).bind(scope.teamId, id),
  ]);
  if (found?.results.length === 0) throw refuse("not_found");
}

/**
 * Publishes the draft and deletes it. Throws `not_found`, or `invalid` when there is no draft to
 * publish.
 */
export async function publishDraft(scope: Scope, id: string, now: number): Promise<StoredTemplate> {
  const [published, , found] = await scope.db.batch<TemplateRow>([
    scope.db.prepare(PUBLISH).bind(scope.teamId, id, now),
    scope.db.prepare(CONSUME_DRAFT).bind(scope.teamId, id),
    scope.db.prepare(GET_TEMPLATE).bind(scope.teamId, id),
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

/** Returns the SQL of a column's value: the new value if the column changes, else the old one. */
function chooseValue(table: string, column: string, index: number): string {
  const parameter = 4 + 2 * index;
  return `iif(?${parameter}, ?${parameter + 1}, ${table}.${column})`;
}
