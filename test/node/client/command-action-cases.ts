// The actions of the command line. Each case has the command, the API's answers, the requests that
// the action makes, its output, and its exit code.

export const NOW = "2026-11-24T10:00:00.000Z";

interface ActionCase {
  /** The words after `postern`, or a text that is split at its spaces. */
  readonly command: string | readonly string[];
  readonly asks: readonly string[];
  readonly prints: RegExp;
  /** Undefined: 204. */
  readonly answers: readonly unknown[];
  /** The body of the last request that the command sends. */
  readonly body?: unknown;
  readonly code: number;
}

const action = (
  command: ActionCase["command"],
  asks: string | readonly string[],
  prints: RegExp,
  answers: readonly unknown[] = [undefined],
  { body, code = 0 }: { readonly body?: unknown; readonly code?: number } = {},
): ActionCase => ({ command, asks: [asks].flat(), prints, answers, body, code });

export const page = (...data: readonly object[]) => ({ data, has_more: false, next_cursor: null });
const DOMAIN = { id: "dom_1", name: "example.com", status: "verified" };
const DOMAINS = "GET /v1/domains?limit=100";
const HOOK = "https://shop.example.com/hook";
const EVENT = "email.bounced";
const WEBHOOK = {
  id: "wh_1",
  name: "Shop",
  url: HOOK,
  events: [EVENT],
  status: "circuit_disabled",
};
const UPDATE = ["GET /v1/webhooks/wh_1", "PATCH /v1/webhooks/wh_1"];
const TYPES = "sent delivered delayed bounced complained suppressed unsubscribed opened clicked";
const EVENTS = TYPES.split(" ").map((type) => `email.${type}`);
const SECRET = { id: "wh_1", signing_secret: "whsec_1", signing_secret_grace_expires_at: null };
const NO_EVENTS = Object.fromEntries(TYPES.split(" ").map((type) => [type, 0]));
const statsOf = (day: string, recipient_domain: string, sent: number) => ({
  start: `2026-11-${day}T00:00:00Z`,
  recipient_domain,
  counts: { ...NO_EVENTS, sent },
});
const ALIAS = { type: "CNAME", name: "t", value: "x.test" };
const FAILED = { delivered: false, error: null };
const REFUSED = { sent: 1_234, delivered: 0, deferred: 0, bounced: 1_234, complaints: 0 };
const CONTENT = {
  headers: { Subject: "Hi\u001b" },
  text: "Hello.",
  html: "<p>Hello</p>",
  attachments: [{ index: 0, filename: "a.pdf", content_type: "application/pdf", size: 1_234 }],
  kept_until: NOW,
};
const LATER = "421 later";
const LISTED = { created_at: NOW, recipients: [] };

const LOGGED = {
  id: "req_1",
  created_at: "2026-11-21T09:30:00.000Z",
  method: "POST",
  route: "/v1/email",
  target: null,
  status: 422,
  error_type: "validation_error",
  fields: ["to.0", "subject"],
  count: 1_200,
};

