// Finds a template's published content for a send, by the template's id or alias.
import type { Scope } from "../../db/client.ts";
import { type ContentColumns, parseColumns } from "./content-columns.ts";
import type { SendDefaults } from "./send-defaults.ts";
import type { StoredTemplate } from "./store.ts";
import { isTemplateId } from "./template-alias.ts";

/** The parts of a message that a template provides. */
export interface TemplateParts {
  readonly subject: string | null;
  readonly html: string | null;
  readonly text: string | null;
}

/** The published content of a template, with its defaults for sends. */
export interface Sendable extends TemplateParts, SendDefaults {
  readonly id: string;
  /** True: every send with the template is sensitive (contract.md §Kept content). */
  readonly sensitive: boolean;
  /** True: every send with the template tracks replies (contract.md §Replies). */
  readonly replyTracking: boolean;
  /** The number of the published version. Null: the version is unknown. */
  readonly version: number | null;
}

type SendableRow = ContentColumns &
  Pick<StoredTemplate, "id" | "publishedAt" | "version"> & {
    readonly sensitive: number;
    readonly replyTracking: number;
  };

const FIND = `
  SELECT id, subject, html, text, sender AS "from", reply_to AS replyTo, fallbacks, sensitive,
    reply_tracking AS replyTracking, version, published_at AS publishedAt FROM templates WHERE team_id = ?1 AND `;
const FIND_BY_ID = `${FIND} id = ?2`;
const FIND_BY_ALIAS = `${FIND} alias = ?2`;

/**
 * Returns the published content of the template with this id or alias. Returns `unpublished` if the
 * template was never published, and undefined for an unknown template.
 */
export async function findSendable(
  scope: Scope,
  named: string,
): Promise<Sendable | "unpublished" | undefined> {
  const row = await scope.db
    .prepare(isTemplateId(named) ? FIND_BY_ID : FIND_BY_ALIAS)
    .bind(scope.teamId, named)
    .first<Omit<SendableRow, "markdown">>();
  if (!row) return undefined;
  const { publishedAt, sensitive, replyTracking, ...content } = row;
  return publishedAt === null
    ? "unpublished"
    : {
        ...parseColumns(content),
        sensitive: sensitive === 1,
        replyTracking: replyTracking === 1,
      };
}
