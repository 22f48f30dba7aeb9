// What the OpenAPI document shows by example: for each operation a body to send and the body that
// answers it (of a list, one item). The contract tests hold each against its schema, and send the
// ones that can be sent.

export interface Example {
  readonly request?: unknown;
  readonly response?: unknown;
}

const AT = "2026-11-21T09:30:00.000Z";
const UUID = "5f0c8a52-6d0a-4c55-9a3e-2f8f1f4b7d10";
const EMAIL_ID = "email_019e5b6c-943e-7e35-b378-f74400936f31";

const apiKey = {
  id: `key_${UUID}`,
  name: "Shop backend",
  key_prefix: "ps_4f9Kq2Zr8",
  permissions: "send_only",
  allowed_domains: ["example.com"],
  allowed_ips: ["192.0.2.0/24"],
  last_used_at: null,
  created_at: AT,
};
const apiKeySettings = {
  name: "Shop backend",
  permissions: "send_only",
  allowed_domains: ["example.com"],
  allowed_ips: ["192.0.2.0/24"],
};
const apiKeySecret = "ps_4f9Kq2Zr8VtY1bNc6HsXe3WjLm7PdRgTu5Aa0Ii9O";

const listedTemplate = {
  id: `template_${UUID}`,
  name: "Receipt",
  subject: "Your receipt {{number}}",
  kind: "html",
  html: "<p>Thank you, {{name}}.</p>",
  text: "Thank you, {{name}}.",
  markdown: null,
  has_draft: false,
  published_at: AT,
  created_at: AT,
  updated_at: AT,
};
const template = { ...listedTemplate, variables: ["name", "number"] };
const unpublished = {
  ...template,
  subject: null,
  html: null,
  text: null,
  variables: [],
  has_draft: true,
  published_at: null,
};
const draftContent = { subject: "Your receipt {{number}}", html: "<p>Thank you, {{name}}.</p>" };
const draft = {
  ...draftContent,
  text: "Thank you, {{name}}.",
  markdown: null,
  variables: ["name", "number"],
  updated_at: AT,
};

const domain = {
  id: `domain_${UUID}`,
  name: "example.com",
  status: "pending",
  dns_records: [
    {
      type: "CNAME",
      name: "bounces",
      value: "k3v9x2.return-path.postern.example",
      purpose: "verification",
    },
    {
      type: "CNAME",
      name: "ps1._domainkey",
      value: "ps1.k3v9x2.dkim.postern.example",
      purpose: "dkim",
    },
    {
      type: "CNAME",
      name: "ps2._domainkey",
      value: "ps2.k3v9x2.dkim.postern.example",
      purpose: "dkim",
    },
  ],
  verification_failure: null,
  tracking: {
    opens_enabled: false,
    clicks_enabled: false,
    subdomain: null,
    dns_records: [],
    status: "disabled",
    verification_failure: null,
    verified_at: null,
  },
  created_at: AT,
  verified_at: null,
};
const verified = { ...domain, status: "verified", verified_at: AT };
const tracked = {
  ...verified,
  tracking: {
    ...domain.tracking,
    opens_enabled: true,
    subdomain: "links",
    dns_records: [
      { type: "CNAME", name: "links", value: "k3v9x2.track.postern.example", purpose: "tracking" },
    ],
    status: "pending",
  },
};

const suppression = {
  id: `sup_${UUID}`,
  email: "someone@example.net",
  topic: "newsletter",
  reason: "manual",
  origin: "manual",
  classification: null,
  smtp_code: null,
  note: "Asked by phone",
  suppressed_at: AT,
  expires_at: null,
  created_at: AT,
};

const webhook = {
  id: `wh_${UUID}`,
  name: "Delivery status",
  url: "https://hooks.example.com/postern",
  events: ["email.delivered", "email.bounced"],
  status: "active",
  signing_secret_prefix: "whsec_q83vEj",
  signing_secret_previous_prefix: null,
  signing_secret_grace_expires_at: null,
  last_delivery_at: null,
  created_at: AT,
};
const webhookSettings = { name: webhook.name, url: webhook.url, events: webhook.events };
const signingSecret = "whsec_q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=";

