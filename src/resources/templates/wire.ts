// Declares the JSON of a template and of its draft (contract.md §Templates).
import * as z from "zod";
import { GivenName } from "../../given-text.ts";
import { REPLY_TO_ENTRIES, TEMPLATE_ALIAS_CHARACTERS } from "../../limits.ts";
import type { StoredDraft } from "./draft-store.ts";
import type { StoredTemplate } from "./store.ts";
import { toTime } from "../../time-text.ts";
import { ALIAS, isReserved } from "./template-alias.ts";
import { findVariables } from "./template-variables.ts";

const Kind = z
  .enum(["html", "markdown"])
  .describe("The member that holds the content. The kind can't be changed.");

const FALLBACKS =
  "Values for variables that a send leaves out. They are merged with the send's variables " +
  "object by object, and have the limits of a send's `variables`.";

const Fallbacks = z.record(z.string(), z.unknown()).describe(FALLBACKS);

const SENSITIVE =
  "True: every send with the template is sensitive, whatever the send says. A change " +
  "takes effect at once, without a publication.";

const REPLY_TRACKING =
  "True: replies to every send with the template come to the service, whatever the send says. A " +
  "change takes effect at once, without a publication.";

/** The content, and the defaults for sends without these members. */
const Content = {
  html: z.string().nullable(),
  text: z.string().nullable(),
  markdown: z.string().nullable(),
  from: z.string().nullable(),
  reply_to: z.array(z.string()).readonly().nullable(),
  fallbacks: Fallbacks.readonly().nullable(),
};

export const Template = z.object({
  id: z.string(),
  name: z.string(),
  alias: z.string().nullable(),
  subject: z.string().nullable(),
  kind: Kind,
  ...Content,
  variables: z
    .array(z.string())
    .optional()
    .describe(
      "The variables that the published content uses, dotted and sorted; without " +
        "`unsubscribe_url` and names that template blocks define. Left out in lists.",
    ),
  sensitive: z.boolean().describe(SENSITIVE),
  reply_tracking: z.literal(true).optional().describe(`${REPLY_TRACKING} Present only if true.`),
  has_draft: z.boolean(),
  published_at: z.iso.datetime().nullable(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

export const TemplateDraft = z.object({
  subject: z.string().nullable(),
  ...Content,
  variables: z
    .array(z.string())
    .describe(
      "The variables that the draft uses, dotted and sorted; without `unsubscribe_url` and " +
        "names that template blocks define.",
    ),
  updated_at: z.iso.datetime(),
});

const Name = GivenName.describe("A name that tells people which template this is.");

const Alias = z
  .string()
  .regex(ALIAS, {
    error:
      `must be 1 to ${TEMPLATE_ALIAS_CHARACTERS} letters, digits, underscores, dots or hyphens, ` +
      "the first a letter or a digit",
    abort: true,
  })
  .refine(
    (text) => !isReserved(text),
    "must not look like a template's id, and must not be `preview`",
  )
  .nullable()
  .optional()
  .describe(
    "A second name for the template, unique in the team. It can be used wherever a template's " +
      "id can.",
  );

const part = (description: string) => z.string().nullable().optional().describe(description);

const Parts = {
  subject: part("The subject of a send that has none. It may have `{{ }}`."),
  html: part("The content of the kind `html`. It may have `{{ }}`."),
  markdown: part("The content of the kind `markdown`. It may have `{{ }}`."),
};

/** One condition checks all entries, so that a hostile list does not cause an issue per entry. */
const ReplyToList = z
  .custom<readonly string[]>(
    (list) => Array.isArray(list) && list.every((entry) => typeof entry === "string"),
  )
  .meta({ type: "array", items: { type: "string" }, maxItems: REPLY_TO_ENTRIES });

const GivenDefaults = {
  from: z
    .string()
    .nullable()
    .optional()
    .describe("The sender of sends that name none. The sender's domain is checked at each send."),
  reply_to: z
    .union([z.string(), ReplyToList])
    .nullable()
    .optional()
    .describe("The reply addresses of sends that name none."),
  fallbacks: Fallbacks.nullable().optional().describe(FALLBACKS),
};

/**
 * The body of a creation. template-content.ts checks the content, and that it has only members that
 * its kind allows.
 */
export const CreateTemplate = z.object({
  name: Name,
  alias: Alias,
  kind: Kind.default("html"),
  sensitive: z.boolean().optional().describe(SENSITIVE),
  reply_tracking: z.boolean().optional().describe(REPLY_TRACKING),
  ...Parts,
  ...GivenDefaults,
});

const InDraft = z
  .never({ error: "cannot be changed here: change the draft, then publish it" })
  .optional();
const Immutable = z.never({ error: "cannot be changed" }).optional();
const Derived = z.never({ error: "is derived by the service" }).optional();

export const UpdateTemplate = z.object({
  name: Name.optional(),
  alias: Alias,
  sensitive: z.boolean().optional().describe(SENSITIVE),
  reply_tracking: z.boolean().optional().describe(REPLY_TRACKING),
  subject: InDraft,
  html: InDraft,
  text: Derived,
  markdown: InDraft,
  from: InDraft,
  reply_to: InDraft,
  fallbacks: InDraft,
  kind: Immutable,
});

export const DuplicateTemplate = z.object({ name: Name.optional() });

export const UpdateDraft = z.object({ ...Parts, ...GivenDefaults });

/**
 * Returns a template for a list. It lacks the variables, because the search for the variables of a
 * whole page would take seconds.
 */
export function toListed(row: StoredTemplate): z.output<typeof Template> {
  return {
    id: row.id,
    name: row.name,
    alias: row.alias,
    subject: row.subject,
    kind: row.kind,
    html: row.html,
    text: row.text,
    markdown: row.markdown,
    from: row.from,
    reply_to: row.replyTo,
    fallbacks: row.fallbacks,
    sensitive: row.sensitive,
    ...(row.replyTracking && { reply_tracking: true }),
    has_draft: row.hasDraft,
    published_at: toTime(row.publishedAt),
    created_at: toTime(row.createdAt),
    updated_at: toTime(row.updatedAt),
  };
}

export function toTemplate(row: StoredTemplate): z.output<typeof Template> {
  return { ...toListed(row), variables: findVariables(row) };
}

export function toDraft(row: StoredDraft): z.output<typeof TemplateDraft> {
  const { subject, html, text, markdown, from, replyTo, fallbacks } = row;
  return {
    subject,
    html,
    text,
    markdown,
    from,
    reply_to: replyTo,
    fallbacks,
    variables: findVariables(row),
    updated_at: toTime(row.updatedAt),
  };
}
