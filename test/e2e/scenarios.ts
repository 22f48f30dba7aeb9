// The edge cases of delivery as a table: for each the recipient's DNS, how its mail servers behave,
// and to the letter what must come of it (contract.md §Bounces). All of them run at once on one
// stack, whose time runs 8,640 times faster.
import { networkInterfaces } from "node:os";

/** 72 hours become 30 seconds, the first wait 7 ms. */
export const SPEEDUP = 8_640;

// Each behaviour that a server shows before it knows the recipient needs an address of its own.
const POLITE = "127.0.0.2";
const HANGING = "127.0.0.3";
const BROKEN_TLS = "127.0.0.4";
const BROKEN_TLS_DEMANDED = "127.0.0.5";
const CLOSING = "127.0.0.6";
const BLOCKING = "127.0.0.7";
const TLS_NOT_NOW = "127.0.0.8";
const OTHER = "127.0.0.10";
const IPV6 = "::1";
/** Nobody listens there. */
const REFUSING = "127.0.0.9";
/** The gateway's own port for return-paths. */
const OURSELVES = "127.0.0.1";

const HAS_IPV6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === IPV6),
);

const IPV4_HOSTS = [
  POLITE,
  HANGING,
  BROKEN_TLS,
  BROKEN_TLS_DEMANDED,
  CLOSING,
  BLOCKING,
  TLS_NOT_NOW,
  OTHER,
];

export const MAIL_HOSTS = HAS_IPV6 ? [...IPV4_HOSTS, IPV6] : IPV4_HOSTS;

const NO_SERVER = "Could not resolve a mail server for the recipient's domain.";
const NO_TLS = "TLS negotiation with the receiving server failed.";
const NO_CONNECTION = "Could not connect to the receiving server.";
const NO_RESPONSE = "Delivery attempt failed before the receiving server responded.";

export interface Happened {
  readonly type: string;
  /** `1..n` of a run of alike delays, whose last number is n; `n+1` of what came next. */
  readonly attempt: number | string | null;
  readonly smtp_code: number | null;
  readonly smtp_response: string | null;
  readonly bounce_type: string | null;
  readonly bounce_classification: string | null;
  readonly mx_host: string | null;
  /** Whether it went over TLS. */
  readonly tls: boolean;
}

export interface Fate {
  readonly events: readonly Happened[];
  /** How often the inbox has it. */
  readonly copies: number;
  /** What stands on the suppression list: classification and code; null: nothing. */
  readonly suppressed: string | null;
  /** The events of a second message; absent: none is sent. */
  readonly next?: readonly Happened[];
}

interface PutRecord {
  readonly name: string;
  readonly type: string;
  readonly data: unknown;
}

export interface Scenario {
  readonly title: string;
  readonly dns: readonly PutRecord[];
  readonly rules?: readonly Record<string, unknown>[];
  /** By address: one message to all of them. */
  readonly fates: Readonly<Record<string, Fate>>;
}

const happened = (
  type: string,
  attempt: Happened["attempt"],
  more: Partial<Happened> = {},
): Happened => ({
  type: `email.${type}`,
  attempt,
  smtp_code: null,
  smtp_response: null,
  bounce_type: null,
  bounce_classification: null,
  mx_host: null,
  tls: false,
  ...more,
});

const SENT = happened("sent", 1);

/** A server's reply, `over` TLS unless it is said otherwise. */
const said = (reply: string, mx_host: string, tls = true) => ({
  smtp_code: Number(reply.slice(0, 3)),
  smtp_response: reply,
  mx_host,
  tls,
});

/** What the service says itself. */
const found = (smtp_code: number, smtp_response: string, mx_host: string | null = null) => ({
  smtp_code,
  smtp_response,
  mx_host,
});

const delivered = (attempt: number, mx_host: string, tls = true) =>
  happened("delivered", attempt, said("250 2.0.0 Kept as (id)", mx_host, tls));
const delayed = (attempt: number, what: Partial<Happened>) => happened("delayed", attempt, what);
const refused = (attempt: number, bounce_classification: string, what: Partial<Happened>) =>
  happened("bounced", attempt, { bounce_type: "permanent", bounce_classification, ...what });
const undeliverable = (what: Partial<Happened>) =>
  happened("bounced", 1, { bounce_type: "transient", bounce_classification: "BadDomain", ...what });
const expired = (what: Partial<Happened>, bounce_classification: string | null = null) => [
  SENT,
  happened("delayed", "1..n", what),
  happened("bounced", "n+1", { bounce_type: "expired", bounce_classification, ...what }),
];
const fate = (
  events: readonly Happened[],
  copies = 0,
  suppressed: string | null = null,
  next?: readonly Happened[],
): Fate => ({
  events,
  copies,
  suppressed,
  ...(next && { next }),
});

