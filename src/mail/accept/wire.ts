// The schemas of POST /v1/email and /v1/email/batch (contract.md §Sending, contract.md §Batch),
// behind validation and the API's description. Types, patterns and choices are judged here; the
// rules that span fields, and those whose failure is a 400, in the files beside it.
import * as z from "zod";
import {
  ATTACHMENTS_PER_SEND,
  BODY_CHARACTERS,
  CUSTOM_HEADERS,
  CUSTOM_HEADER_VALUE_CHARACTERS,
  EMAILS_PER_BATCH,
  HEADER_NAME_CHARACTERS,
  LABEL_CHARACTERS,
  RECIPIENTS_PER_SEND,
  REPLY_TO_ENTRIES,
  SUBJECT_CHARACTERS,
  TAGS_PER_SEND,
  VARIABLES_BYTES,
  VARIABLES_DEPTH,
  VARIABLES_KEYS_PER_OBJECT,
} from "../../limits.ts";

const Label = labelOf(
  new RegExp(`^[A-Za-z0-9_-]{1,${LABEL_CHARACTERS}}$`),
  "letters, digits, underscores or hyphens",
);
const Topic = labelOf(
  new RegExp(`^[a-z0-9_.-]{1,${LABEL_CHARACTERS}}$`),
  "lower-case letters, digits, underscores, dots or hyphens",
);

export const EmailAttachment = z
  .object({
    filename: z.string().describe("Without its directories."),
    content: z.string().meta({
      contentEncoding: "base64",
      description: "Base64 of either alphabet; padding and line breaks may be left out or in.",
    }),
    content_type: z.string().optional().describe("By the file name where it is left out."),
    content_id: z
      .string()
      .optional()
      .describe("Makes it inline: HTML shows it as `cid:<content_id>`."),
  })
  .meta({ id: "EmailAttachment" });

export const EmailSendRequest = z
  .object({
    from: z
      .string()
      .describe(
        "`addr@host` or `Display Name <addr@host>`, on a verified domain of the team. All of the text before the last `<...>` is the name.",
      ),
    to: z
      .array(z.string())
      .min(1)
      .max(RECIPIENTS_PER_SEND)
      .describe(
        `Everyone is named in \`To\`. At most ${RECIPIENTS_PER_SEND} together with \`cc\` and \`bcc\`.`,
      ),
    cc: z.array(z.string()).max(RECIPIENTS_PER_SEND).optional(),
    bcc: z.array(z.string()).max(RECIPIENTS_PER_SEND).optional().describe("In no header."),
    reply_to: z.union([z.string(), z.array(z.string()).max(REPLY_TO_ENTRIES)]).optional(),
    subject: z
      .string()
      .optional()
      .describe(
        `Needed unless the template has one; wins over the template's. At most ${SUBJECT_CHARACTERS} characters, once line breaks and other control characters are taken out.`,
      ),
    template_id: z
      .string()
      .optional()
      .describe("A published template of the team. Goes with neither `text` nor `html`."),
    text: z.string().meta({ maxLength: BODY_CHARACTERS }).optional(),
    html: z.string().meta({ maxLength: BODY_CHARACTERS }).optional(),
    headers: z
      .record(z.string(), z.string())
      .optional()
      .describe(
        `At most ${CUSTOM_HEADERS}, once those are dropped whose names are malformed, longer than ${HEADER_NAME_CHARACTERS} characters or the service's own. A value has at most ${CUSTOM_HEADER_VALUE_CHARACTERS} characters, once it stands on one line.`,
      ),
    attachments: z.array(EmailAttachment).max(ATTACHMENTS_PER_SEND).optional(),
    tags: z.array(Label).optional().describe(`At most ${TAGS_PER_SEND} different ones.`),
    tracking: z
      .object({ opens: z.boolean().optional(), clicks: z.boolean().optional() })
      .optional()
      .describe("In place of the domain's settings; what is left out stays as there."),
    variables: z
      .record(z.string(), z.unknown())
      .optional()
      .describe(
        `For \`{{ }}\` in subject, bodies and header values. At most ${VARIABLES_BYTES / 1024} KB of JSON, ${VARIABLES_KEYS_PER_OBJECT} keys an object, ${VARIABLES_DEPTH} levels.`,
      ),
    campaign: Label.optional().describe("Gives the send a delivery queue of its own."),
    ip_pool: z
      .string()
      .meta({ pattern: "^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$" })
      .optional()
      .describe("One of the team's named pools; left out: the default one."),
    topic: Topic.optional().describe(
      "The scope of suppressions; without it, only those of every topic hold.",
    ),
    unsubscribe: z
      .object({ mode: z.enum(["generate", "none"]), display_name: z.string().optional() })
      .optional()
      .describe(
        "`generate` adds a one-click unsubscribe link unless `headers` has an https link in `List-Unsubscribe`, and needs a `topic`.",
      ),
  })
  .meta({ id: "EmailSendRequest" });

/** The fields that are one value each; lists and maps are read entry by entry. */
export const SingleFields = EmailSendRequest.pick({
  from: true,
  subject: true,
  template_id: true,
  text: true,
  html: true,
  tracking: true,
  campaign: true,
  ip_pool: true,
  topic: true,
  unsubscribe: true,
});

export type SingleFields = Partial<z.output<typeof SingleFields>>;

export const Tag = Label;

export const EmailSendResponse = z
  .object({
    id: z.string().describe("email_<uuidv7>"),
    created_at: z.iso.datetime(),
  })
  .meta({ id: "EmailSendResponse" });

/** `to` is per entry alone: there it is a member like any other that is not known. */
export const EmailBatchDefaults = EmailSendRequest.omit({ to: true })
  .partial()
  .meta({ id: "EmailBatchDefaults" });

/** Merged with the defaults, an entry is an EmailSendRequest. */
export const EmailBatchRequest = z.object({
  emails: z
    .array(EmailSendRequest.partial().required({ to: true }))
    .min(1)
    .max(EMAILS_PER_BATCH),
  defaults: EmailBatchDefaults.optional(),
});

const EmailBatchItemError = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("validation_error"),
    message: z.string(),
    errors: z.record(z.string(), z.array(z.string())),
  }),
  z.object({
    type: z.literal("quota_exceeded"),
    message: z.string(),
    scope: z.enum(["tag_cardinality", "campaign_cardinality", "topic_cardinality"]),
    limit: z.int(),
    retry_after_seconds: z.int(),
  }),
  z.object({ type: z.literal("internal_error"), message: z.string() }),
]);

const EmailBatchItemResult = z.discriminatedUnion("status", [
  z.object({ status: z.literal("queued"), index: z.int().min(0), ...EmailSendResponse.shape }),
  z.object({ status: z.literal("failed"), index: z.int().min(0), error: EmailBatchItemError }),
]);

/** One result for each entry, in the request's order. */
export const EmailBatchResponse = z.object({
  summary: z.object({ total: z.int(), queued: z.int(), failed: z.int() }),
  data: z.array(EmailBatchItemResult),
});

function labelOf(pattern: RegExp, named: string): z.ZodString {
  return z.string().regex(pattern, `must be 1 to ${LABEL_CHARACTERS} ${named}`);
}
