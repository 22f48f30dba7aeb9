// The actions of the command line. Each case has the API's answers, the requests that the action
// makes, its output, and its exit code.

export const NOW = "2026-11-24T10:00:00.000Z";

interface ActionCase {
  readonly args: readonly string[];
  /** Undefined: 204. */
  readonly answers: readonly unknown[];
  readonly asks: readonly string[];
  /** The body of the last request that the command sends. */
  readonly body?: unknown;
  readonly prints: RegExp;
  /** Default: 0. */
  readonly code?: number;
}

export const page = (...data: readonly object[]) => ({ data, has_more: false, next_cursor: null });
const DOMAIN = { id: "dom_1", name: "example.com", status: "verified" };
const WEBHOOK = {
  id: "wh_1",
  name: "Shop",
  url: "https://shop.example.com/hook",
  events: ["email.bounced"],
  status: "circuit_disabled",
};
const TYPES = "sent delivered delayed bounced complained suppressed unsubscribed opened clicked";
const EVENTS = TYPES.split(" ").map((type) => `email.${type}`);
const SECRET = { id: "wh_1", signing_secret: "whsec_1", signing_secret_grace_expires_at: null };
const counts = (sent: number) => ({
  ...Object.fromEntries(TYPES.split(" ").map((type) => [type, 0])),
  sent,
});

