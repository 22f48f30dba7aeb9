// The JSON of GET /v1/email/{id}. Except for the members of scheduled messages, every member is
// always present; a member that does not apply is null.
import * as z from "zod";
import type { EventRecord, MessageRecord } from "../../rpc/event-records.ts";
import { RECIPIENT_STATES } from "../../rpc/recipient-states.ts";
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
  /** The server's reply; for a delivery, its code and at most 100 characters. */
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

export const Email = z.object({
  id: z.string(),
  created_at: z.iso.datetime(),
  scheduled_at: z.iso.datetime().optional().describe("Present only if the message was scheduled."),
  canceled_at: z.iso
    .datetime()
    .nullable()
    .optional()
    .describe("Null: the message was not canceled. Present only if the message was scheduled."),
  from: z.string(),
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
});

export type Email = z.output<typeof Email>;

export function toEmail({
  message,
  createdAt,
  canceledAt,
  recipients,
  truncated,
}: EmailWithRecipients): Email {
  const inRole = (role: string) =>
    recipients.filter((one) => one.role === role).map(({ address }) => address);
  return {
    id: message.emailId,
    created_at: timeText(createdAt),
    ...(message.scheduledAt !== undefined && {
      scheduled_at: timeText(message.scheduledAt),
      canceled_at: canceledAt === null ? null : timeText(canceledAt),
    }),
    from: message.from,
    to: inRole("t"),
    cc: inRole("c"),
    bcc: inRole("b"),
    ...toMessageMembers(message),
    ip_pool: message.ipPool,
    metadata: message.metadata ?? null,
    recipients: recipients.map(({ address, status, nextAttemptAt, events, explanation }) => ({
      recipient: address,
      status,
      next_attempt_at: nextAttemptAt === null ? null : timeText(nextAttemptAt),
      events: events.map(toTimelineEvent),
      explanation,
    })),
    events_truncated: truncated,
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