/** One mail server, `mx.<domain>`. */
const server = (domain: string, address: string): PutRecord[] =>
  servers(domain, [10, "mx", address]);

function servers(
  domain: string,
  ...list: readonly (readonly [preference: number, name: string, address: string])[]
): PutRecord[] {
  return [
    {
      name: domain,
      type: "MX",
      data: list.map(([preference, name]) => ({ preference, exchange: `${name}.${domain}` })),
    },
    ...list.map(([, name, data]) => ({
      name: `${name}.${domain}`,
      type: data.includes(":") ? "AAAA" : "A",
      data,
    })),
  ];
}

/** A rule for the recipients of one domain. */
const to = (domain: string, stage: string, rule: Record<string, unknown>) => ({
  rcpt: `@${domain.replaceAll(".", "\\.")}$`,
  stage,
  ...rule,
});

/** A server that always replies so at one stage, and what comes of it. */
function replying(
  title: string,
  domain: string,
  stage: string,
  reply: string,
  fateOf: (what: Partial<Happened>) => Fate,
): Scenario {
  const what = said(reply, `mx.${domain}`);
  return {
    title,
    dns: server(domain, POLITE),
    rules: [to(domain, stage, { reply })],
    fates: { [`ann@${domain}`]: fateOf(what) },
  };
}

/** A server that replies so once or a few times, and then accepts. */
function relenting(
  title: string,
  domain: string,
  stage: string,
  reply: string,
  times: number,
): Scenario {
  const what = said(reply, `mx.${domain}`);
  const delays = Array.from({ length: times }, (_, index) => delayed(index + 1, what));
  return {
    title,
    dns: server(domain, POLITE),
    rules: [to(domain, stage, { reply, times })],
    fates: { [`ann@${domain}`]: fate([SENT, ...delays, delivered(times + 1, `mx.${domain}`)], 1) },
  };
}

const TRANSACTIONS: readonly Scenario[] = [
  relenting(
    "421 to RCPT, in the middle of a transaction",
    "closing-at-rcpt.test",
    "rcpt",
    "421 4.3.2 Service shutting down",
    1,
  ),
  relenting(
    "421 to the message, behind the final dot",
    "closing-at-end.test",
    "end",
    "421 4.3.2 Service shutting down",
    1,
  ),
  {
    title:
      "the connection lost behind the final dot, the message taken: nobody can know, so it is sent again under its Message-ID",
    dns: server("lost-at-end.test", POLITE),
    rules: [to("lost-at-end.test", "end", { drop: true, keep: true, times: 1 })],
    fates: {
      "ann@lost-at-end.test": fate(
        [
          SENT,
          delayed(1, found(451, NO_RESPONSE, "mx.lost-at-end.test")),
          delivered(2, "mx.lost-at-end.test"),
        ],
        2,
      ),
    },
  },
  {
    title: "the connection lost before the message, every time",
    dns: server("lost-at-data.test", POLITE),
    rules: [to("lost-at-data.test", "data", { drop: true })],
    fates: {
      "ann@lost-at-data.test": fate(expired(found(451, NO_RESPONSE, "mx.lost-at-data.test"))),
    },
  },
  {
    title: "4xx for one recipient of three",
    dns: server("several.test", POLITE),
    rules: [{ rcpt: "^second@several", stage: "rcpt", reply: "450 4.2.1 Mailbox busy", times: 1 }],
    fates: {
      "first@several.test": fate([SENT, delivered(1, "mx.several.test")], 1),
      "second@several.test": fate(
        [
          SENT,
          delayed(1, said("450 4.2.1 Mailbox busy", "mx.several.test")),
          delivered(2, "mx.several.test"),
        ],
        1,
      ),
      "third@several.test": fate([SENT, delivered(1, "mx.several.test")], 1),
    },
  },
  relenting(
    "greylisting: 451 twice",
    "greylisting.test",
    "rcpt",
    "451 4.7.1 Greylisted, please try again later",
    2,
  ),
  replying(
    "451 for 72 hours",
    "greylisting-for-ever.test",
    "rcpt",
    "451 4.7.1 Greylisted, please try again later",
    (what) => fate(expired(what)),
  ),
  relenting("452 at DATA", "full-for-now.test", "data", "452 4.3.1 Insufficient system storage", 1),
  replying(
    "552 at DATA",
    "too-large.test",
    "data",
    "552 5.3.4 Message size exceeds fixed maximum message size",
    (what) => fate([SENT, refused(1, "QuotaIssues", what)]),
  ),
  replying(
    "552 at RCPT: the mailbox is full",
    "full.test",
    "rcpt",
    "552 5.2.2 Mailbox is over quota",
    (what) => fate([SENT, refused(1, "QuotaIssues", what)]),
  ),
];

