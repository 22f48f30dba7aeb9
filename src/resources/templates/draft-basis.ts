// Makes the SQL condition for changes of a draft with If-Match (contract.md §Preconditions). The
// basis of a change is the draft or, without a draft, the published content. The change is made
// only if its basis has not changed. Pure.
import { etagOf } from "../../lib/crypto/etag.ts";
import { COLUMNS, columnsByName, columnValues } from "./content-columns.ts";
import type { Content } from "./template-content.ts";

interface PublishedTemplate extends Content {
  readonly name: string;
  readonly alias: string | null;
  readonly publishedAt: number | null;
  readonly sensitive: boolean;
  readonly replyTracking: boolean;
}

export interface DraftBasis {
  /** Null: the template has no draft. */
  readonly draft: Content | null;
  readonly template: PublishedTemplate;
}

export function etagOfTemplate(template: PublishedTemplate): string {
  const { name, alias, publishedAt, sensitive, replyTracking } = template;
  return etagOf([name, alias, publishedAt, sensitive, replyTracking, columnValues(template)]);
}

export function etagOfDraft(draft: Content): string {
  return etagOf(["draft", columnValues(draft)]);
}

export function etagOfBasis({ draft, template }: DraftBasis): string {
  return draft ? etagOfDraft(draft) : etagOfTemplate(template);
}

/** Returns the parameter that basisCondition() reads. Null: the condition is always true. */
export function basisText(basis: DraftBasis | null): string | null {
  if (!basis) return null;
  const { draft, template } = basis;
  return JSON.stringify({
    draft: draft && columnsByName(draft),
    publishedAt: template.publishedAt,
  });
}

/** Returns the SQL condition that the template in `table` still has the basis in `parameter`. */
export function basisCondition(table: string, parameter: string): string {
  const draft = `FROM template_drafts b WHERE b.template_id = ${table}.id`;
  const same = COLUMNS.map((name) => `b.${name} IS ${parameter} ->> '$.draft.${name}'`);
  return `(${parameter} IS NULL OR iif(${parameter} ->> '$.draft' IS NULL,
    ${table}.published_at IS ${parameter} ->> '$.publishedAt' AND NOT EXISTS (SELECT 1 ${draft}),
    EXISTS (SELECT 1 ${draft} AND ${same.join(" AND ")})))`;
}