const event = {
  id: "evt_019e5b6ca12b7c3d8e4f5a6b7c8d9e0f",
  type: "email.delivered",
  occurred_at: AT,
  email_id: EMAIL_ID,
  message_id: "<019e5b6c-943e-7e35-b378-f74400936f31@example.com>",
  from: "hello@example.com",
  from_domain: "example.com",
  recipient: "ada@example.net",
  subject: "Your receipt",
  campaign: null,
  template_id: null,
  topic: "receipts",
  tags: ["receipt"],
  ip_pool: null,
  smtp_code: 250,
  bounce_type: null,
  bounce_classification: null,
  attempt: 1,
  tracking: null,
};

const team = {
  id: `team_${UUID}`,
  name: "Example Ltd",
  limits: {
    daily: 10_000,
    monthly: 100_000,
    delivery_rate_per_minute: 600,
    requests_per_second: 10,
  },
  label_caps: {
    tags_per_hour: 1_000,
    topic_per_hour: 100,
    campaign_per_hour: 200,
    campaign_per_72_hours: 1_000,
  },
  event_retention_days: 30,
  subscription: "active",
  overage_credits: 0,
  ip_pools: [],
  courier: null,
  sending: {
    courier: "gateway",
    keeps: {
      dkim_signature: "kept",
      message_id: "kept",
      return_path: "kept",
      ip_pool: "kept",
      server_reply: "kept",
    },
  },
  number: 1,
  shards: [{ from: AT.slice(0, 10), shards: [0] }],
  created_at: AT,
  updated_at: AT,
};

const deadLetter = {
  id: `dead_${UUID}`,
  queue: "postern-dns-cleanup",
  body: { recordIds: ["023e105f4ecef8ad9ca31a8372d0c353"] },
  error: "not all of it could be removed",
  attempts: 21,
  first_failed_at: AT,
  last_failed_at: AT,
};

const email = {
  from: "Example <hello@example.com>",
  to: ["Ada <ada@example.net>"],
  subject: "Your receipt",
  text: "Thank you.",
  html: "<p>Thank you.</p>",
  tags: ["receipt"],
  topic: "receipts",
};
const attempted = {
  attempt: 1,
  smtp_code: null,
  smtp_response: null,
  stage: null,
  mx_host: null,
  tls: null,
  bounce_type: null,
  bounce_classification: null,
  rule: null,
  suppression: null,
  complaint: null,
  tracking: null,
};
const delivered = {
  ...attempted,
  id: event.id,
  type: event.type,
  occurred_at: AT,
  smtp_code: 250,
  smtp_response: "250 2.0.0 OK 1763717400 queued as 4f9Kq2Zr8",
  stage: "end",
  mx_host: "mx.example.net",
  tls: "TLSv1.3",
};
const lookedUp = {
  id: EMAIL_ID,
  created_at: AT,
  from: "hello@example.com",
  to: ["ada@example.net"],
  cc: [],
  bcc: [],
  subject: email.subject,
  message_id: event.message_id,
  template_id: null,
  topic: email.topic,
  campaign: null,
  tags: email.tags,
  ip_pool: null,
  recipients: [
    {
      recipient: "ada@example.net",
      status: "delivered",
      next_attempt_at: null,
      events: [
        {
          ...attempted,
          id: "evt_019e5b6ca0f47c3d8e4f5a6b7c8d9e0f",
          type: "email.sent",
          occurred_at: AT,
        },
        delivered,
      ],
    },
  ],
  events_truncated: false,
};
const queued = (index: number) => ({ status: "queued", index, id: EMAIL_ID, created_at: AT });