const REFUSALS: readonly Scenario[] = [
  replying("550 at RCPT: no such user", "unknown.test", "rcpt", "550 5.1.1 No such user", (what) =>
    fate([SENT, refused(1, "InvalidRecipient", what)], 0, "InvalidRecipient 550", [
      happened("suppressed", null),
    ]),
  ),
  replying(
    "550 behind the final dot: no such user",
    "unknown-at-end.test",
    "end",
    "550 5.1.1 No such user",
    (what) =>
      fate([SENT, refused(1, "InvalidRecipient", what)], 0, "InvalidRecipient 550", [
        happened("suppressed", null),
      ]),
  ),
  replying("550 at DATA: spam", "spam.test", "data", "550 5.7.1 Message rejected as spam", (what) =>
    fate([SENT, refused(1, "SpamContent", what)], 0, null, [SENT, refused(1, "SpamContent", what)]),
  ),
  replying(
    "550 behind the final dot: DMARC",
    "dmarc.test",
    "end",
    "550 5.7.26 Unauthenticated email is not accepted",
    (what) => fate([SENT, refused(1, "AuthenticationFailed", what)]),
  ),
  {
    title: "451, then 550 at RCPT in several lines",
    dns: server("then-refused.test", POLITE),
    rules: [
      to("then-refused.test", "rcpt", { reply: "451 4.3.0 Try again later", times: 1 }),
      to("then-refused.test", "rcpt", {
        reply: "550-5.1.1 The email account that you tried to reach\n550 5.1.1 does not exist.",
      }),
    ],
    fates: {
      "ann@then-refused.test": fate(
        [
          SENT,
          delayed(1, said("451 4.3.0 Try again later", "mx.then-refused.test")),
          refused(
            2,
            "InvalidRecipient",
            said(
              "550 5.1.1 The email account that you tried to reach does not exist.",
              "mx.then-refused.test",
            ),
          ),
        ],
        0,
        "InvalidRecipient 550",
      ),
    },
  },
  {
    title: "554 instead of a greeting: the sender's address is blocked",
    dns: server("blocking.test", BLOCKING),
    rules: [
      {
        server: BLOCKING,
        stage: "connect",
        reply: "554 5.7.1 Client host blocked using zen.spamhaus.org",
      },
    ],
    fates: {
      "ann@blocking.test": fate([
        SENT,
        refused(
          1,
          "SpamBlock",
          said("554 5.7.1 Client host blocked using zen.spamhaus.org", "mx.blocking.test", false),
        ),
      ]),
    },
  },
];

const NAMES: readonly Scenario[] = [
  {
    title: "null MX (RFC 7505)",
    dns: [{ name: "null-mx.test", type: "MX", data: "0 ." }],
    fates: { "ann@null-mx.test": fate([SENT, undeliverable(found(556, NO_SERVER))]) },
  },
  {
    title: "no MX, but an address",
    dns: [{ name: "address-only.test", type: "A", data: POLITE }],
    fates: { "ann@address-only.test": fate([SENT, delivered(1, "address-only.test")], 1) },
  },
  {
    title: "neither MX nor address",
    dns: [{ name: "nothing.test", type: "TXT", data: "v=spf1 -all" }],
    fates: { "ann@nothing.test": fate([SENT, undeliverable(found(550, NO_SERVER))]) },
  },
  {
    title: "an MX that is an alias",
    dns: [
      { name: "alias.test", type: "MX", data: "10 mx.alias.test" },
      { name: "mx.alias.test", type: "CNAME", data: "real.alias.test" },
      { name: "real.alias.test", type: "A", data: POLITE },
    ],
    fates: { "ann@alias.test": fate([SENT, delivered(1, "mx.alias.test")], 1) },
  },
  {
    title: "an MX without address",
    dns: [{ name: "dangling.test", type: "MX", data: "10 mx.dangling.test" }],
    fates: { "ann@dangling.test": fate([SENT, undeliverable(found(550, NO_SERVER))]) },
  },
  {
    title: "a domain that does not exist (NXDOMAIN)",
    dns: [],
    fates: { "ann@does-not-exist.test": fate([SENT, undeliverable(found(550, NO_SERVER))]) },
  },
  {
    title: "DNS that fails (SERVFAIL), for 72 hours",
    dns: server("servfail.test", POLITE),
    fates: { "ann@servfail.test": fate(expired(found(451, NO_SERVER))) },
  },
  {
    title: "an MX that is this gateway",
    dns: [{ name: "loop.test", type: "MX", data: "10 gateway.postern.test" }],
    fates: { "ann@loop.test": fate([SENT, undeliverable(found(550, NO_SERVER))]) },
  },
  {
    title: "an MX that is this gateway under another name",
    dns: server("hidden-loop.test", OURSELVES),
    fates: {
      "ann@hidden-loop.test": fate([
        SENT,
        undeliverable(found(550, NO_SERVER, "mx.hidden-loop.test")),
      ]),
    },
  },
];

