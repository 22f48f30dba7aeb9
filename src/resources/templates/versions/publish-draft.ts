// Publishes a draft as a new version (docs/templates.md §Versions). Stores the draft's content in
// R2 first. Publishes only if the draft has not changed since then.
import type { Scope } from "../../../db/client.ts";
import type { Env } from "../../../env.ts";
import { refuseMember } from "../../../refusal.ts";
import { getBasis, type KnownBasis, publishDraft } from "../draft-store.ts";
import type { StoredTemplate } from "../store.ts";
import { nextVersionNumber, putBody } from "../version-rows.ts";

const ATTEMPTS = 5;
/** Matches a visible character. The SQL condition of a draft trims the same white space. */
const VISIBLE = /[^\t\n\f\r ]/;

/**
 * Publishes the draft. `before` null: publishes the current draft. Otherwise returns undefined if
 * the draft is no longer `before`. Throws `not_found` for an unknown template, and `invalid` for a
 * template without a draft.
 */
export async function publishVersion(
  { CONTENT }: Pick<Env, "CONTENT">,
  scope: Scope,
  id: string,
  before: KnownBasis | null,
  now: number,
): Promise<StoredTemplate | undefined> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const basis = before ?? (await getBasis(scope, id));
    const { draft } = basis;
    refuseEmpty(basis);
    if (!draft) return undefined;
    const body = await putBody(CONTENT, scope, id, draft);
    const number = await nextVersionNumber(scope, id);
    const version = { number, subject: draft.subject, ...body };
    const published = await publishDraft(scope, id, basis, version, now);
    if (published || before) return published;
  }
  throw new Error(`other requests changed a template ${ATTEMPTS} times in a row`);
}

function refuseEmpty({ draft, template: { kind } }: KnownBasis): void {
  if (!draft) throw refuseMember("draft", "does not exist");
  if (!VISIBLE.test(draft[kind] ?? "")) throw refuseMember(kind, "is empty in the draft");
}
