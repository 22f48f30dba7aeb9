// Examples of the components of the OpenAPI document. They exist where the examples by member name
// (example-values.ts) are not enough. derive-example.ts makes bodies from both. examples.ts has
// the examples that differ for single operations. One subject.
import { DOMAIN_DNS_EXAMPLE } from "./domain-dns-example.ts";
import { DELIVERED, SUPPRESSION } from "./explained-examples.ts";
import {
  API_KEY_SECRET,
  AT,
  EMAIL_ID,
  MEMBER_EXAMPLES,
  PERSON,
  SCHEDULED_AT,
  TEAM,
  UUID,
} from "./example-values.ts";
import { OPERATOR_COMPONENTS } from "./operator-examples.ts";

const MEMBER_ID = "member_3f1c7b64-93d5-4c39-8d0a-2d1a5f0b7e11";
const RIGHTS = { role: "viewer", may_lift_suppressions: true } as const;

const EMAIL = {
  from: "Example <hello@example.com>",
  to: ["Ada <ada@example.net>"],
  subject: "Your receipt",
  text: "Thank you.",
  html: "<p>Thank you.</p>",
  tags: ["receipt"],
  topic: "receipts",
  metadata: { order_id: "1042" },
};
const CHECKED_HTML = '<p>Thank you. <a href="shop">Your orders</a></p>';

const DRAFT = {
  subject: "Your receipt {{number}}",
  html: "<p>Thank you, {{name}}.</p>",
  from: "Shop <shop@example.com>",
  reply_to: ["help@example.com"],
  fallbacks: { name: "customer" },
};
const VERSION = { version: 2, subject: "Your receipt", is_published: true, published_at: AT };

const DNS_RECORDS = [
  { name: "bounces", value: "k3v9x2.return-path.postern.example" },
  { name: "ps1._domainkey", value: "ps1.k3v9x2.dkim.postern.example", purpose: "dkim" },
  { name: "ps2._domainkey", value: "ps2.k3v9x2.dkim.postern.example", purpose: "dkim" },
].map((record) => ({ type: "CNAME", ...record }));

const WEBHOOK = {
  id: `wh_${UUID}`,
  name: "Delivery status",
  url: "https://hooks.example.com/postern",
  events: ["email.delivered", "email.bounced"],
};
const REPLAY = {
  id: `rpl_${UUID}`,
  start: "2026-11-20T08:00:00.000Z",
  end: "2026-11-21T08:00:00.000Z",
};
const DELIVERY = {
  id: "dlv_019e5b6c-a4d2-7c3d-8e4f-5a6b7c8d9e0f",
  attempt: 2,
  outcome: "failed",
  status_code: 503,
  latency_ms: 112,
  next_attempt_at: "2026-11-21T09:31:34.000Z",
};

const REPLY_FILE = { size: 48_213 };
const REPLY_LINK = "https://postern.example/r/WzEsInJlcGx5XzAxOWU1YjZjIl0";
const REPLY = {
  id: "reply_019e5b6c-943e-7b1c-9d4e-2f8f1f4b7d10",
  from: "Ada Lovelace <ada@example.net>",
  from_recipient: true,
  to: ["r+aeaaaaabdhs23heul7ta5zptppcxpuqpy26yaaa6dmnfbrmpedh7o7w2j7l5q@bounces.example.com"],
  message_id: "<5a1f0c@example.net>",
  subject: "Re: Your receipt 4711",
  preview: "Thank you. The amount is wrong: see the file.",
  spf: "pass",
  dkim: "pass",
  dmarc: "pass",
  reply_to: ["Example Shop <help@example.com>"],
  attachments: [REPLY_FILE],
  kept_until: "2027-02-19T09:30:00.000Z",
};
const INVITATION = {
  id: "invitation_8a1e0a56-0d2c-4c0e-9f0b-6f6d1c8b2a90",
  ...RIGHTS,
  expires_at: "2026-11-27T09:00:00.000Z",
};
const MEMBER = { id: MEMBER_ID, ...RIGHTS };

const BLOCKED_AT = "2026-11-23T02:53:10.000Z";
const BLOCKED =
  "550 5.7.1 Unfortunately, messages from […] weren't sent. Please contact your Internet service " +
  "provider since part of their network is on our block list (S3150). […]";