const CONNECTIONS: readonly Scenario[] = [
  {
    title: "an IPv6 address alone",
    dns: server("ipv6.test", IPV6),
    fates: { "ann@ipv6.test": fate([SENT, delivered(1, "mx.ipv6.test")], 1) },
  },
  {
    title: "two servers: the preferred one",
    dns: servers("preference.test", [20, "second", OTHER], [10, "first", POLITE]),
    fates: { "ann@preference.test": fate([SENT, delivered(1, "first.preference.test")], 1) },
  },
  {
    title:
      "three servers: the first refuses connections, the second greets with 421, the third takes it",
    dns: servers(
      "failover.test",
      [10, "first", REFUSING],
      [20, "second", CLOSING],
      [30, "third", POLITE],
    ),
    rules: [{ server: CLOSING, stage: "connect", reply: "421 4.3.2 Too busy" }],
    fates: { "ann@failover.test": fate([SENT, delivered(1, "third.failover.test")], 1) },
  },
  {
    title: "two servers: the first one's 550 is the last word",
    dns: servers("verdict.test", [10, "first", POLITE], [20, "second", OTHER]),
    rules: [{ ...to("verdict.test", "rcpt", { reply: "550 5.1.1 No such user" }), server: POLITE }],
    fates: {
      "ann@verdict.test": fate(
        [
          SENT,
          refused(1, "InvalidRecipient", said("550 5.1.1 No such user", "first.verdict.test")),
        ],
        0,
        "InvalidRecipient 550",
      ),
    },
  },
  {
    title: "two servers: one refuses connections, one greets with 421, for 72 hours",
    dns: servers("both-down.test", [10, "first", REFUSING], [20, "second", CLOSING]),
    fates: {
      "ann@both-down.test": fate(
        expired(said("421 4.3.2 Too busy", "second.both-down.test", false)),
      ),
    },
  },
  {
    title: "connections refused, for 72 hours",
    dns: server("refusing.test", REFUSING),
    fates: { "ann@refusing.test": fate(expired(found(451, NO_CONNECTION, "mx.refusing.test"))) },
  },
  {
    title: "a greeting that never comes, for 72 hours",
    dns: server("hanging.test", HANGING),
    rules: [{ server: HANGING, stage: "connect", delay_ms: 3_600_000 }],
    fates: { "ann@hanging.test": fate(expired(found(451, NO_CONNECTION, "mx.hanging.test"))) },
  },
  {
    title: "a TLS handshake that breaks: plain, on a second connection",
    dns: server("broken-tls.test", BROKEN_TLS),
    rules: [{ server: BROKEN_TLS, stage: "starttls", drop: true }],
    fates: { "ann@broken-tls.test": fate([SENT, delivered(1, "mx.broken-tls.test", false)], 1) },
  },
  {
    title: "454 to STARTTLS: plain, on the same connection",
    dns: server("tls-not-now.test", TLS_NOT_NOW),
    rules: [
      {
        server: TLS_NOT_NOW,
        stage: "starttls",
        reply: "454 4.7.0 TLS not available due to temporary reason",
      },
    ],
    fates: { "ann@tls-not-now.test": fate([SENT, delivered(1, "mx.tls-not-now.test", false)], 1) },
  },
  {
    title: "a TLS handshake that breaks, and 530 without TLS, for 72 hours",
    dns: server("tls-demanded.test", BROKEN_TLS_DEMANDED),
    rules: [
      { server: BROKEN_TLS_DEMANDED, stage: "starttls", drop: true },
      {
        server: BROKEN_TLS_DEMANDED,
        stage: "mail",
        reply: "530 5.7.0 Must issue a STARTTLS command first",
      },
    ],
    fates: { "ann@tls-demanded.test": fate(expired(found(454, NO_TLS, "mx.tls-demanded.test"))) },
  },
];

/** Domains about which DNS answers SERVFAIL. */
export const FAILING_DOMAINS = ["servfail.test"];

/** False on a machine without IPv6, for what needs it. */
export function runsHere({ dns }: Scenario): boolean {
  return HAS_IPV6 || !dns.some(({ data }) => data === IPV6);
}

export const SCENARIOS: readonly Scenario[] = [
  ...TRANSACTIONS,
  ...REFUSALS,
  ...NAMES,
  ...CONNECTIONS,
];
