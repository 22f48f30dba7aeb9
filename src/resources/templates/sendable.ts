// Finds the published content of a template for a send, by the template's id or alias.
import type { Scope } from "../../db/client.ts";
import { isTemplateId } from "./template-alias.ts";

/** The parts of a message that a template has. */
export interface TemplateParts {
  readonly subject: string | null;
  readonly html: string | null;
  readonly text: string | null;
}

/** The published content of a template. */
export interface Sendable extends TemplateParts {
  readonly id: string;
}

const FIND = `
  SELECT id, subject, html, text, published_at AS publishedAt
  FROM templates WHERE team_id = ?1 AND `;
const FIND_BY_ID = `${FIND} id = ?2`;
const FIND_BY_ALIAS = `${FIND} alias = ?2`;

/**
 * Returns the published content of the template with this id or alias, `unpublished` before its
 * first publication, or undefined for an unknown template.
 */
export async function findSendable(
  scope: Scope,
  named: string,
): Promise<Sendable | "unpublished" | undefined> {
  const row = await scope.db
    .prepare(isTemplateId(named) ? FIND_BY_ID : FIND_BY_ALIAS)
    .bind(scope.teamId, named)
    .first<Sendable & { readonly publishedAt: number | null }>();
  if (!row) return undefined;
  const { publishedAt, ...sendable } = row;
  return publishedAt === null ? "unpublished" : sendable;
}
