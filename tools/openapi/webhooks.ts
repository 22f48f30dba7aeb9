// The `webhooks` section of the OpenAPI document (contract.md §Webhooks): an entry for each type of
// event and one for `webhook.test`, with the request that a receiver gets. A delivery is a batch
// that may contain events of several types. The entry `resend` describes the requests of that
// format.
import * as z from "zod";
import { PLACEHOLDERS } from "../../src/api/placeholders.ts";
import { explainOutcome, type OutcomeFacts } from "../../src/explain/explain.ts";
import {
  EVENT_PAYLOADS,
  payloadName,
  ReplyPayload,
  ResendPayload,
  TestPayload,
} from "../../src/resources/webhooks/payloads.ts";
import {
  EVENT_TYPES,
  type EventType,
  REPLIED,
  WEBHOOK_EVENT_TYPES,
  type WebhookEventType,
} from "../../src/rpc/event-types.ts";
import { COMPONENT, type Json } from "./schemas.ts";

/** The schemas that the entries refer to, by name. */
export const WEBHOOK_SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  WebhookEvent: z.union([...EVENT_TYPES.map((type) => EVENT_PAYLOADS[type]), ReplyPayload]).meta({
    discriminator: {
      propertyName: "type",
      mapping: Object.fromEntries(
        WEBHOOK_EVENT_TYPES.map((type) => [type, COMPONENT + payloadName(type)]),
      ),
    },
  }),
  WebhookTestEvent: TestPayload,
  ResendWebhookEvent: ResendPayload,
};

const SUMMARIES: Readonly<Record<WebhookEventType, string>> = {
  [REPLIED]: "Someone answered a message; only for a webhook that names this type",
  "email.sent": "The first attempt for a recipient starts",
  "email.delivered": "The recipient's mail server took a message",
  "email.delayed": "An attempt failed, and another will follow",
  "email.bounced": "A message can't be delivered to a recipient",
  "email.complained": "A recipient reported a message as spam",
  "email.suppressed": "A recipient is suppressed and was sent nothing",
  "email.unsubscribed": "A recipient unsubscribed",
  "email.opened": "A message was opened",
  "email.clicked": "A link of a message was followed",
};

const REPLY = {
  email_id: "email_01a1fb6c-943e-7e35-b378-f74400936f31",
  reply_id: "reply_01a1fb6c-943e-7b1c-9d4e-2f8f1f4b7d10",
  recipient: "someone@example.net",
  from: "Someone <someone@example.net>",
  from_recipient: true,
  subject: "Re: Your receipt 4711",
  text: "Thank you. The amount is wrong.",
  auto: false,
  dkim: "pass",
  received_at: "2026-11-21T00:05:59.486Z",
};

const MESSAGE = {
  email_id: "email_01a1fb6c-943e-7e35-b378-f74400936f31",
  recipient: "someone@example.net",
  from: "Example Shop <shop@example.com>",
  subject: "Your receipt 4711",
  message_id: "<01a1fb6c-943e-7e35-b378-f74400936f31@example.com>",
  tags: ["receipt"],
};

const SUPPRESSION = {
  reason: "permanent_bounce",
  topic: "*",
  classification: "InvalidRecipient",
} as const;
const COMPLAINT = {
  email: MESSAGE.recipient,
  reason: "complaint",
  topic: "*",
  classification: null,
  expiresAt: null,
} as const;

const OWN_EXAMPLES: Readonly<Record<EventType, Json>> = {
  "email.sent": { attempt: 1 },
  "email.delivered": { attempt: 1 },
  "email.delayed": {
    attempt: 1,
    explanation: explained({ state: "delayed", refusal: "QuotaIssues" }),
  },
  "email.bounced": {
    attempt: 1,
    bounce: {
      type: "permanent",
      classification: "InvalidRecipient",
      smtp_code: 550,
      smtp_response: "550 5.1.1 No such user",
    },
    explanation: explained({ state: "bounced", refusal: "InvalidRecipient" }),
  },
  "email.complained": {
    complaint: {
      feedback_type: "abuse",
      user_agent: null,
      reported_at: "2026-11-21T00:05:59.486Z",
    },
    explanation: explained({ state: "complained", suppressions: [COMPLAINT] }),
  },
  "email.suppressed": {
    suppression: SUPPRESSION,
    explanation: explained({
      state: "suppressed",
      keptBackBy: SUPPRESSION,
      suppressions: [{ email: MESSAGE.recipient, ...SUPPRESSION, expiresAt: undefined }],
    }),
  },
  "email.unsubscribed": { topic: "newsletter" },
  "email.opened": { tracking: { user_agent: "Mozilla/5.0" } },
  "email.clicked": {
    tracking: { url: "https://example.com/receipts/4711", user_agent: "Mozilla/5.0" },
  },
};

const AT = "2026-11-21T00:05:59.486Z";
const TIMESTAMP = 1_795_219_559;

const TEST_EXAMPLE = {
  schema_version: 1,
  event_id: "evt_test_01a1fb6c943e7e35b378f74400936f31",
  event: "webhook.test",
  occurred_at: AT,
  received_at: AT,
  webhook_id: "wh_5f0c8a52-6d0a-4c55-9a3e-2f8f1f4b7d10",
  message: "This is a test event.",
};

const BATCH_ID = "wb_01a1fb6c943e7e35b378f74400936f31";

const PREFIX = PLACEHOLDERS.headerPrefix;

const STANDARD_SIGNATURE =
  "A `v1,<base64>` for each secret in force, by the Standard Webhooks scheme.";
const STANDARD_PATTERN = "^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$";

