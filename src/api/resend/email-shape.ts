// A message as Resend shows it (docs/from-resend.md §Emails). Pure.
import type { EventType } from "../../rpc/event-types.ts";
import type { JsonObject } from "../../mail/accept/fields.ts";
import type { ListedEmail } from "../../mail/lookup/messages/wire.ts";
import type { Email } from "../../mail/lookup/wire.ts";
import type * as z from "zod";
import type { EmailContent as ContentSchema } from "../../mail/content/wire.ts";
import { mailboxText } from "../../lib/mime/mailbox-header.ts";
import { bareId } from "./bare-ids.ts";

export type EmailContent = z.output<typeof ContentSchema>;

const LAST_EVENTS: Readonly<Record<EventType, string>> = {
  "email.sent": "sent",
  "email.delivered": "delivered",
  "email.delayed": "delivery_delayed",
  "email.bounced": "bounced",
  "email.complained": "complained",
  "email.suppressed": "suppressed",
  // Resend has no event for an unsubscribe. An unsubscribed message was delivered, so it counts as
  // delivered.
  "email.unsubscribed": "delivered",
  "email.opened": "opened",
  "email.clicked": "clicked",
};

/**
 * Converts a message. If `content` is undefined, the service does not keep the message's content.
 */
export function toResendEmail(email: Email, content: EmailContent | undefined): JsonObject {
  const replyTo = content?.headers["Reply-To"];
  return {
    object: "email",
    ...membersOf(email),
    ...(replyTo !== undefined && { reply_to: replyTo.split(", ") }),
    html: content?.html ?? null,
    text: content?.text ?? null,
    last_event: lastEventOf(email),
    tags: Object.entries(email.metadata ?? {}).map(([name, value]) => ({ name, value })),
  };
}

/** Converts attachments. The id of an attachment is its index in the message. */
export function toResendAttachments({ attachments }: EmailContent): JsonObject[] {
  return attachments.map((file) => ({
    id: String(file.index),
    filename: file.filename,
    size: file.size,
    content_type: file.content_type,
    content_disposition: file.content_id === null ? "attachment" : "inline",
    ...(file.content_id !== null && { content_id: file.content_id }),
    download_url: file.download_url,
    expires_at: file.download_expires_at,
  }));
}

export function toListedResendEmail(email: ListedEmail): JsonObject {
  const { last_event: last, status, canceled_at } = email;
  const waiting = status === "scheduled" ? "scheduled" : "queued";
  const begun = typeof canceled_at === "string" ? "canceled" : waiting;
  return { ...membersOf(email), last_event: last ? LAST_EVENTS[last.type] : begun };
}

function membersOf(email: Email | ListedEmail): JsonObject {
  return {
    id: bareId(email.id),
    message_id: email.message_id,
    from: mailboxText({ email: email.from, name: email.from_name }),
    to: email.to,
    cc: email.cc,
    bcc: email.bcc,
    reply_to: [],
    subject: email.subject,
    created_at: email.created_at,
    scheduled_at: email.scheduled_at ?? null,
    topic_id: email.topic,
  };
}

/**
 * Returns the name of the latest event of any recipient. Returns the message's state if there are
 * no events.
 */
function lastEventOf({ recipients, scheduled_at, canceled_at }: Email): string {
  const [latest] = recipients
    .flatMap(({ events }) => events)
    .toSorted((one, other) => other.occurred_at.localeCompare(one.occurred_at));
  if (latest) return LAST_EVENTS[latest.type];
  if (typeof canceled_at === "string") return "canceled";
  return scheduled_at !== undefined && recipients.some(({ status }) => status === "scheduled")
    ? "scheduled"
    : "queued";
}
