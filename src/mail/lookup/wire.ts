// The JSON of GET /v1/email/{id}. Except for the members of scheduled messages, every member is
// always present. A member that does not apply is null.
import * as z from "zod";
import type { EventRecord, MessageRecord } from "../../rpc/event-records.ts";
import { RECIPIENT_STATES } from "../../rpc/recipient-states.ts";
import { mailboxText } from "../../lib/mime/mailbox-header.ts";
import type { ReplyRow } from "../../resources/replies/store.ts";
import { Explanation } from "../../explain/explanation.ts";
import { PulledEvent } from "../../resources/events/wire.ts";
import { BOUNCE_TYPES, EVENT_TYPES } from "../../rpc/event-types.ts";
import type { EmailWithRecipients } from "./lookup.ts";

const TimelineEvent = z.object({
  id: z.string(),
  type: z.enum(EVENT_TYPES),
  occurred_at: z.iso.datetime(),
  attempt: z.int().nullable(),
  smtp_code: z.int().nullable(),
  /** The server's reply. For a delivery, only its code and at most 100 characters. */
  smtp_response: z.string().nullable(),
  stage: z.string().nullable(),
  mx_host: z.string().nullable(),
  tls: z.string().nullable(),
  bounce_type: z.enum(BOUNCE_TYPES).nullable(),
  bounce_classification: z.string().nullable(),
  rule: z.string().nullable(),
  suppression: z
    .object({ reason: z.string(), topic: z.string(), classification: z.string().nullable() })
    .nullable(),
  complaint: z
    .object({
      feedback_type: z.string(),
      user_agent: z.string().nullable(),
      reported_at: z.iso.datetime().nullable(),
    })
    .nullable(),
  tracking: PulledEvent.shape.tracking,
});

type TimelineEvent = z.output<typeof TimelineEvent>;

export const FROM_NAME = "The display name in the message's From. Null: it has none.";

export const Email = z.object({
  id: z.string(),
  created_at: z.iso.datetime(),
  scheduled_at: z.iso.datetime().optional().describe("Present only if the message was scheduled."),
  canceled_at: z.iso
    .datetime()
    .nullable()
    .optional()
    .describe("Null: the message was not canceled. Present only if the message was scheduled."),
  copy_of: z
    .string()
    .optional()
    .describe("The message that was sent again as this one. Present only on a copy."),
  template_version: z
    .int()
    .optional()
    .describe("The version of the template that was sent. Absent if no version is known."),
  from: z.string(),
  from_name: z.string().nullable().describe(FROM_NAME),
  to: z.array(z.string()),
  cc: z.array(z.string()),
  bcc: z.array(z.string()),
  subject: z.string(),
  message_id: z.string(),
  template_id: z.string().nullable(),
  topic: z.string().nullable(),
  campaign: z.string().nullable(),
  tags: z.array(z.string()),
  ip_pool: z.string().nullable(),
  metadata: z.record(z.string(), z.string()).nullable(),
  feedback_id: z
    .string()
    .nullable()
    .describe(
      "The `Feedback-ID` of the copies, by whose parts Gmail counts complaints: hashes of the " +
        "campaign, the topic and the team, then the service's name. Null: the courier writes one.",
    ),
  recipients: z.array(
    z.object({
      recipient: z.string(),
      status: z.enum(RECIPIENT_STATES),
      next_attempt_at: z.iso.datetime().nullable(),
      events: z.array(TimelineEvent),
      explanation: Explanation,
    }),
  ),
  events_truncated: z.boolean(),
  replies: z
    .array(
      z.object({
        id: z.string(),
        recipient: z.string().nullable(),
        from: z.string().nullable(),
        from_recipient: z.boolean(),
        auto: z.boolean(),
        seen: z.boolean(),
        received_at: z.iso.datetime(),
      }),
    )
    .optional()
    .describe(
      "The answers to the message, oldest first, at most 100. Present only if there are some. " +
        "`GET /v1/replies/{id}` has what they say.",
    ),
});

export type Email = z.output<typeof Email>;

export function toEmail(
  { message, createdAt, canceledAt, recipients, truncated }: EmailWithRecipients,
  feedbackId: string | null,
  replies: readonly ReplyRow[],
): Email {
  const inRole = (role: string) =>
    recipients.filter((one) => one.role === role).map(({ address }) => address);
  return {
    id: message.emailId,
    created_at: timeText(createdAt),
    ...(message.scheduledAt !== undefined && {
      scheduled_at: timeText(message.scheduledAt),
      canceled_at: canceledAt === null ? null : timeText(canceledAt),
    }),
    ...(message.copyOf !== undefined && { copy_of: message.copyOf }),
    ...(message.templateVersion !== undefined && { template_version: message.templateVersion }),
    from: message.from,
    from_name: message.fromName,
    to: inRole("t"),
    cc: inRole("c"),
    bcc: inRole("b"),
    ...toMessageMembers(message),
    ip_pool: message.ipPool,
    metadata: message.metadata ?? null,
    feedback_id: feedbackId,
    recipients: recipients.map(({ address, status, nextAttemptAt, events, explanation }) => ({
      recipient: address,
      status,
      next_attempt_at: nextAttemptAt === null ? null : timeText(nextAttemptAt),
      events: events.map(toTimelineEvent),
      explanation,
    })),
    events_truncated: truncated,
    ...(replies.length > 0 && { replies: replies.map(toListedReply) }),
  };
}

function toListedReply(row: ReplyRow): NonNullable<Email["replies"]>[number] {
  const { fromEmail, fromName } = row;
  return {
    id: row.id,
    recipient: row.recipient,
    from: fromEmail === null ? null : mailboxText({ email: fromEmail, name: fromName }),
    from_recipient: row.fromRecipient,
    auto: row.auto,
    seen: row.seenAt !== null,
    received_at: timeText(row.createdAt),
  };
}

/** The exchange that is shown for an event without an SMTP exchange. */
const NO_EXCHANGE = { response: null, stage: null, mxHost: null, tls: null, rule: null };

function toTimelineEvent(event: EventRecord): TimelineEvent {
  const { bounce } = event;
  const exchange = event.exchange ?? NO_EXCHANGE;
  return {
    id: event.id,
    type: event.type,
    occurred_at: timeText(event.occurredAt),
    attempt: event.attempt,
    smtp_code: event.smtpCode,
    smtp_response: bounce?.smtpResponse ?? exchange.response,
    stage: exchange.stage,
    mx_host: exchange.mxHost,
    tls: exchange.tls,
    bounce_type: bounce?.type ?? null,
    bounce_classification: bounce?.classification ?? null,
    rule: exchange.rule,
    ...consequencesOf(event),
    tracking: event.tracking,
  };
}

function consequencesOf({
  suppression,
  complaint,
}: EventRecord): Pick<TimelineEvent, "suppression" | "complaint"> {
  return {
    suppression: suppression && {
      reason: suppression.reason,
      topic: suppression.topic,
      classification: suppression.classification,
    },
    complaint: complaint && {
      feedback_type: complaint.feedbackType,
      user_agent: complaint.userAgent,
      reported_at: complaint.reportedAt === null ? null : timeText(complaint.reportedAt),
    },
  };
}

/** The members that a message has in a look-up and in the list of messages. */
export function toMessageMembers(message: MessageRecord) {
  return {
    subject: message.subject,
    message_id: message.messageId,
    template_id: message.templateId,
    topic: message.topic,
    campaign: message.campaign,
    tags: [...message.tags],
  };
}

export function timeText(ms: number): string {
  return new Date(ms).toISOString();
}
