// Converts Postern's templates to Resend's form, and the members of Resend's requests to Postern's
// (docs/from-resend.md §Templates). Pure.
import type * as z from "zod";
import { isJsonObject } from "../../lib/json.ts";
import { VARIABLES_KEYS_PER_OBJECT } from "../../limits.ts";
import type { JsonObject } from "../../mail/accept/fields.ts";
import type { Template as OwnTemplate, TemplateDraft } from "../../resources/templates/wire.ts";
import { bareId } from "./bare-ids.ts";

export type Template = z.output<typeof OwnTemplate>;
export type OwnDraft = z.output<typeof TemplateDraft>;

/** Resend's names of members, by Postern's names. */
export const TEMPLATE_NAMES = { fallbacks: "variables" } as const;

/** Members of Resend's request that belong to a template's draft. Both APIs use these names. */
export const CONTENT = ["subject", "html", "from", "reply_to"] as const;

/**
 * Returns the template as Resend shows it. The content is the draft's if there is a draft, and the
 * published content otherwise.
 */
export function toResendTemplate(template: Template, draft: OwnDraft | undefined): JsonObject {
  const { subject, html, text, from, reply_to, fallbacks, variables } = draft ?? template;
  return {
    object: "template",
    ...toListedTemplate(template),
    subject,
    html: html ?? "",
    text,
    from,
    reply_to,
    variables: variablesOf(template, variables ?? [], fallbacks),
    has_unpublished_versions: template.has_draft,
    // Postern's template versions have no ids of their own, so the template's id is shown.
    current_version_id: bareId(template.id),
  };
}

export function toListedTemplate(template: Template): JsonObject {
  const { id, name, alias, published_at, created_at, updated_at } = template;
  return {
    id: bareId(id),
    name,
    alias,
    status: published_at === null ? "draft" : "published",
    published_at,
    created_at,
    updated_at,
  };
}

/** Returns the content in a request, by Postern's names. */
export function contentOf(body: JsonObject): JsonObject {
  const { variables } = body;
  const given = CONTENT.filter((name) => body[name] !== undefined);
  return {
    ...Object.fromEntries(given.map((name) => [name, body[name]])),
    ...(variables !== undefined && { fallbacks: fallbacksOf(variables) }),
  };
}

/**
 * Returns the fallbacks of the variables that have one. Other variables are dropped, because
 * Postern finds variables in the content. Stops at one more than the maximum number of fallbacks.
 */
function fallbacksOf(variables: unknown): unknown {
  if (!Array.isArray(variables) || !variables.every(isVariable)) return variables;
  const fallbacks = new Map<string, unknown>();
  for (const { key, fallback_value: value } of variables) {
    if (value !== undefined && value !== null) fallbacks.set(key, value);
    if (fallbacks.size > VARIABLES_KEYS_PER_OBJECT) break;
  }
  return Object.fromEntries(fallbacks);
}

interface Variable {
  readonly key: string;
  readonly fallback_value?: unknown;
}

function isVariable(variable: unknown): variable is Variable {
  return isJsonObject(variable) && typeof variable["key"] === "string";
}

/** Lists the variables that the content uses, and then the variables that only have a fallback. */
function variablesOf(
  { created_at, updated_at }: Template,
  used: readonly string[],
  fallbacks: JsonObject | null,
): JsonObject[] {
  return [...new Set([...used, ...Object.keys(fallbacks ?? {})])].map((key) => {
    const value = fallbacks?.[key];
    const type = typeof value === "number" ? "number" : "string";
    const isShown = typeof value === "number" || typeof value === "string";
    return { key, type, fallback_value: isShown ? value : null, created_at, updated_at };
  });
}
