// Values that the examples of the OpenAPI document share.

/**
 * The example of one operation: the body of a request, and the body of a successful response. If
 * the response is a list, `response` is one of its items.
 */
export interface Example {
  readonly request?: unknown;
  readonly response?: unknown;
}

export const AT = "2026-11-21T09:30:00.000Z";
export const UUID = "5f0c8a52-6d0a-4c55-9a3e-2f8f1f4b7d10";
export const EMAIL_ID = "email_019e5b6c-943e-7e35-b378-f74400936f31";

export const API_KEY_SECRET = "ps_4f9Kq2Zr8VtY1bNc6HsXe3WjLm7PdRgTu5Aa0Ii9O";

export const API_KEY = {
  id: `key_${UUID}`,
  name: "Shop backend",
  key_prefix: "ps_4f9Kq2Zr8",
  permissions: "send_only",
  allowed_domains: ["example.com"],
  allowed_ips: ["192.0.2.0/24"],
  last_used_at: null,
  created_at: AT,
};

export const TEAM = {
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
  region: null,
  first_mail: {
    at: AT,
    colo: "FRA",
    continent: "EU",
    country: "DE",
    region: "weur",
    jurisdiction: null,
  },
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
