// Values that the examples of the OpenAPI document share, and examples of members by their names
// (derive-example.ts).

export const AT = "2026-11-21T09:30:00.000Z";
export const UUID = "5f0c8a52-6d0a-4c55-9a3e-2f8f1f4b7d10";
export const EMAIL_ID = "email_019e5b6c-943e-7e35-b378-f74400936f31";
export const API_KEY_SECRET = "ps_4f9Kq2Zr8VtY1bNc6HsXe3WjLm7PdRgTu5Aa0Ii9O";
export const TEAM = { id: `team_${UUID}`, name: "Example Ltd" };
export const PERSON = "ada@example.com";
export const SCHEDULED_AT = "2026-11-24T09:00:00.000Z";

/** Values that a member has wherever its component has no own value. */
export const MEMBER_EXAMPLES: Readonly<Record<string, unknown>> = {
  address: "someone@example.net",
  alias: "receipt",
  allowed_domains: ["example.com"],
  allowed_ips: ["192.0.2.0/24"],
  attempt: 1,
  batch_id: "wb_5e0c1f7a92b34d68a1c0e9f4d7b2a65830c1de4f",
  bytes: 412,
  check_rules_off: ["dark-mode"],
  content_days: 7,
  content_type: "application/pdf",
  email: PERSON,
  email_id: EMAIL_ID,
  event_count: 14,
  event_retention_days: 30,
  event_types: ["email.bounced", "email.complained"],
  events: ["email.delivered", "email.bounced"],
  fields: ["to.0", "subject"],
  filename: "receipt.pdf",
  from: "hello@example.com",
  from_domain: "example.com",
  from_name: "Example",
  key: API_KEY_SECRET,
  key_id: `key_${UUID}`,
  key_prefix: "ps_4f9Kq2Zr8",
  mail_clients: ["gmail", "outlook", "apple-mail", "yahoo"],
  message_id: "<019e5b6c-943e-7e35-b378-f74400936f31@example.com>",
  metadata: { order_id: "1042" },
  mx_host: "mx.example.net",
  permissions: "send_only",
  provider: "microsoft",
  queue: "postern-dns-cleanup",
  recipient: "ada@example.net",
  recipients: ["ada@example.net"],
  request_id: "req_01a1fb6c-943e-7e35-b378-f74400936f30",
  requests_per_second: 10,
  scheduled_at: SCHEDULED_AT,
  signing_secret: "whsec_q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA=",
  signing_secret_prefix: "whsec_q83vEj",
  subject: "Your receipt",
  tags: ["receipt"],
  team: TEAM,
  team_id: TEAM.id,
  title: "Microsoft",
  topic: "receipts",
  type: "email.delivered",
  url: "https://hooks.example.com/postern",
  user_agent: "postern/0.1.0",
  webhook_id: `wh_${UUID}`,
};
