// What POST /v1/email takes and answers (spec.md "Send request", wire.md "Values"): the schemas behind validation and the API's description.
// Types, patterns and choices are judged here; the rules that span fields, and those whose failure is a 400, in the files beside it.
import * as z from "zod";
import {
  ATTACHMENTS_PER_SEND,
  BODY_CHARACTERS,
  LABEL_CHARACTERS,
  RECIPIENTS_PER_SEND,
  REPLY_TO_ENTRIES,
  SUBJECT_CHARACTERS,
  TAGS_PER_SEND,
} from "../../limits.ts";

const Label = labelOf("A-Za-z0-9_-", "letters, digits, underscores or hyphens");
const Topic = labelOf("a-z0-9_.-", "lower-case letters, digits, underscores, dots or hyphens");

export const EmailAttachment = z.object({
  filename: z.string(),
  content: z.string().meta({ contentEncoding: "base64" }),
  content_type: z.string().optional(),
  content_id: z.string().optional(),
});

export const EmailSendRequest = z.object({
  from: z.string(),
  to: z.array(z.string()).min(1).max(RECIPIENTS_PER_SEND),
  cc: z.array(z.string()).max(RECIPIENTS_PER_SEND).optional(),
  bcc: z.array(z.string()).max(RECIPIENTS_PER_SEND).optional(),
  reply_to: z.union([z.string(), z.array(z.string()).max(REPLY_TO_ENTRIES)]).optional(),
  subject: z.string().meta({ maxLength: SUBJECT_CHARACTERS }).optional(),
  template_id: z.string().optional(),
  text: z.string().meta({ maxLength: BODY_CHARACTERS }).optional(),
  html: z.string().meta({ maxLength: BODY_CHARACTERS }).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  attachments: z.array(EmailAttachment).max(ATTACHMENTS_PER_SEND).optional(),
  tags: z.array(Label).max(TAGS_PER_SEND).optional(),
  tracking: z.object({ opens: z.boolean().optional(), clicks: z.boolean().optional() }).optional(),
  variables: z.record(z.string(), z.unknown()).optional(),
  campaign: Label.optional(),
  ip_pool: z.string().optional(),
  topic: Topic.optional(),
  unsubscribe: z.object({ mode: z.enum(["generate", "none"]), display_name: z.string().optional() }).optional(),
});

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

export const EmailSendResponse = z.object({
  id: z.string().describe("email_<uuidv7>"),
  created_at: z.iso.datetime(),
});

function labelOf(characters: string, named: string): z.ZodString {
  return z.string().regex(new RegExp(`^[${characters}]{1,${LABEL_CHARACTERS}}$`), `must be 1 to ${LABEL_CHARACTERS} ${named}`);
}
