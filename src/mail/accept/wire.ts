// The schemas of POST /v1/email and /v1/email/batch (contract.md §Sending, contract.md §Batch), for
// validation and for the API's description. They check types, patterns and choices. Other files in
// this folder check rules that concern several members, and rules whose violation is a 400.
import { PRIORITIES } from "../../rpc/priority.ts";
import * as z from "zod";
import { ScheduledAt } from "../scheduled-at.ts";
import {
  ATTACHMENTS_PER_SEND,
  BODY_CHARACTERS,
  CUSTOM_HEADERS,
  CUSTOM_HEADER_VALUE_CHARACTERS,
  EMAILS_PER_BATCH,
  HEADER_NAME_CHARACTERS,
  LABEL_CHARACTERS,
  METADATA_BYTES,
  METADATA_NAME_CHARACTERS,
  METADATA_PAIRS,
  METADATA_VALUE_CHARACTERS,
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
    filename: z.string().describe("Directories are removed."),
    content: z
      .string()
      .meta({
        contentEncoding: "base64",
        description:
          "Base64 in either alphabet, with or without padding and line breaks. " +
          "Required unless `path` is given.",
      })
      .optional(),
    path: z
      .string()
      .optional()
      .describe(
        "The https URL of a file that is fetched and attached, if `content` is absent. " +
          "Only in a single send.",
      ),
    content_type: z.string().optional().describe("By default, the file name's extension decides."),
    content_id: z
      .string()
      .optional()
      .describe("Makes the attachment inline: HTML shows it as `cid:<content_id>`."),
  })
  .meta({ id: "EmailAttachment" });

export const EmailSendRequest = z
  .object({
    from: z
      .string()
      .optional()
      .describe(
        "Required unless the template has a sender. Replaces the template's sender. `addr@host` or `Display Name <addr@host>`, on a verified domain of the team. " +
          "The text before the last `<...>` is the display name.",
      ),
    to: z
      .array(z.string())
      .min(1)
      .max(RECIPIENTS_PER_SEND)
      .describe(
        `Recipients that the header \`To\` names. ` +
          `At most ${RECIPIENTS_PER_SEND} together with \`cc\` and \`bcc\`.`,
      ),
    cc: z
      .array(z.string())
      .max(RECIPIENTS_PER_SEND)
      .optional()
      .describe("Recipients that the header `Cc` names."),
    bcc: z
      .array(z.string())
      .max(RECIPIENTS_PER_SEND)
      .optional()
      .describe("Recipients that no header names."),
    reply_to: z
      .union([z.string(), z.array(z.string()).max(REPLY_TO_ENTRIES)])
      .optional()
      .describe("Replaces the template's reply addresses. An empty list removes them."),
    subject: z
      .string()
      .optional()
      .describe(
        `Required unless the template has a subject. Replaces the template's subject. ` +
          `At most ${SUBJECT_CHARACTERS} characters, ` +
          `after line breaks and other control characters are removed.`,
      ),
    template_id: z
      .string()
      .optional()
      .describe(
        "The id or alias of a published template of the team. Can't be combined with `text` or " +
          "`html`.",
      ),
    text: z
      .string()
      .meta({ maxLength: BODY_CHARACTERS })
      .optional()
      .describe("The body as plain text. Required unless `html` or `template_id` is given."),
    html: z
      .string()
      .meta({ maxLength: BODY_CHARACTERS })
      .optional()
      .describe("The body as HTML. Required unless `text` or `template_id` is given."),
    headers: z
      .record(z.string(), z.string())
      .optional()
      .describe(
        `A header is dropped if its name is malformed, ` +
          `longer than ${HEADER_NAME_CHARACTERS} characters, or set by the service. ` +
          `At most ${CUSTOM_HEADERS} may remain. A value has at most ` +
          `${CUSTOM_HEADER_VALUE_CHARACTERS} characters, after line breaks are removed.`,
      ),
    attachments: z
      .array(EmailAttachment)
      .max(ATTACHMENTS_PER_SEND)
      .optional()
      .describe("Files, each with its `content` or the `path` to fetch it from."),
    tags: z.array(Label).optional().describe(`At most ${TAGS_PER_SEND} different ones.`),
    tracking: z
      .object({
        opens: z.boolean().optional().describe("Whether opens of the HTML are counted."),
        clicks: z.boolean().optional().describe("Whether links lead through the service."),
      })
      .optional()
      .describe(
        "Overrides the domain's settings. A member that is left out keeps the domain's setting.",
      ),
    variables: z
      .record(z.string(), z.unknown())
      .optional()
      .describe(
        `Values for \`{{ }}\` in subject, bodies and header values. ` +
          `A variable without a value here gets the template's fallback. ` +
          `At most ${VARIABLES_BYTES / 1024} KB of JSON, ` +
          `${VARIABLES_KEYS_PER_OBJECT} keys in each object, ${VARIABLES_DEPTH} levels.`,
      ),
    metadata: z
      .record(
        z.string().regex(new RegExp(`^[A-Za-z0-9_-]{1,${METADATA_NAME_CHARACTERS}}$`)),
        z.string().max(METADATA_VALUE_CHARACTERS),
      )
      .meta({ maxProperties: METADATA_PAIRS })
      .optional()
      .describe(
        "Your own names and values, such as an order number. Webhooks and look-ups show them; " +
          `they are never part of the mail. At most ${METADATA_BYTES / 1024} KB of JSON.`,
      ),
    campaign: Label.optional().describe("Gives the send a delivery queue of its own."),
    ip_pool: z
      .string()
      .meta({ pattern: "^[a-z0-9]([a-z0-9-]{0,30}[a-z0-9])?$" })
      .optional()
      .describe("One of the team's named pools. Without it, the default pool is used."),
    priority: z
      .enum(PRIORITIES)
      .optional()
      .describe(
        "`high` goes out before the team's other mail. The default is `normal`. While other mail " +
          "waits, `high` gets at most nine tenths of the delivery rate.",
      ),
    sensitive: z
      .boolean()
      .optional()
      .describe(
        "True for mail with a secret, such as a link that resets a password: its content is never " +
          "kept, and its links never lead through the service. A template can set it too.",
      ),
    reply_tracking: z
      .boolean()
      .optional()
      .describe(
        "True: replies come to the service, tied to the message and its recipient. Each copy's `Reply-To` " +
          "is an address of the service; the addresses in `reply_to` are shown with a reply and " +
          "get no mail. It needs a webhook for `email.replied`, or `reads_replies` of the team, and " +
          "excludes `sensitive`. A template can set it too.",
      ),
    topic: Topic.optional().describe(
      "The scope of suppressions. Without a topic, only suppressions of all topics apply.",
    ),
    scheduled_at: ScheduledAt.optional().describe(
      "When the message goes out: up to 30 days ahead. A time in the past minute counts as now.",
    ),
    unsubscribe: z
      .object({
        mode: z
          .enum(["generate", "none"])
          .describe("`none`: the service adds no unsubscribe link."),
        display_name: z
          .string()
          .optional()
          .describe("The sender's name on the page that the link opens."),
      })
      .optional()
      .describe(
        "`generate` adds a one-click unsubscribe link, unless `headers` has an https link in " +
          "`List-Unsubscribe`. It requires a `topic`.",
      ),
  })
  .meta({ id: "EmailSendRequest" });

