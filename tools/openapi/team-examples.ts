// Examples of the operations on templates, domains and API keys.
import { DOMAIN_DNS_EXAMPLE } from "./domain-dns-example.ts";
import { API_KEY, API_KEY_SECRET, AT, TEAM, UUID, type Example } from "./example-values.ts";

const TEAM_SETTINGS = {
  id: TEAM.id,
  name: TEAM.name,
  content_days: 7,
  most_content_days: 30,
  topic_names: { newsletter: "Weekly news" },
  event_retention_days: 30,
  check_rules_off: ["dark-mode"],
  mail_clients: ["gmail", "outlook", "apple-mail", "yahoo"],
  reads_replies: true,
};

const session = {
  team: { id: TEAM.id, name: TEAM.name },
  api_key: { id: API_KEY.id, permissions: "full" },
  operations: ["POST /v1/email", "GET /v1/email/{id}"],
  expires_at: "2026-11-21T21:30:00.000Z",
};

const loggedRequest = {
  id: `req_${UUID}`,
  created_at: AT,
  method: "POST",
  route: "/v1/email",
  target: null,
  status: 422,
  error_type: "validation_error",
  fields: ["to.0", "subject"],
  key_id: API_KEY.id,
  duration_ms: 4,
  user_agent: "postern/0.1.0",
  count: 12,
  first_at: AT,
  is_sample: false,
};

const sendDefaults = {
  from: "Shop <shop@example.com>",
  reply_to: ["help@example.com"],
  fallbacks: { name: "customer" },
};
const listedTemplate = {
  id: `template_${UUID}`,
  name: "Receipt",
  alias: "receipt",
  subject: "Your receipt {{number}}",
  kind: "html",
  html: "<p>Thank you, {{name}}.</p>",
  text: "Thank you, {{name}}.",
  markdown: null,
  ...sendDefaults,
  sensitive: false,
  has_draft: false,
  published_at: AT,
  created_at: AT,
  updated_at: AT,
};
const template = { ...listedTemplate, variables: ["name", "number"] };
const unpublished = {
  ...template,
  alias: null,
  subject: null,
  html: null,
  text: null,
  from: null,
  reply_to: null,
  fallbacks: null,
  variables: [],
  has_draft: true,
  published_at: null,
};
const draftContent = {
  subject: "Your receipt {{number}}",
  html: "<p>Thank you, {{name}}.</p>",
  ...sendDefaults,
};
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
const apiKeySettings = {
  name: "Shop backend",
  permissions: "send_only",
  allowed_domains: ["example.com"],
  allowed_ips: ["192.0.2.0/24"],
};

export const USAGE = {
  daily: { used: 1_204, limit: 10_000, resets_at: "2026-11-22T00:00:00.000Z" },
  monthly: {
    used: 61_530,
    limit: 100_000,
    resets_at: "2026-12-01T00:00:00.000Z",
    overage_credits: 0,
  },
  labels: {
    tags_per_hour: { used: 12, limit: 1_000 },
    topic_per_hour: { used: 3, limit: 100 },
    campaign_per_hour: { used: 1, limit: 200 },
    campaign_per_72_hours: { used: 4, limit: 1_000 },
  },
  requests_per_second: 10,
  delivery: {
    rate_per_minute: 600,
    waiting: 340,
    queued: 18,
    attempting: 5,
    deferred: 27,
    awaiting: 0,
    oldest_accepted_at: "2026-11-21T06:12:41.208Z",
  },
};

export const TEAM_EXAMPLES: Readonly<Record<string, Example>> = {
  listRequests: { response: loggedRequest },
  getRequest: { response: loggedRequest },
  listTemplates: { response: listedTemplate },
  createTemplate: {
    request: { name: "Receipt", ...draftContent },
    response: unpublished,
  },
  getTemplate: { response: template },
  updateTemplate: { request: { name: "Receipt", alias: "receipt" }, response: template },
  duplicateTemplate: {
    request: { name: "Receipt (copy)" },
    response: { ...unpublished, name: "Receipt (copy)" },
  },
  getTemplateDraft: { response: draft },
  updateTemplateDraft: { request: draftContent, response: draft },
  publishTemplate: { response: template },
  previewTemplate: {
    request: { ...draftContent, variables: { name: "Ada" } },
    response: {
      subject: "Your receipt ",
      html: "<p>Thank you, Ada.</p>",
      text: "Thank you, Ada.",
      variables: ["name", "number"],
      samples: { name: "Ada", number: "number" },
      missing: ["number"],
      problems: [],
    },
  },
  listDomains: { response: verified },
  createDomain: { request: { name: "example.com" }, response: domain },
  getDomain: { response: verified },
  updateDomain: {
    request: { tracking: { opens_enabled: true, subdomain: "links" } },
    response: tracked,
  },
  verifyDomain: { response: verified },
  getDomainDns: { response: DOMAIN_DNS_EXAMPLE },
  listApiKeys: { response: API_KEY },
  createApiKey: { request: apiKeySettings, response: { ...API_KEY, key: API_KEY_SECRET } },
  getApiKey: { response: API_KEY },
  updateApiKey: {
    request: { ...apiKeySettings, allowed_ips: null },
    response: { ...API_KEY, allowed_ips: null },
  },
  signIn: { request: { key: API_KEY_SECRET }, response: session },
  getConsoleSession: { response: session },
  getTeamSettings: { response: TEAM_SETTINGS },
  updateTeamSettings: {
    request: { content_days: 7, check_rules_off: ["dark-mode"] },
    response: TEAM_SETTINGS,
  },
  getIdentity: {
    response: {
      team: { id: TEAM.id, name: TEAM.name },
      api_key: { id: API_KEY.id, permissions: "send_only" },
      limits: { daily: 10_000, monthly: 100_000, delivery_rate_per_minute: 600 },
    },
  },
  getUsage: { response: USAGE },
};
