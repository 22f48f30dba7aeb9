// Renders a reply for a webhook: as `email.replied` (contract.md §Replies), or in the form of
// Resend's `email.received`, which has no body (contract.md §Formats). An unknown member is absent.
// Pure.
import { REPLIED } from "../../rpc/event-types.ts";
import { eventId } from "../../rpc/event-records.ts";
import type { ReceivedFacts, ReceivedFile, SenderCheck } from "../replies/reply-records.ts";

/** The facts of a reply that webhooks show. */
export interface ReplyFacts {
  readonly id: string;
  readonly emailId: string;
  /**
   * Null: the recipient is unknown. The message is no longer stored, and the reply did not come
   * from the recipient's address.
   */
  readonly recipient: string | null;
  /** The author in the form of the reply's From. Null: the From has no address. */
  readonly from: string | null;
  readonly fromRecipient: boolean;
  readonly subject: string;
  readonly text: string;
  readonly auto: boolean;
  readonly spf: SenderCheck | null;
  readonly dkim: SenderCheck | null;
  readonly dmarc: SenderCheck | null;
  /** Unix milliseconds. */
  readonly receivedAt: number;
  readonly received: ReceivedFacts;
}

/** An entry in the `events` of a delivery's body. */
export interface ReplyEvent {
  readonly id: string;
  readonly type: typeof REPLIED;
  readonly occurred_at: string;
  readonly data: ReplyEventData;
  /** Facts that only the format `resend` shows. */
  readonly received?: ReceivedFacts;
}

interface ReplyEventData {
  readonly email_id: string;
  readonly reply_id: string;
  readonly recipient?: string;
  readonly from?: string;
  readonly from_recipient: boolean;
  readonly subject: string;
  readonly text: string;
  readonly auto: boolean;
  readonly spf?: SenderCheck;
  readonly dkim?: SenderCheck;
  readonly dmarc?: SenderCheck;
  readonly received_at: string;
}

/** Maximum length of the reply's text, so that an event fits into a batch. */
const TEXT_CHARACTERS = 20_000;

export function toReplyEvent(reply: ReplyFacts, format: "batch" | "resend"): ReplyEvent {
  const { recipient, from, spf, dkim, dmarc } = reply;
  const at = new Date(reply.receivedAt).toISOString();
  return {
    id: eventId(reply.receivedAt, reply.id, REPLIED),
    type: REPLIED,
    occurred_at: at,
    data: {
      email_id: reply.emailId,
      reply_id: reply.id,
      ...(recipient !== null && { recipient }),
      ...(from !== null && { from }),
      from_recipient: reply.fromRecipient,
      subject: reply.subject,
      text: reply.text.slice(0, TEXT_CHARACTERS).toWellFormed(),
      auto: reply.auto,
      ...(spf && { spf }),
      ...(dkim && { dkim }),
      ...(dmarc && { dmarc }),
      received_at: at,
    },
    ...(format === "resend" && { received: reply.received }),
  };
}

/** Renders a reply in the form of Resend's event for received mail. */
export function toReceivedEvent({ occurred_at: at, data, received }: ReplyEvent): object {
  return {
    type: "email.received",
    created_at: at,
    data: {
      email_id: data.reply_id.slice(data.reply_id.indexOf("_") + 1),
      created_at: at,
      from: data.from ?? "",
      to: received?.to ?? [],
      bcc: [],
      cc: received?.cc ?? [],
      message_id: received?.messageId ?? "",
      subject: data.subject,
      attachments: (received?.attachments ?? []).map(toReceivedFile),
    },
  };
}

/** Renders an attached file in Resend's form. Its id is its number in the reply. */
function toReceivedFile(file: ReceivedFile, index: number) {
  return {
    id: String(index),
    filename: file.filename,
    content_type: file.contentType,
    content_disposition: file.isInline ? "inline" : "attachment",
    content_id: file.contentId,
  };
}
