// Examples of the operations on webhooks.
import { AT, UUID, type Example } from "./example-values.ts";

const webhook = {
  id: `wh_${UUID}`,
  name: "Delivery status",
  url: "https://hooks.example.com/postern",
  events: ["email.delivered", "email.bounced"],
  status: "active",
  format: "batch",
  signing_secret_prefix: "whsec_q83vEj",
  signing_secret_previous_prefix: null,
  signing_secret_grace_expires_at: null,
  last_delivery_at: null,
  created_at: AT,
};
const failedDelivery = {
  id: "dlv_019e5b6c-a4d2-7c3d-8e4f-5a6b7c8d9e0f",
  batch_id: "wb_5e0c1f7a92b34d68a1c0e9f4d7b2a65830c1de4f",
  attempt: 2,
  attempted_at: AT,
  outcome: "failed",
  status_code: 503,
  latency_ms: 112,
  error: null,
  event_count: 14,
  next_attempt_at: "2026-11-21T09:31:34.000Z",
};
const webhookSettings = { name: webhook.name, url: webhook.url, events: webhook.events };
const signingSecret = "whsec_q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=";

export const WEBHOOK_EXAMPLES: Readonly<Record<string, Example>> = {
  listWebhooks: { response: webhook },
  createWebhook: {
    request: webhookSettings,
    response: { ...webhook, signing_secret: signingSecret },
  },
  getWebhook: { response: webhook },
  updateWebhook: {
    request: { ...webhookSettings, status: "disabled" },
    response: { ...webhook, status: "disabled" },
  },
  testWebhook: {
    response: {
      delivered: true,
      status_code: 200,
      latency_ms: 84,
      error: null,
      response_body_preview: "ok",
    },
  },
  rotateWebhookSecret: {
    response: {
      ...webhook,
      signing_secret_previous_prefix: "whsec_Zm9vYm",
      signing_secret_grace_expires_at: "2026-11-22T09:30:00.000Z",
      signing_secret: signingSecret,
    },
  },
  listWebhookDeliveries: { response: failedDelivery },
  getWebhookBatch: {
    response: {
      id: failedDelivery.batch_id,
      webhook_id: webhook.id,
      event_count: 14,
      body: '{"batch_id":"wb_5e0c1f7a92b34d68a1c0e9f4d7b2a65830c1de4f","timestamp":1795253400,"events":[]}',
      deliveries: [{ ...failedDelivery, response_body_preview: "no such table: orders" }],
    },
  },
  replayWebhook: {
    request: {
      start: "2026-11-20T08:00:00Z",
      end: "2026-11-21T08:00:00Z",
      event_types: ["email.bounced", "email.complained"],
    },
    response: {
      id: `rpl_${UUID}`,
      webhook_id: webhook.id,
      start: "2026-11-20T08:00:00.000Z",
      end: "2026-11-21T08:00:00.000Z",
      event_types: ["email.bounced", "email.complained"],
    },
  },
  listWebhookReplays: {
    response: {
      id: `rpl_${UUID}`,
      webhook_id: webhook.id,
      start: "2026-11-20T08:00:00.000Z",
      end: "2026-11-21T08:00:00.000Z",
      event_types: ["email.bounced", "email.complained"],
      status: "running",
      sent: 1_200,
      reached_at: "2026-11-20T21:17:04.512Z",
      created_at: AT,
      completed_at: null,
    },
  },
};
