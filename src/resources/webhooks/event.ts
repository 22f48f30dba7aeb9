// Renders an event for a webhook (contract.md §Payloads). A member without a value is absent, never
// null. Examples are a label that the message does not have, an empty list, and a member of another
// event type. Pure.
import type { EventRecord } from "../../rpc/event-records.ts";
import type { BounceType, EventType, Tracking } from "../../rpc/event-types.ts";
import { explainEvent } from "../../explain/event-explanation.ts";
import type { EventExplanation } from "../../explain/explanation.ts";
import { mitigationAt } from "../providers/mitigation.ts";
import { mailboxText } from "../../lib/mime/mailbox-header.ts";

/** An entry in the `events` of a delivery's body, of any type except `email.replied`. */
export interface WebhookEvent {
  readonly id: string;
  readonly type: EventType;
  /** When the event occurred: RFC 3339, UTC, with milliseconds. */
  readonly occurred_at: string;
  readonly data: WebhookEventData;
}

export interface WebhookEventData {
  readonly email_id: string;
  readonly recipient: string;
  /** The sender in the form of the message's From: `Acme <hello@acme.example>`. */
  readonly from: string;
  readonly subject: string;
  readonly message_id: string;
  readonly topic?: string;
  readonly tags?: readonly string[];
  readonly campaign?: string;
  readonly template_id?: string;
  readonly ip_pool?: string;
  /** The custom `X-` headers. Each name is converted to snake case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly metadata?: Readonly<Record<string, string>>;
  /** The attempt's number, counted from 1. Present if a delivery attempt caused the event. */
  readonly attempt?: number;
  readonly bounce?: {
    readonly type: BounceType;
    readonly classification: string | null;
    readonly smtp_code: number | null;
    readonly smtp_response: string | null;
  };
  readonly complaint?: {
    readonly feedback_type: string;
    readonly user_agent: string | null;
    readonly reported_at: string | null;
  };
  readonly suppression?: {
    readonly reason: string;
    readonly topic: string;
    readonly classification: string | null;
  };
  readonly tracking?: Tracking;
  readonly explanation?: EventExplanation;
}

export function toWebhookEvent(event: EventRecord): WebhookEvent {
  const mitigation = mitigationAt(event.exchange?.mxHost ?? null, event.recipient);
  const explanation = explainEvent(event, mitigation);
  return {
    id: event.id,
    type: event.type,
    occurred_at: new Date(event.occurredAt).toISOString(),
    data: {
      email_id: event.emailId,
      recipient: event.recipient,
      from: mailboxText({ email: event.from, name: event.fromName }),
      subject: event.subject,
      message_id: event.messageId,
      ...labelsOf(event),
      ...(event.attempt === null ? {} : { attempt: event.attempt }),
      ...blocksOf(event),
      ...(explanation && { explanation }),
    },
  };
}

/** Returns the members that each event of a message has, even email.suppressed. */
function labelsOf(
  event: EventRecord,
): Pick<
  WebhookEventData,
  "topic" | "tags" | "campaign" | "template_id" | "ip_pool" | "headers" | "metadata"
> {
  const { topic, tags, campaign, templateId, ipPool, headers, metadata } = event;
  return {
    ...(topic === null ? {} : { topic }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(campaign === null ? {} : { campaign }),
    ...(templateId === null ? {} : { template_id: templateId }),
    ...(ipPool === null ? {} : { ip_pool: ipPool }),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(metadata && { metadata }),
  };
}

/** Returns the members that only certain event types have. */
function blocksOf({
  bounce,
  complaint,
  suppression,
  tracking,
}: EventRecord): Pick<WebhookEventData, "bounce" | "complaint" | "suppression" | "tracking"> {
  return {
    ...(bounce && { bounce: bounceBlock(bounce) }),
    ...(complaint && { complaint: complaintBlock(complaint) }),
    ...(suppression && {
      suppression: {
        reason: suppression.reason,
        topic: suppression.topic,
        classification: suppression.classification,
      },
    }),
    ...(tracking && { tracking }),
  };
}

function bounceBlock({
  type,
  classification,
  smtpCode,
  smtpResponse,
}: NonNullable<EventRecord["bounce"]>): NonNullable<WebhookEventData["bounce"]> {
  return { type, classification, smtp_code: smtpCode, smtp_response: smtpResponse };
}

function complaintBlock({
  feedbackType,
  userAgent,
  reportedAt,
}: NonNullable<EventRecord["complaint"]>): NonNullable<WebhookEventData["complaint"]> {
  return {
    feedback_type: feedbackType,
    user_agent: userAgent,
    reported_at: reportedAt === null ? null : new Date(reportedAt).toISOString(),
  };
}