export const COMPONENT_EXAMPLES: Readonly<Record<string, object>> = {
  ...OPERATOR_COMPONENTS,
  ApiKey: { id: `key_${UUID}`, name: "Shop backend" },
  ApiKeySettings: {
    name: "Shop backend",
    permissions: "send_only",
    allowed_domains: ["example.com"],
    allowed_ips: ["192.0.2.0/24"],
  },
  AuditRecord: {
    id: "audit_01a1fb6c-943e-7e35-b378-f74400936f31",
    actor: { kind: "person", id: MEMBER_ID, name: PERSON },
    via: "console",
    operation: "template.publish",
    target: `template_${UUID}`,
  },
  CancelEmailCampaignRequest: { campaign: "autumn" },
  CanceledCampaign: { data: [{ id: EMAIL_ID }], has_more: true },
  CanceledEmail: { id: EMAIL_ID },
  ConsoleSignIn: { key: API_KEY_SECRET },
  ConsoleSession: {
    api_key: { id: `key_${UUID}`, permissions: "full" },
    operations: ["POST /v1/email", "GET /v1/email/{id}"],
    expires_at: "2026-11-21T21:30:00.000Z",
  },
  CreateApiKeyResponse: { id: `key_${UUID}`, name: "Shop backend" },
  CreateDomainRequest: { name: "example.com" },
  CreateSuppressionRequest: {
    email: SUPPRESSION.email,
    topic: SUPPRESSION.topic,
    note: SUPPRESSION.note,
  },
  CreateTemplateRequest: { name: "Receipt", ...DRAFT },
  CreateWebhookRequest: { name: WEBHOOK.name },
  CreateWebhookResponse: WEBHOOK,
  Deliverability: {
    start: "2026-11-23T02:00:00.000Z",
    end: "2026-11-23T04:00:00.000Z",
    previous: { start: "2026-11-23T00:00:00.000Z", end: "2026-11-23T02:00:00.000Z" },
    rules: { version: 1, oldest: 1 },
  },
  DeliverabilityFinding: {
    kind: "refuses_all",
    severity: "critical",
    since: BLOCKED_AT,
    summary: `Microsoft has refused all mail since 02:53 UTC: ${BLOCKED}, 46 times.`,
    evidence: {
      reply: BLOCKED,
      count: 46,
      of: 46,
      rate: 1,
      events:
        "/v1/events?event_type=email.bounced&provider=microsoft" +
        "&start=2026-11-23T02%3A53%3A10.000Z&bounce_classification=SpamBlock",
    },
    action: {
      kind: "contact_provider",
      text: "Ask Microsoft for mitigation: https://olcsupport.office.com",
      href: "https://olcsupport.office.com",
    },
  },
  DeliverabilityRefusal: {
    kind: "bounced",
    classification: "SpamBlock",
    text: BLOCKED,
    count: 46,
    first_at: BLOCKED_AT,
  },
  Domain: {
    id: `domain_${UUID}`,
    name: "example.com",
    status: "verified",
    dns_records: DNS_RECORDS,
    tracking: { status: "disabled", dns_records: [] },
    verified_at: AT,
  },
  DomainDns: DOMAIN_DNS_EXAMPLE,
  DuplicateTemplateRequest: { name: "Receipt (copy)" },
  Email: {
    id: EMAIL_ID,
    to: ["ada@example.net"],
    feedback_id: ":5f0c7d1b9a3e:a41d0e27c86f:postern.dev",
    recipients: [
      {
        recipient: "ada@example.net",
        status: "delivered",
        events: [
          { id: "evt_019e5b6ca0f47c3d8e4f5a6b7c8d9e0f", type: "email.sent", mx_host: null },
          {
            id: "evt_019e5b6ca12b7c3d8e4f5a6b7c8d9e0f",
            type: "email.delivered",
            smtp_code: 250,
            smtp_response: "250 2.0.0 OK 1763717400 queued as 4f9Kq2Zr8",
            stage: "end",
            tls: "TLSv1.3",
          },
        ],
        explanation: DELIVERED,
      },
    ],
  },
  EmailBatchDefaults: { from: EMAIL.from, tags: EMAIL.tags },
  EmailCheckRequest: { ...EMAIL, html: CHECKED_HTML },
  EmailContent: {
    html: "<p>Hello Ada</p>",
    text: "Hello Ada",
    headers: { From: EMAIL.from, To: "ada@example.net", Subject: EMAIL.subject },
    attachments: [
      {
        size: 48_120,
        download_url: "https://api.example.com/a/WzEsImVtYWlsXy4uLiJd",
        download_expires_at: "2026-11-26T09:00:00.000Z",
      },
    ],
    kept_until: "2026-12-03T08:00:00.000Z",
  },
  EmailCheck: { copy: {}, not_checked: ["rate", "quota", "labels", "suppression"] },
  EmailCopy: {
    bytes: 912,
    headers: [{ name: "Subject", value: EMAIL.subject }],
    text: EMAIL.text,
    html: CHECKED_HTML,
  },
  EmailProblem: {
    rule: "links",
    severity: "error",
    where: { field: "html", line: 1, column: 15 },
    message: "The link shop has no host.",
    help: "Write the whole URL with https and a host: a mail has no page of its own, so readers can't follow the link.",
  },
  EmailSendRequest: EMAIL,
  EmailSendResponse: { id: EMAIL_ID },
  Event: { id: "evt_019e5b6ca12b7c3d8e4f5a6b7c8d9e0f", smtp_code: 250 },
  EventCounts: {
    sent: 40,
    delivered: 38,
    delayed: 1,
    bounced: 1,
    opened: 17,
    clicked: 4,
    suppressed: 2,
  },
  Identity: {
    api_key: { id: `key_${UUID}` },
    limits: { daily: 10_000, monthly: 100_000, delivery_rate_per_minute: 600 },
  },
  ImportSuppressionsResponse: { id: `imp_${UUID}` },
  Invitation: INVITATION,
  InviteMember: { ...RIGHTS, may_read_content: false },
  ListedEmail: { id: EMAIL_ID, scheduled_at: SCHEDULED_AT },
  LoggedRequest: {
    id: `req_${UUID}`,
    method: "POST",
    route: "/v1/email",
    status: 422,
    error_type: "validation_error",
    duration_ms: 4,
    count: 12,
  },
  Member: MEMBER,
  MemberWithKeys: { ...MEMBER, api_keys: [] },
  MoveEmailRequest: { scheduled_at: "2026-11-24T10:00:00+01:00" },
  MovedEmail: { id: EMAIL_ID },
  NewInvitation: {
    ...INVITATION,
    url: "https://post.example.com/console/invitation?code=AZ5bbJQ-fjWzePdEAJNvMQ",
  },
  ProviderDeliverability: {
    current: { sent: 46, bounced: 46, bounces: { SpamBlock: 46 } },
    previous: {
      sent: 40,
      delivered: 40,
      time_to_acceptance: { median_seconds: 2, p95_seconds: 5 },
    },
  },
  PreviewTemplateRequest: { ...DRAFT, variables: { name: "Ada" } },
  Recipient: { provider: "other", messages: [] },
  RecipientCounts: {
    since: "2026-10-22T09:30:00.000Z",
    is_complete: true,
    messages: 1,
    bounced: 1,
  },
  RecipientList: { data: [{ is_suppressed: true }] },
  ReplayWebhookRequest: {
    start: "2026-11-20T08:00:00Z",
    end: "2026-11-21T08:00:00Z",
    event_types: ["email.bounced", "email.complained"],
  },
  ReplayWebhookResponse: REPLAY,
  Reply: REPLY,
  SendEmailAgainRequest: { to: "ada@example.net" },
  SendEmailBatchRequest: {
    defaults: {},
    emails: [
      { to: ["ada@example.net"], subject: "Hello Ada", text: "Thank you." },
      { to: ["bob@example.net"], subject: "Hello Bob", text: "Thank you." },
    ],
  },
  SendEmailBatchResponse: {
    summary: { total: 2, queued: 2 },
    data: [0, 1].map((index) => ({ status: "queued", index, id: EMAIL_ID })),
  },
  SignInMethods: { access: true, keys: true },
  Stats: {
    interval: "hour",
    start: "2026-11-21T09:00:00.000Z",
    end: "2026-11-21T10:00:00.000Z",
    data: [{ start: "2026-11-21T09:00:00.000Z", bounced: { InvalidRecipient: 1 } }],
  },
  Suppression: SUPPRESSION,
  SuppressionCount: { total: 10_100 },
  SuppressionImports: {
    id: `imp_${UUID}`,
    status: "done",
    total: 3,
    imported: 1,
    skipped: 1,
    failed: 1,
    errors: [{ row: 3, field: "email", message: "is not an email address" }],
  },
  TeamSettings: {
    ...TEAM,
    most_content_days: 30,
    topic_names: { newsletter: "Weekly news" },
    reads_replies: true,
  },
  Template: {
    id: `template_${UUID}`,
    name: "Receipt",
    kind: "html",
    ...DRAFT,
    text: "Thank you, {{name}}.",
    published_at: AT,
  },
  TemplateDraft: { ...DRAFT, text: "Thank you, {{name}}.", variables: ["name", "number"] },
  TemplatePreview: {
    subject: "Your receipt ",
    html: "<p>Thank you, Ada.</p>",
    text: "Thank you, Ada.",
    variables: ["name", "number"],
    samples: { name: "Ada", number: "number" },
    missing: ["number"],
    problems: [],
  },
  TemplateVersion: VERSION,
  TemplateVersionWithContent: {
    ...VERSION,
    html: "<p>Dear {{name}}</p>",
    text: "Dear {{name}}",
    from: null,
  },
  TestWebhookResponse: {
    delivered: true,
    status_code: 200,
    latency_ms: 84,
    response_body_preview: "ok",
  },
  UpdateDomainRequest: { tracking: { opens_enabled: true, subdomain: "links" } },
  UpdateMember: { role: "developer" },
  UpdateReplyRequest: { seen: true },
  UpdateTeamSettingsRequest: { content_days: 7, check_rules_off: ["dark-mode"] },
  UpdateTemplateDraftRequest: DRAFT,
  UpdateTemplateRequest: { name: "Receipt", alias: "receipt" },
  UpdateWebhookRequest: { name: WEBHOOK.name, status: "disabled" },
  Usage: {
    daily: { used: 1_204, limit: 10_000, resets_at: "2026-11-22T00:00:00.000Z" },
    monthly: { used: 61_530, limit: 100_000, resets_at: "2026-12-01T00:00:00.000Z" },
    labels: {
      tags_per_hour: { used: 12, limit: 1_000 },
      topic_per_hour: { used: 3, limit: 100 },
      campaign_per_hour: { used: 1, limit: 200 },
      campaign_per_72_hours: { used: 4, limit: 1_000 },
    },
    delivery: {
      rate_per_minute: 600,
      waiting: 340,
      queued: 18,
      attempting: 5,
      deferred: 27,
      oldest_accepted_at: "2026-11-21T06:12:41.208Z",
    },
  },
  WaitingCampaigns: {
    data: [
      {
        campaign: "autumn",
        messages: 1_200,
        is_complete: true,
        first_at: SCHEDULED_AT,
        last_at: SCHEDULED_AT,
      },
    ],
  },
  Webhook: WEBHOOK,
  WebhookBatches: {
    id: MEMBER_EXAMPLES["batch_id"],
    body: '{"batch_id":"wb_5e0c1f7a92b34d68a1c0e9f4d7b2a65830c1de4f","timestamp":1795253400,"events":[]}',
    deliveries: [{ ...DELIVERY, response_body_preview: "no such table: orders" }],
  },
  WebhookDeliveries: DELIVERY,
  WebhookReplay: {
    ...REPLAY,
    status: "running",
    sent: 1_200,
    reached_at: "2026-11-20T21:17:04.512Z",
  },
  WholeReply: {
    ...REPLY,
    text: REPLY.preview,
    quoted: "On 21 Nov 2026, at 09:00, Example Shop wrote:\n> Your receipt 4711",
    headers: { from: REPLY.from, subject: REPLY.subject },
    attachments: [{ ...REPLY_FILE, download_url: REPLY_LINK }],
    raw_download_url: REPLY_LINK,
    download_expires_at: "2026-11-21T10:30:00.000Z",
  },
};