export const ACTION_CASES: readonly ActionCase[] = [
  action(
    "requests --status 4xx --route /v1/email --key-id key_1",
    "GET /v1/requests?status=4xx&route=%2Fv1%2Femail&key=key_1&limit=20",
    /^2026-11-21 09:30:00 {2}422 {2}POST \/v1\/email +validation_error {2}to\.0, subject {2}1,200 times {2}req_1\n$/,
    [page(LOGGED)],
  ),
  action("whoami", "GET /v1/whoami", /^Limits +10,000 a day, 1,234,567 a month$/m, [
    {
      team: null,
      api_key: { id: "key_1", permissions: "full" },
      limits: { daily: 10_000, monthly: 1_234_567 },
    },
  ]),
  action(
    "show email_1",
    "GET /v1/email/email_1/content",
    /^Subject: Hi\?\nAttachment 0: a\.pdf, application\/pdf, 1,234 bytes\nKept until: 2026-11-24 10:00:00\n\nHello\.\nHTML of 12 characters: see --html\n$/,
    [CONTENT],
  ),
  action("show email_1 --html", "GET /v1/email/email_1/content", /^<p>Hello<\/p>\n$/, [CONTENT]),
  action(
    "emails --recipient ada@example.net --tag a,b --limit 2",
    "GET /v1/email?status=all&recipient=ada%40example.net&tags=a&tags=b&limit=2",
    /^ACCEPTED .*\n2026-11-24 10:00:00 +delivered +ada@example\.net and 2 more +Hi\? +email_1\n.* scheduled 2026-11-25 10:00:00 +x@y\.z +S +email_2\n$/,
    [
      page(
        {
          ...LISTED,
          id: "email_1",
          status: "delivered",
          recipients: ["ada@example.net", "b@c.d", "e@f.g"],
          subject: "Hi\u001b",
        },
        {
          ...LISTED,
          id: "email_2",
          status: "scheduled",
          scheduled_at: "2026-11-25T10:00:00Z",
          recipients: ["x@y.z"],
          subject: "S",
        },
        { ...LISTED, id: "email_3", subject: "T" },
      ),
    ],
  ),
  action(
    "emails list --scheduled --campaign launch",
    "GET /v1/email?order=soonest&campaign=launch&limit=20",
    /^ACCEPTED +STATUS +TO +SUBJECT +ID\n$/,
    [page()],
  ),
  action(
    "emails get email_1",
    "GET /v1/email/email_1",
    /^ada@example\.net: delayed\nThe server is busy\.\nThe next attempt is at 2026-11-24 11:00:00\.\n {2}2026-11-24 10:00:00 {2}email\.delayed {2}mx\.test {2}421 later\n$/m,
    [
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
              { type: "email.delayed", occurred_at: NOW, mx_host: "mx.test", smtp_response: LATER },
            ],
          },
        ],
        events_truncated: false,
      },
    ],
  ),
  action("emails cancel email_1", "POST /v1/email/email_1/cancel", /^Canceled: email_1\.\n$/, [
    { id: "email_1", canceled_at: NOW },
  ]),
  action(
    "emails cancel --campaign launch --json",
    ["POST /v1/email/cancel", "POST /v1/email/cancel"],
    /^\[\s+\{\s+"id": "email_1"[^]*"email_2"[^]*\]\n$/,
    [
      { data: [{ id: "email_1", canceled_at: NOW }], has_more: true },
      { data: [{ id: "email_2", canceled_at: NOW }], has_more: false },
    ],
    { body: { campaign: "launch" } },
  ),
  action(
    ["emails", "move", "email_1", "--at", "in 1 day and 2 hours"],
    "PATCH /v1/email/email_1",
    /^Moved: email_1 goes out at 2026-11-25 12:00:00 UTC \(in 1 day 2 hours\)\.\n$/,
    [{ id: "email_1", scheduled_at: "2026-11-25T12:00:00.000Z" }],
    { body: { scheduled_at: "2026-11-25T12:00:00.000Z" } },
  ),
  action(
    `webhooks create ${HOOK}`,
    "POST /v1/webhooks",
    /^whsec_1\n\(wh_1\. The secret is not shown again\.\)\n$/,
    [SECRET],
    { body: { name: "shop.example.com", url: HOOK, events: EVENTS } },
  ),
  action(
    "webhooks create https://a.b/ --name A --events email.bounced --format resend --json",
    "POST /v1/webhooks",
    /^\{\n {2}"id": "wh_1",\n {2}"signing_secret": "whsec_1",/,
    [SECRET],
    { body: { name: "A", url: "https://a.b/", events: [EVENT], format: "resend" } },
  ),
  action(
    ["webhooks", "update", "wh_1", "--events", "email.sent, email.opened"],
    UPDATE,
    /^wh_1 \(Shop\) is active: https/,
    [WEBHOOK, { ...WEBHOOK, status: "active" }],
    { body: { name: "Shop", url: HOOK, events: ["email.sent", "email.opened"], status: "active" } },
  ),
  action(
    "webhooks update wh_1 --target https://a.b/ --name B",
    UPDATE,
    /is disabled/,
    Array.from({ length: 2 }, () => ({ ...WEBHOOK, status: "disabled" })),
    { body: { name: "B", url: "https://a.b/", events: [EVENT], status: "disabled" } },
  ),
  action(
    "webhooks test wh_1",
    "POST /v1/webhooks/wh_1/test",
    /^Not delivered after 1,234 ms: 500\nno\?\n$/,
    [{ ...FAILED, status_code: 500, latency_ms: 1_234, response_body_preview: "no\u001b" }],
    { code: 1 },
  ),
  action(
    "webhooks rotate wh_1",
    "POST /v1/webhooks/wh_1/rotate-secret",
    /The old secret is valid until 2026-11-25 10:00:00\.\)\n$/,
    [{ ...SECRET, signing_secret_grace_expires_at: "2026-11-25T10:00:00Z" }],
  ),
  action("webhooks delete wh_1 --json", "DELETE /v1/webhooks/wh_1", /^\{\s+"id": "wh_1"\s+\}\n$/),
  action(
    [..."domains update Example.com --clicks on --opens off --subdomain".split(" "), ""],
    [DOMAINS, "PATCH /v1/domains/dom_1"],
    /^The tracking of example\.com is pending\.\n\nTYPE .*\nCNAME +t +x\.test\n$/,
    [page(DOMAIN), { ...DOMAIN, tracking: { status: "pending", dns_records: [ALIAS] } }],
    { body: { tracking: { clicks_enabled: true, opens_enabled: false, subdomain: null } } },
  ),
  action(
    "domains delete example.com",
    [DOMAINS, "DELETE /v1/domains/dom_1"],
    /^Deleted: example\.com\.\n$/,
    [page(DOMAIN), undefined],
  ),
  action("templates delete welcome", "DELETE /v1/templates/welcome", /^Deleted: welcome\.\n$/),
  action(
    "stats --since 2026-11-01 --interval day --by domain --without-simulator",
    "GET /v1/stats?start=2026-11-01&interval=day&group_by=recipient_domain&simulator=exclude",
    /^FROM +DOMAIN +SENT +DELIVERED .*\n2026-11-01 00:00:00 {2}gmail\.com {2}1,234 .*\n2026-11-03 00:00:00 {2}other {10}7 .*\nall .* 1,241 .*\n$/m,
    [
      {
        start: "2026-11-01T00:00:00Z",
        end: "2026-11-04T00:00:00Z",
        data: [
          statsOf("01", "gmail.com", 1_234),
          statsOf("02", "other", 0),
          statsOf("03", "other", 7),
        ],
      },
    ],
  ),
  action(
    "deliverability",
    "GET /v1/deliverability",
    /^critical: Gmail refuses all mail\.\n {2}550 no\n {2}- Publish an SPF record\.\n\nPROVIDER .*\nGmail +1,234 +0 +0 +1,234 +0 +-\n$/m,
    [
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
            current: { ...REFUSED, time_to_acceptance: { median_seconds: null } },
          },
        ],
      },
    ],
  ),
];