/** By operation. A list's `response` is one of its items. */
export const EXAMPLES: Readonly<Record<string, Example>> = {
  sendEmail: { request: email, response: { id: EMAIL_ID, created_at: AT } },
  sendEmailBatch: {
    request: {
      defaults: { from: email.from, tags: email.tags },
      emails: [
        { to: ["ada@example.net"], subject: "Hello Ada", text: "Thank you." },
        { to: ["bob@example.net"], subject: "Hello Bob", text: "Thank you." },
      ],
    },
    response: { summary: { total: 2, queued: 2, failed: 0 }, data: [queued(0), queued(1)] },
  },
  getEmail: { response: lookedUp },

  listTemplates: { response: listedTemplate },
  createTemplate: { request: { name: "Receipt", ...draftContent }, response: unpublished },
  getTemplate: { response: template },
  updateTemplate: { request: { name: "Receipt" }, response: template },
  duplicateTemplate: {
    request: { name: "Receipt (copy)" },
    response: { ...unpublished, name: "Receipt (copy)" },
  },
  getTemplateDraft: { response: draft },
  updateTemplateDraft: { request: draftContent, response: draft },
  publishTemplate: { response: template },

  listDomains: { response: verified },
  createDomain: { request: { name: "example.com" }, response: domain },
  getDomain: { response: verified },
  updateDomain: {
    request: { tracking: { opens_enabled: true, subdomain: "links" } },
    response: tracked,
  },
  verifyDomain: { response: verified },

  listSuppressions: { response: suppression },
  createSuppression: {
    request: { email: suppression.email, topic: suppression.topic, note: suppression.note },
    response: suppression,
  },
  importSuppressions: {
    request:
      "email,topic,note\nsomeone@example.net,newsletter,Asked by phone\nother@example.net,,\n",
    response: { id: `imp_${UUID}`, status: "running" },
  },
  getSuppressionImport: {
    response: {
      id: `imp_${UUID}`,
      status: "done",
      total: 3,
      imported: 1,
      skipped: 1,
      failed: 1,
      errors: [{ row: 3, field: "email", message: "is not an email address" }],
    },
  },
  exportSuppressions: {
    response:
      "email,topic,reason,origin,classification,smtp_code,note,suppressed_at,expires_at,created_at\r\n" +
      `someone@example.net,newsletter,manual,manual,,,Asked by phone,${AT},,${AT}\r\n`,
  },
  getSuppressionsOfAddress: { response: { data: [suppression] } },
  getSuppression: { response: suppression },

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
  listWebhookDeliveries: {
    response: {
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

  listEvents: { response: event },

  getStats: {
    response: {
      interval: "hour",
      start: "2026-11-21T09:00:00.000Z",
      end: "2026-11-21T10:00:00.000Z",
      data: [
        {
          start: "2026-11-21T09:00:00.000Z",
          counts: {
            sent: 40,
            delivered: 38,
            delayed: 1,
            bounced: 1,
            complained: 0,
            opened: 17,
            clicked: 4,
            unsubscribed: 0,
            suppressed: 2,
          },
          bounced: { InvalidRecipient: 1 },
        },
      ],
    },
  },

  listApiKeys: { response: apiKey },
  createApiKey: { request: apiKeySettings, response: { ...apiKey, key: apiKeySecret } },
  getApiKey: { response: apiKey },
  updateApiKey: {
    request: { ...apiKeySettings, allowed_ips: null },
    response: { ...apiKey, allowed_ips: null },
  },

  getIdentity: {
    response: {
      team: { id: team.id, name: team.name },
      api_key: { id: apiKey.id, permissions: "send_only" },
      limits: { daily: 10_000, monthly: 100_000, delivery_rate_per_minute: 600 },
    },
  },

  listTeams: { response: team },
  createTeam: {
    request: { name: team.name, limits: { daily: 10_000 } },
    response: {
      ...team,
      api_key: {
        ...apiKey,
        name: "First key",
        permissions: "full",
        allowed_domains: null,
        allowed_ips: null,
        key: apiKeySecret,
      },
    },
  },
  getTeam: { response: team },
  listShards: {
    response: {
      shards: [
        { shard: 0, teams: 5_208, size: 7_412_031_488, takes_new_teams: false },
        { shard: 1, teams: 17, size: 1_048_576, takes_new_teams: true },
      ],
    },
  },
  widenTeam: {
    request: { shards: [0, 1] },
    response: {
      shards: [
        { from: AT.slice(0, 10), shards: [0] },
        { from: "2026-11-22", shards: [0, 1] },
      ],
    },
  },
  listDeadLetters: { response: deadLetter },
  requeueDeadLetter: { response: deadLetter },
  getMetric: {
    response:
      "# HELP postern_accepted_total Recipients whose message was accepted.\n# TYPE postern_accepted_total counter\npostern_accepted_total 48121\n",
  },
  getDeployment: {
    response: {
      service_domain: "postern.example",
      public_url: "https://postern.example",
      outbound: "gateway",
      gateways: [{ url: "https://egress.postern.example", state: "agreed", status: 200, date: AT }],
      time: AT,
    },
  },
  updateTeam: {
    request: { limits: { daily: 50_000 } },
    response: { ...team, limits: { ...team.limits, daily: 50_000 } },
  },
};
