// The JSON of /v1/replies (contract.md §Replies).
import * as z from "zod";
import { mailboxText } from "../../../lib/mime/mailbox-header.ts";
import type { ReplyRow } from "../../../resources/replies/store.ts";
import { SENDER_CHECKS } from "../../../resources/replies/reply-records.ts";
import type { ReceivedFile } from "../../../resources/replies/reply-records.ts";
import type { StoredReply } from "./stored-reply.ts";

const SenderCheck = z.enum(SENDER_CHECKS).nullable();
const NOT_CHECKED = "Null: the sender was not judged.";
const FILTER_CHARACTERS = 320;

const ReplyAttachment = z.object({
  index: z.int(),
  filename: z.string(),
  content_type: z.string(),
  content_id: z.string().nullable().describe("The HTML shows the file as `cid:<content_id>`."),
  is_inline: z.boolean(),
  size: z.int().describe("In bytes."),
});

export const Reply = z
  .object({
    id: z.string(),
    email_id: z.string().describe("The message that is answered, as the signed address says."),
    recipient: z
      .string()
      .nullable()
      .describe(
        "The recipient whose copy is answered. Null: the message is not stored any more, and the " +
          "signed address was not made for the reply's author.",
      ),
    from: z.string().nullable().describe("The author, as the reply's `From` says."),
    from_recipient: z
      .boolean()
      .describe("Whether the author's address is the recipient's. `From` can be forged."),
    to: z.array(z.string()).describe("The signed address."),
    cc: z.array(z.string()),
    message_id: z.string().nullable(),
    subject: z.string(),
    preview: z.string().describe("The beginning of the answer."),
    auto: z.boolean().describe("True: a program wrote the reply, such as an out-of-office note."),
    spf: SenderCheck.describe(NOT_CHECKED),
    dkim: SenderCheck.describe(NOT_CHECKED),
    dmarc: SenderCheck.describe(NOT_CHECKED),
    reply_to: z
      .array(z.string())
      .describe("The addresses that the message's send gave as `reply_to`. They got no mail."),
    attachments: z.array(ReplyAttachment),
    seen: z.boolean(),
    received_at: z.iso.datetime(),
    kept_until: z.iso.datetime(),
  })
  .meta({ id: "Reply" });

const LINKED = "Opens the file without a key, until `download_expires_at`.";

export const WholeReply = Reply.extend({
  attachments: z.array(ReplyAttachment.extend({ download_url: z.string().describe(LINKED) })),
  raw_download_url: z.string().describe("The raw mail. ".concat(LINKED)),
  download_expires_at: z.iso.datetime().describe("An hour from now."),
  text: z.string().describe("The reply's own text. Do not trust it: anyone can reply."),
  quoted: z.string().describe("The quotation and the signature, which were cut off the text."),
  html: z.string().nullable().describe("The whole HTML, with the quotation. Null: there is none."),
  headers: z
    .record(z.string(), z.string())
    .describe(
      "The fields of the header, by name in lower case. If a name occurs twice, its first field.",
    ),
}).meta({ id: "WholeReply" });

export const ReplyQuery = z.object({
  email_id: z.string().max(FILTER_CHARACTERS).optional(),
  recipient: z.string().max(FILTER_CHARACTERS).optional(),
  seen: z.enum(["true", "false"], { error: "must be true or false" }).optional(),
});

export const UpdateReply = z.object({
  seen: z.boolean().describe("A reply that was seen is kept for a shorter time."),
});

export function toReply(row: ReplyRow): z.output<typeof Reply> {
  const { fromEmail, fromName, facts } = row;
  return {
    id: row.id,
    email_id: row.emailId,
    recipient: row.recipient,
    from: fromEmail === null ? null : mailboxText({ email: fromEmail, name: fromName }),
    from_recipient: row.fromRecipient,
    to: [...facts.to],
    cc: [...facts.cc],
    message_id: facts.messageId,
    subject: row.subject,
    preview: row.preview,
    auto: row.auto,
    spf: row.spf,
    dkim: row.dkim,
    dmarc: row.dmarc,
    reply_to: [...facts.replyTo],
    attachments: facts.attachments.map(toAttachment),
    seen: row.seenAt !== null,
    received_at: new Date(row.createdAt).toISOString(),
    kept_until: new Date(row.expiresAt).toISOString(),
  };
}

/**
 * Returns the JSON. `links` are the links of the files, in order, and then the link of the raw
 * mail.
 */
export function toWholeReply(
  { row, content: { text, quoted, html }, headers }: StoredReply,
  links: readonly { readonly url: string; readonly until: number }[],
): z.output<typeof WholeReply> {
  const { attachments, ...reply } = toReply(row);
  const raw = links.at(-1)!;
  return {
    ...reply,
    text,
    quoted,
    html,
    headers,
    attachments: attachments.map((file, index) => ({
      ...file,
      download_url: links[index]!.url,
    })),
    raw_download_url: raw.url,
    download_expires_at: new Date(raw.until).toISOString(),
  };
}

function toAttachment(
  { filename, contentType, contentId, isInline, size }: ReceivedFile,
  index: number,
): z.output<typeof ReplyAttachment> {
  return {
    index,
    filename,
    content_type: contentType,
    content_id: contentId,
    is_inline: isInline,
    size,
  };
}