const OWN_SIGNATURE = header(
  `${PREFIX}-Signature`,
  "`t=<timestamp>` and a `v1=<hex>` for each secret in force: HMAC-SHA-256 of " +
    "`<timestamp>.<body>`, with the whole `whsec_…` text as the key.",
  "^t=\\d+(,v1=[0-9a-f]{64})+$",
);
const SIGNED_AT = "When this attempt was signed, in Unix seconds.";
const EVENT_ID = "The event's id, the same in every delivery of the event.";
const STANDARD_NAME = ", as the Standard Webhooks scheme names it.";
const NUMBER = "^\\d+$";
const SHORT = "^.{1,64}$";

/** The members that are the same in the entries of all types. */
const COMMON: Json = {
  tags: ["Webhooks"],
  security: [],
  parameters: [
    OWN_SIGNATURE,
    header(`${PREFIX}-Timestamp`, "The body's `timestamp`.", NUMBER),
    header(`${PREFIX}-Batch-Id`, "The body's `batch_id`.", SHORT),
    header("webhook-id", `The body's \`batch_id\`${STANDARD_NAME}`, SHORT),
    header("webhook-timestamp", `The body's \`timestamp\`${STANDARD_NAME}`, NUMBER),
    header("webhook-signature", STANDARD_SIGNATURE, STANDARD_PATTERN),
  ],
  responses: {
    "2XX": { description: "The delivery is accepted." },
    default: {
      description:
        "The delivery is repeated later, for up to twelve hours. Redirects are not followed.",
    },
  },
};

export function webhooksSection(): Json {
  const ofTypes = WEBHOOK_EVENT_TYPES.map((type) => [type, { post: eventDelivery(type) }]);
  const others = { "webhook.test": { post: testDelivery() }, resend: { post: resendDelivery() } };
  return { ...Object.fromEntries(ofTypes), ...others };
}

function eventDelivery(type: WebhookEventType): Json {
  const events = {
    items: { $ref: `${COMPONENT}WebhookEvent` },
    contains: { $ref: COMPONENT + payloadName(type) },
  };
  const example = {
    id: "evt_01a1fb6c943e7e35b378f74400936f31",
    type,
    occurred_at: AT,
    data: type === REPLIED ? REPLY : { ...MESSAGE, ...OWN_EXAMPLES[type] },
  };
  return {
    ...COMMON,
    operationId: `on${payloadName(type)}`,
    summary: SUMMARIES[type],
    description:
      "One delivery may hold events of several types to which the webhook is subscribed. An " +
      "event may be delivered more than once, and then has the same `id`.",
    requestBody: batchOf(events, example),
  };
}

function testDelivery(): Json {
  return {
    ...COMMON,
    operationId: "onWebhookTest",
    summary: "A test of the webhook was requested",
    description:
      "Only `POST /v1/webhooks/{id}/test` sends it. The batch has one event, in its own form.",
    requestBody: batchOf(
      { items: { $ref: `${COMPONENT}WebhookTestEvent` }, maxItems: 1 },
      TEST_EXAMPLE,
    ),
  };
}

function resendDelivery(): Json {
  return {
    ...COMMON,
    operationId: "onResendEvent",
    summary: "An event of any type, to a webhook of the format `resend`",
    description:
      "The request has one event, in the form of Resend's webhooks. The event may be " +
      "delivered more than once, and then has the same `svix-id`.",
    parameters: [
      OWN_SIGNATURE,
      header(`${PREFIX}-Timestamp`, SIGNED_AT, NUMBER),
      header(`${PREFIX}-Batch-Id`, "Names the request in the delivery log.", SHORT),
      ...["webhook", "svix"].flatMap((prefix) => [
        header(`${prefix}-id`, EVENT_ID, "^evt_.+$"),
        header(`${prefix}-timestamp`, SIGNED_AT, NUMBER),
        header(`${prefix}-signature`, STANDARD_SIGNATURE, STANDARD_PATTERN),
      ]),
    ],
    requestBody: jsonBody(
      { $ref: `${COMPONENT}ResendWebhookEvent` },
      {
        type: "email.bounced",
        created_at: AT,
        data: {
          created_at: AT,
          email_id: MESSAGE.email_id.slice("email_".length),
          message_id: MESSAGE.message_id,
          from: MESSAGE.from,
          to: [MESSAGE.recipient],
          subject: MESSAGE.subject,
          tags: { order_id: "4711" },
          bounce: {
            message: "example.net refused the address: no such mailbox.",
            type: "Permanent",
            subType: "General",
            diagnosticCode: ["550 5.1.1 No such user"],
          },
        },
      },
    ),
  };
}

function batchOf(events: Json, event: Json): Json {
  const schema = {
    type: "object",
    required: ["batch_id", "timestamp", "events"],
    properties: {
      batch_id: {
        type: "string",
        maxLength: 64,
        description: "The same text at every attempt. Do not parse it.",
      },
      timestamp: { type: "integer", description: SIGNED_AT },
      events: { type: "array", minItems: 1, ...events },
    },
  };
  return jsonBody(schema, { batch_id: BATCH_ID, timestamp: TIMESTAMP, events: [event] });
}

function jsonBody(schema: Json, example: Json): Json {
  return { required: true, content: { "application/json": { schema, example } } };
}

function explained(facts: Pick<OutcomeFacts, "state"> & Partial<OutcomeFacts>): Json {
  const { state } = facts;
  const outcome = explainOutcome({
    address: MESSAGE.recipient,
    fromDomain: "example.com",
    emailId: MESSAGE.email_id,
    mitigation: null,
    refusal: "Uncategorized",
    bounce: "refused",
    keptBackBy: null,
    suppressions: null,
    ...facts,
  });
  return { state, ...outcome };
}

function header(name: string, description: string, pattern: string): Json {
  return { name, in: "header", required: true, description, schema: { type: "string", pattern } };
}