export const ACTION_CASES: readonly ActionCase[] = [
  {
    args: ["whoami"],
    answers: [
      {
        team: null,
        api_key: { id: "key_1", permissions: "full" },
        limits: { daily: 10_000, monthly: 1_234_567 },
      },
    ],
    asks: ["GET /v1/whoami"],
    prints: /^Limits +10,000 a day, 1,234,567 a month$/m,
  },
  {
    args: ["emails", "--recipient", "ada@example.net", "--tag", "a,b", "--limit", "2"],
    answers: [
      page(
        {
          id: "email_1",
          created_at: NOW,
          status: "delivered",
          recipients: ["ada@example.net", "b@c.d", "e@f.g"],
          subject: "Hi\u001b",
        },
        {
          id: "email_2",
          created_at: NOW,
          status: "scheduled",
          scheduled_at: "2026-11-25T10:00:00Z",
          recipients: ["x@y.z"],
          subject: "S",
        },
        { id: "email_3", created_at: NOW, recipients: [], subject: "T" },
      ),
    ],
    asks: ["GET /v1/email?status=all&recipient=ada%40example.net&tags=a&tags=b&limit=2"],
    prints:
      /^ACCEPTED .*\n2026-11-24 10:00:00 +delivered +ada@example\.net and 2 more +Hi\? +email_1\n.* scheduled 2026-11-25 10:00:00 +x@y\.z +S +email_2\n$/,
  },
  {
    args: ["emails", "list", "--scheduled", "--campaign", "launch"],
    answers: [page()],
    asks: ["GET /v1/email?order=soonest&campaign=launch&limit=20"],
    prints: /^ACCEPTED +STATUS +TO +SUBJECT +ID\n$/,
  },
  {
    args: ["emails", "get", "email_1"],
    answers: [
      {
        id: "email_1",
        subject: "Hi",
        from: "a@b.c",
        created_at: NOW,
        recipients: [
          {
            recipient: "ada@example.net",
            status: "delayed",
            next_attempt_at: "2026-11-24T11:00:00Z",
            explanation: { summary: "The server is busy." },
            events: [
              {
                occurred_at: NOW,
                type: "email.delayed",
                mx_host: "mx.test",
                smtp_response: "421 later",
              },
            ],
          },
        ],
        events_truncated: false,
      },
    ],
    asks: ["GET /v1/email/email_1"],
    prints:
      /^ada@example\.net: delayed\nThe server is busy\.\nThe next attempt is at 2026-11-24 11:00:00\.\n {2}2026-11-24 10:00:00 {2}email\.delayed {2}mx\.test {2}421 later\n$/m,
  },
  {
    args: ["emails", "cancel", "email_1"],
    answers: [{ id: "email_1", canceled_at: NOW }],
    asks: ["POST /v1/email/email_1/cancel"],
    prints: /^Canceled: email_1\.\n$/,
  },
  {
    args: ["emails", "cancel", "--campaign", "launch", "--json"],
    answers: [
      { data: [{ id: "email_1", canceled_at: NOW }], has_more: true },
      { data: [{ id: "email_2", canceled_at: NOW }], has_more: false },
    ],
    asks: ["POST /v1/email/cancel", "POST /v1/email/cancel"],
    body: { campaign: "launch" },
    prints: /^\[\s+\{\s+"id": "email_1"[^]*"email_2"[^]*\]\n$/,
  },
  {
    args: ["emails", "move", "email_1", "--at", "in 1 day and 2 hours"],
    answers: [{ id: "email_1", scheduled_at: "2026-11-25T12:00:00.000Z" }],
    asks: ["PATCH /v1/email/email_1"],
    body: { scheduled_at: "2026-11-25T12:00:00.000Z" },
    prints: /^Moved: email_1 goes out at 2026-11-25 12:00:00 UTC \(in 1 day 2 hours\)\.\n$/,
  },
  {
    args: ["webhooks", "create", "https://shop.example.com/hook"],
    answers: [SECRET],
    asks: ["POST /v1/webhooks"],
    body: { name: "shop.example.com", url: "https://shop.example.com/hook", events: EVENTS },
    prints: /^whsec_1\n\(wh_1\. The secret is not shown again\.\)\n$/,
  },
  {
    args: [
      "webhooks",
      "create",
      "https://a.b/",
      "--name",
      "A",
      "--events",
      "email.bounced",
      "--format",
      "resend",
      "--json",
    ],
    answers: [SECRET],
    asks: ["POST /v1/webhooks"],
    body: { name: "A", url: "https://a.b/", events: ["email.bounced"], format: "resend" },
    prints: /^\{\n {2}"id": "wh_1",\n {2}"signing_secret": "whsec_1",/,
  },
  {
    args: ["webhooks", "update", "wh_1", "--events", "email.sent, email.opened"],
    answers: [WEBHOOK, { ...WEBHOOK, status: "active" }],
    asks: ["GET /v1/webhooks/wh_1", "PATCH /v1/webhooks/wh_1"],
    body: {
      name: "Shop",
      url: WEBHOOK.url,
      events: ["email.sent", "email.opened"],
      status: "active",
    },
    prints: /^wh_1 \(Shop\) is active: https/,
  },
  {
    args: ["webhooks", "update", "wh_1", "--target", "https://a.b/", "--name", "B"],
    answers: [
      { ...WEBHOOK, status: "disabled" },
      { ...WEBHOOK, status: "disabled" },
    ],
    asks: ["GET /v1/webhooks/wh_1", "PATCH /v1/webhooks/wh_1"],
    body: { name: "B", url: "https://a.b/", events: ["email.bounced"], status: "disabled" },
    prints: /is disabled/,
  },
  {
    args: ["webhooks", "test", "wh_1"],
    answers: [
      {
        delivered: false,
        status_code: 500,
        latency_ms: 1_234,
        error: null,
        response_body_preview: "no\u001b",
      },
    ],
    asks: ["POST /v1/webhooks/wh_1/test"],
    prints: /^Not delivered after 1,234 ms: 500\nno\?\n$/,
    code: 1,
  },
  {
    args: ["webhooks", "rotate", "wh_1"],
    answers: [{ ...SECRET, signing_secret_grace_expires_at: "2026-11-25T10:00:00Z" }],
    asks: ["POST /v1/webhooks/wh_1/rotate-secret"],
    prints: /The old secret is valid until 2026-11-25 10:00:00\.\)\n$/,
  },
  {
    args: ["webhooks", "delete", "wh_1", "--json"],
    answers: [undefined],
    asks: ["DELETE /v1/webhooks/wh_1"],
    prints: /^\{\s+"id": "wh_1"\s+\}\n$/,
  },
  {
    args: [
      "domains",
      "update",
      "Example.com",
      "--clicks",
      "on",
      "--opens",
      "off",
      "--subdomain",
      "",
    ],
    answers: [
      page(DOMAIN),
      {
        ...DOMAIN,
        tracking: {
          status: "pending",
          dns_records: [{ type: "CNAME", name: "t", value: "x.test" }],
        },
      },
    ],
    asks: ["GET /v1/domains?limit=100", "PATCH /v1/domains/dom_1"],
    body: { tracking: { clicks_enabled: true, opens_enabled: false, subdomain: null } },
    prints: /^The tracking of example\.com is pending\.\n\nTYPE .*\nCNAME +t +x\.test\n$/,
  },
  {
    args: ["domains", "delete", "example.com"],
    answers: [page(DOMAIN), undefined],
    asks: ["GET /v1/domains?limit=100", "DELETE /v1/domains/dom_1"],
    prints: /^Deleted: example\.com\.\n$/,
  },
  {
    args: ["templates", "delete", "welcome"],
    answers: [undefined],
    asks: ["DELETE /v1/templates/welcome"],
    prints: /^Deleted: welcome\.\n$/,
  },
  {
    args: [
      "stats",
      "--since",
      "2026-11-01",
      "--interval",
      "day",
      "--by",
      "domain",
      "--without-simulator",
    ],
    answers: [
      {
        start: "2026-11-01T00:00:00Z",
        end: "2026-11-04T00:00:00Z",
        data: [
          { start: "2026-11-01T00:00:00Z", recipient_domain: "gmail.com", counts: counts(1_234) },
          { start: "2026-11-02T00:00:00Z", recipient_domain: "other", counts: counts(0) },
          { start: "2026-11-03T00:00:00Z", recipient_domain: "other", counts: counts(7) },
        ],
      },
    ],
    asks: [
      "GET /v1/stats?start=2026-11-01&interval=day&group_by=recipient_domain&simulator=exclude",
    ],
    prints:
      /^FROM +DOMAIN +SENT +DELIVERED .*\n2026-11-01 00:00:00 {2}gmail\.com {2}1,234 .*\n2026-11-03 00:00:00 {2}other {10}7 .*\nall .* 1,241 .*\n$/m,
  },
  {
    args: ["deliverability"],
    answers: [
      {
        start: "2026-11-23T00:00:00Z",
        end: NOW,
        findings: [
          {
            severity: "critical",
            summary: "Gmail refuses all mail.",
            evidence: { reply: "550 no" },
            action: { text: "Publish an SPF record." },
          },
        ],
        providers: [
          {
            title: "Gmail",
            current: {
              sent: 1_234,
              delivered: 0,
              deferred: 0,
              bounced: 1_234,
              complaints: 0,
              time_to_acceptance: { median_seconds: null },
            },
          },
        ],
      },
    ],
    asks: ["GET /v1/deliverability"],
    prints:
      /^critical: Gmail refuses all mail\.\n {2}550 no\n {2}- Publish an SPF record\.\n\nPROVIDER .*\nGmail +1,234 +0 +0 +1,234 +0 +-\n$/m,
  },
];