/** The members of a send that have a single value. Lists and maps are read entry by entry. */
export const SingleFields = EmailSendRequest.pick({
  from: true,
  subject: true,
  template_id: true,
  text: true,
  html: true,
  tracking: true,
  campaign: true,
  ip_pool: true,
  priority: true,
  sensitive: true,
  reply_tracking: true,
  topic: true,
  unsubscribe: true,
  scheduled_at: true,
});

export type SingleFields = Partial<z.output<typeof SingleFields>>;

export const Tag = Label;

export const EmailSendResponse = z
  .object({
    id: z.string().describe("email_<uuidv7>"),
    created_at: z.iso.datetime(),
    scheduled_at: z.iso
      .datetime()
      .optional()
      .describe("When the message goes out. Present only if the message was scheduled."),
  })
  .meta({ id: "EmailSendResponse" });

/**
 * The members of `defaults` in a batch. Only an entry can have `to`. In `defaults`, `to` is an
 * unknown member.
 */
export const EmailBatchDefaults = EmailSendRequest.omit({ to: true })
  .partial()
  .meta({ id: "EmailBatchDefaults" });

/** A batch. Each entry, merged with the defaults, is an EmailSendRequest. */
export const EmailBatchRequest = z.object({
  emails: z
    .array(EmailSendRequest.partial().required({ to: true }))
    .min(1)
    .max(EMAILS_PER_BATCH)
    .describe("The messages. Each has `to`, and the members that `defaults` leave out."),
  defaults: EmailBatchDefaults.optional().describe("Members for entries that lack them."),
  validation: z
    .enum(["strict", "permissive"])
    .optional()
    .describe(
      "`strict`, the default: an invalid entry refuses the whole batch. " +
        "`permissive`: an invalid entry fails alone, and the other entries are sent.",
    ),
});

/** The members of a batch that have a single value. */
export const BatchFields = EmailBatchRequest.pick({ validation: true });

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

/** The response to a batch: one result for each entry, in the request's order. */
export const EmailBatchResponse = z.object({
  summary: z.object({ total: z.int(), queued: z.int(), failed: z.int() }),
  data: z.array(EmailBatchItemResult),
});

function labelOf(pattern: RegExp, named: string): z.ZodString {
  return z.string().regex(pattern, `must be 1 to ${LABEL_CHARACTERS} ${named}`);
}
