// The schemas of the events that webhooks get (contract.md §Payloads, §Formats, §Test event). The
// OpenAPI document contains them, and the tests check every delivery against them. event.ts,
// resend-event.ts and test-event.ts make the events.
import * as z from "zod";
import {
  BOUNCE_TYPES,
  EVENT_TYPES,
  type EventType,
  REPLIED,
  type WebhookEventType,
} from "../../rpc/event-types.ts";
import { SENDER_CHECKS } from "../replies/reply-records.ts";
import { EventExplanation } from "../../explain/explanation.ts";
import { TrackingBlock } from "../events/wire.ts";

/**
 * The number of the attempt. It is absent if no attempt caused the event, as with a bounce in a
 * delivery report.
 */
const Attempt = z
  .int()
  .min(1)
  .optional()
  .describe("The number of the delivery attempt that led to the event, from 1.");

const MessageFacts = z.object({
  email_id: z.string(),
  recipient: z.string(),
  from: z
    .string()
    .describe("The From header as sent: `Acme <hello@acme.example>`, or the bare address."),
  subject: z.string(),
  message_id: z.string(),
  topic: z.string().optional(),
  tags: z.array(z.string()).min(1).optional(),
  campaign: z.string().optional(),
  template_id: z.string().optional(),
  ip_pool: z.string().optional(),
  headers: z
    .record(z.string(), z.string())
    .optional()
    .describe("The message's custom `X-` headers, with names in snake case: `x_campaign_id`."),
  metadata: z
    .record(z.string(), z.string())
    .optional()
    .describe("Names and values that the sender chose for the message."),
});

const Bounce = z.object({
  type: z.enum(BOUNCE_TYPES),
  classification: z.string().nullable(),
  smtp_code: z.int().nullable(),
  smtp_response: z.string().nullable(),
});

const Complaint = z.object({
  feedback_type: z.string(),
  user_agent: z.string().nullable(),
  reported_at: z.iso.datetime().nullable(),
});

const Suppression = z.object({
  reason: z.string(),
  topic: z.string(),
  classification: z.string().nullable(),
});

/** The members that an event type adds to the message's members in `data`. */
const OWN: Readonly<Record<EventType, z.ZodRawShape>> = {
  "email.sent": { attempt: Attempt },
  "email.delivered": { attempt: Attempt },
  "email.delayed": { attempt: Attempt, explanation: EventExplanation },
  "email.bounced": { attempt: Attempt, bounce: Bounce, explanation: EventExplanation },
  "email.complained": { complaint: Complaint, explanation: EventExplanation },
  "email.suppressed": { suppression: Suppression, explanation: EventExplanation },
  "email.unsubscribed": {},
  "email.opened": { tracking: TrackingBlock },
  "email.clicked": { tracking: TrackingBlock },
};

/** The schema of each event type. A member without a value is absent, never null. */
export const EVENT_PAYLOADS = Object.fromEntries(
  EVENT_TYPES.map((type) => [type, eventOf(type)]),
) as Readonly<Record<EventType, z.ZodObject>>;

const SenderVerdict = z
  .enum(SENDER_CHECKS)
  .optional()
  .describe("The result of the check of the sender. Absent: there was no check.");

/** The event of a reply. An unknown member is absent, never null. */
export const ReplyPayload = z
  .object({
    id: z.string().describe("Every delivery of the event has the same id: `evt_…`."),
    type: z.literal(REPLIED),
    occurred_at: z.iso.datetime(),
    data: z.object({
      email_id: z.string().describe("The message that is answered."),
      reply_id: z.string(),
      recipient: z.string().optional().describe("The recipient whose copy is answered."),
      from: z.string().optional().describe("The author, as the reply's `From` says."),
      from_recipient: z.boolean().describe("Whether the author's address is the recipient's."),
      subject: z.string(),
      text: z.string().describe("The answer without its quotation, at most 20,000 characters."),
      auto: z.boolean().describe("True: a program wrote the reply."),
      spf: SenderVerdict,
      dkim: SenderVerdict,
      dmarc: SenderVerdict,
      received_at: z.iso.datetime(),
    }),
  })
  .meta({ id: "EmailRepliedEvent" });

