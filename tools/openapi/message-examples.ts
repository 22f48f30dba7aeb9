// Examples of the operations on mail: sending, looking a message up, events, statistics and
// suppressions.
import { AT, EMAIL_ID, UUID, type Example } from "./example-values.ts";
import { DELIVERED, SUPPRESSION } from "./recipient-examples.ts";

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
const email = {
  from: "Example <hello@example.com>",
  to: ["Ada <ada@example.net>"],
  subject: "Your receipt",
  text: "Thank you.",
  html: "<p>Thank you.</p>",
  tags: ["receipt"],
  topic: "receipts",
  metadata: { order_id: "1042" },
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
  from_name: "Example",
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
  metadata: email.metadata,
  feedback_id: ":5f0c7d1b9a3e:a41d0e27c86f:postern.dev",
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
      explanation: DELIVERED,
    },
  ],
  events_truncated: false,
};
const SCHEDULED_AT = "2026-11-24T09:00:00.000Z";
const queued = (index: number) => ({ status: "queued", index, id: EMAIL_ID, created_at: AT });
const blocked =
  "550 5.7.1 Unfortunately, messages from […] weren't sent. Please contact your Internet service " +
  "provider since part of their network is on our block list (S3150). […]";
const noMail = {
  sent: 0,
  delivered: 0,
  deferred: 0,
  bounced: 0,
  bounces: {},
  complaints: 0,
  time_to_acceptance: { median_seconds: null, p95_seconds: null },
};
export const DELIVERABILITY = {
  start: "2026-11-23T02:00:00.000Z",
  end: "2026-11-23T04:00:00.000Z",
  previous: { start: "2026-11-23T00:00:00.000Z", end: "2026-11-23T02:00:00.000Z" },
  rules: { version: 1, oldest: 1 },
  providers: [
    {
      provider: "microsoft",
      title: "Microsoft",
      current: { ...noMail, sent: 46, bounced: 46, bounces: { SpamBlock: 46 } },
      previous: {
        ...noMail,
        sent: 40,
        delivered: 40,
        time_to_acceptance: { median_seconds: 2, p95_seconds: 5 },
      },
      refusals: [
        {
          kind: "bounced",
          classification: "SpamBlock",
          text: blocked,
          count: 46,
          first_at: "2026-11-23T02:53:10.000Z",
        },
      ],
    },
  ],
  findings: [
    {
      kind: "refuses_all",
      severity: "critical",
      provider: "microsoft",
      since: "2026-11-23T02:53:10.000Z",
      summary: `Microsoft has refused all mail since 02:53 UTC: ${blocked}, 46 times.`,
      evidence: {
        reply: blocked,
        count: 46,
        of: 46,
        rate: 1,
        threshold: null,
        source: null,
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
  ],
};

export const MESSAGE_EXAMPLES: Readonly<Record<string, Example>> = {
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
  checkEmail: {
    request: { ...email, html: '<p>Thank you. <a href="shop">Your orders</a></p>' },
    response: {
      problems: [
        {
          rule: "links",
          severity: "error",
          where: { field: "html", line: 1, column: 15 },
          message: "The link shop has no host.",
          help: "Write the whole URL with https and a host: a mail has no page of its own, so readers can't follow the link.",
        },
      ],
      copy: {
        bytes: 912,
        headers: [{ name: "Subject", value: "Your receipt" }],
        text: "Thank you.",
        html: '<p>Thank you. <a href="shop">Your orders</a></p>',
      },
      not_checked: ["rate", "quota", "labels", "suppression"],
    },
  },
  getEmail: { response: lookedUp },
  getEmailContentAttachment: { response: "%PDF-1.7 …" },
  sendEmailAgain: {
    request: { to: "ada@example.net" },
    response: { id: EMAIL_ID, created_at: AT },
  },
  getEmailContent: {
    response: {
      html: "<p>Hello Ada</p>",
      text: "Hello Ada",
      headers: {
        From: "Example <hello@example.com>",
        To: "ada@example.net",
        Subject: email.subject,
      },
      attachments: [
        {
          index: 0,
          filename: "receipt.pdf",
          content_type: "application/pdf",
          content_id: null,
          size: 48_120,
          download_url: "https://api.example.com/a/WzEsImVtYWlsXy4uLiJd",
          download_expires_at: "2026-11-26T09:00:00.000Z",
        },
      ],
      kept_until: "2026-12-03T08:00:00.000Z",
    },
  },
  listEmails: {
    response: {
      id: EMAIL_ID,
      created_at: AT,
      scheduled_at: SCHEDULED_AT,
      from: "hello@example.com",
      from_name: "Example",
      recipients: ["ada@example.net"],
      subject: email.subject,
      template_id: null,
      topic: email.topic,
      campaign: null,
      tags: email.tags,
      metadata: email.metadata,
    },
  },
  moveEmail: {
    request: { scheduled_at: "2026-11-24T10:00:00+01:00" },
    response: { id: EMAIL_ID, scheduled_at: SCHEDULED_AT },
  },
  listEmailCampaigns: {
    response: {
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
  },
  cancelEmailCampaign: {
    request: { campaign: "autumn" },
    response: { data: [{ id: EMAIL_ID, canceled_at: AT }], has_more: true },
  },
  cancelEmail: { response: { id: EMAIL_ID, canceled_at: AT } },
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
  getDeliverability: { response: DELIVERABILITY },
  listSuppressions: { response: SUPPRESSION },
  createSuppression: {
    request: { email: SUPPRESSION.email, topic: SUPPRESSION.topic, note: SUPPRESSION.note },
    response: SUPPRESSION,
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
  countSuppressions: { response: { total: 10_100, has_more: false } },
  exportSuppressions: {
    response:
      "email,topic,reason,origin,classification,smtp_code,note,suppressed_at,expires_at,created_at\r\n" +
      `someone@example.net,newsletter,manual,manual,,,Asked by phone,${AT},,${AT}\r\n`,
  },
  getSuppressionsOfAddress: { response: { data: [SUPPRESSION] } },
  getSuppression: { response: SUPPRESSION },
};