/** The event that POST /v1/webhooks/{id}/test sends. */
export const TestPayload = z
  .object({
    schema_version: z.literal(1),
    event_id: z.string(),
    event: z.literal("webhook.test"),
    occurred_at: z.iso.datetime(),
    received_at: z.iso.datetime(),
    webhook_id: z.string(),
    message: z.string(),
  })
  .meta({ id: "WebhookTestEvent" });

const ResendMessage = z.object({
  created_at: z.iso.datetime().describe("When the message was accepted."),
  email_id: z.uuid(),
  message_id: z.string(),
  from: z.string(),
  to: z.array(z.string()).length(1).describe("The recipient of the event."),
  subject: z.string(),
  template_id: z.uuid().optional(),
  tags: z
    .record(z.string(), z.string())
    .optional()
    .describe("The message's `metadata`: names and values that the sender chose."),
  bounce: z
    .object({
      message: z.string(),
      type: z.enum(["Permanent", "Transient"]),
      subType: z.enum(["General", "MailboxFull", "ContentRejected", "AttachmentRejected"]),
      diagnosticCode: z.array(z.string()).length(1).optional().describe("The server's reply."),
    })
    .optional()
    .describe("In `email.bounced`."),
  click: z
    .object({ link: z.string(), timestamp: z.iso.datetime(), userAgent: z.string() })
    .optional()
    .describe("Only in `email.clicked`. The service keeps no IP addresses of readers."),
  suppressed: z
    .object({ message: z.string(), type: z.literal("OnAccountSuppressionList") })
    .optional()
    .describe("In `email.suppressed`."),
});

/** The body of a request to a webhook of the format `resend`. */
export const ResendPayload = z
  .discriminatedUnion("type", [
    z.object({
      type: z.enum([
        "email.sent",
        "email.delivered",
        "email.delivery_delayed",
        "email.bounced",
        "email.complained",
        "email.suppressed",
        "email.opened",
        "email.clicked",
      ]),
      created_at: z.iso.datetime(),
      data: ResendMessage,
    }),
    z.object({
      type: z.literal("email.unsubscribed"),
      created_at: z.iso.datetime(),
      data: ResendMessage.extend(
        MessageFacts.pick({
          recipient: true,
          topic: true,
          campaign: true,
          ip_pool: true,
          headers: true,
        }).shape,
      ),
    }),
    z.object({
      type: z.literal("email.received").describe("A reply, which Postern calls `email.replied`."),
      created_at: z.iso.datetime(),
      data: z.object({
        email_id: z
          .uuid()
          .describe("The id of the received mail, for `GET /emails/receiving/{id}`."),
        created_at: z.iso.datetime(),
        from: z.string(),
        to: z.array(z.string()),
        bcc: z.array(z.string()),
        cc: z.array(z.string()),
        message_id: z.string(),
        subject: z.string(),
        attachments: z.array(
          z.object({
            id: z.string(),
            filename: z.string(),
            content_type: z.string(),
            content_disposition: z.enum(["inline", "attachment"]),
            content_id: z.string().nullable(),
          }),
        ),
      }),
    }),
    z.object({
      type: z.literal("webhook.test"),
      created_at: z.iso.datetime(),
      data: z.object({ event_id: z.string(), webhook_id: z.string(), message: z.string() }),
    }),
  ])
  .meta({ id: "ResendWebhookEvent" });

/** Makes the name of a type's schema: `email.bounced` becomes `EmailBouncedEvent`. */
export function payloadName(type: WebhookEventType): string {
  const [noun = "", verb = ""] = type
    .split(".")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${noun}${verb}Event`;
}

function eventOf(type: EventType): z.ZodObject {
  return z
    .object({
      id: z.string().describe("Every delivery of the event has the same id: `evt_…`."),
      type: z.literal(type),
      occurred_at: z.iso.datetime(),
      data: MessageFacts.extend(OWN[type]),
    })
    .meta({ id: payloadName(type) });
}
