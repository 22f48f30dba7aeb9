// The terms of the scenarios' table: the addresses of the mail servers, the expected events and
// fates, and builders for scenarios of a common shape.
import { networkInterfaces } from "node:os";

// A server that misbehaves before it knows the recipient needs its own address.
export const POLITE = "127.0.0.2";
export const HANGING = "127.0.0.3";
export const BROKEN_TLS = "127.0.0.4";
export const BROKEN_TLS_DEMANDED = "127.0.0.5";
export const CLOSING = "127.0.0.6";
export const BLOCKING = "127.0.0.7";
export const TLS_NOT_NOW = "127.0.0.8";
export const OTHER = "127.0.0.10";
export const IPV6 = "::1";
/** No server listens there. */
export const REFUSING = "127.0.0.9";
/** The gateway's own port for return-paths. */
export const OURSELVES = "127.0.0.1";

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

export const NO_SERVER = "Could not resolve a mail server for the recipient's domain.";
export const NO_TLS = "TLS negotiation with the receiving server failed.";
export const NO_CONNECTION = "Could not connect to the receiving server.";
export const NO_RESPONSE = "Delivery attempt failed before the receiving server responded.";

/** The reply in `email.sent` if the courier hands mail to a provider. */
export const QUEUED = "queued as (id)";

export interface ExpectedEvent {
  readonly type: string;
  /**
   * `1..n` is a run of identical delays that ends with attempt n. `n+1` is the attempt after it.
   */
  readonly attempt: number | string | null;
  readonly smtp_code: number | null;
  readonly smtp_response: string | null;
  readonly bounce_type: string | null;
  readonly bounce_classification: string | null;
  readonly mx_host: string | null;
  /** True if the session used TLS. */
  readonly tls: boolean;
}

export interface Fate {
  readonly events: readonly ExpectedEvent[];
  /** Number of copies in the inbox. */
  readonly copies: number;
  /** Classification and code on the suppression list. Null if the address is not on it. */
  readonly suppressed: string | null;
  /** Events of a second message. Absent if none is sent. */
  readonly next?: readonly ExpectedEvent[];
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
  /** Results by address. One message goes to all of them. */
  readonly fates: Readonly<Record<string, Fate>>;
  /** Rules for the events of the Email Service. */
  readonly eventRules?: readonly Record<string, unknown>[];
  /** Why the scenario is not run through the Email Service (email-service-terms.ts). */
  readonly gatewayOnly?: string;
}

export const event = (
  type: string,
  attempt: ExpectedEvent["attempt"],
  more: Partial<ExpectedEvent> = {},
): ExpectedEvent => ({
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

export const SENT = event("sent", 1);

/** A server's reply, over TLS by default. */
export const serverReply = (reply: string, mx_host: string, tls = true) => ({
  smtp_code: Number(reply.slice(0, 3)),
  smtp_response: reply,
  mx_host,
  tls,
});

/** An outcome that the service determines itself. */
export const ownReply = (
  smtp_code: number,
  smtp_response: string,
  mx_host: string | null = null,
) => ({
  smtp_code,
  smtp_response,
  mx_host,
});

export const delivered = (attempt: number, mx_host: string, tls = true) =>
  event("delivered", attempt, serverReply("250 2.0.0 Kept as (id)", mx_host, tls));
export const delayed = (attempt: number, what: Partial<ExpectedEvent>) =>
  event("delayed", attempt, what);
export const refused = (
  attempt: number,
  bounce_classification: string,
  what: Partial<ExpectedEvent>,
) => event("bounced", attempt, { bounce_type: "permanent", bounce_classification, ...what });
export const undeliverable = (what: Partial<ExpectedEvent>) =>
  event("bounced", 1, { bounce_type: "transient", bounce_classification: "BadDomain", ...what });
export const expired = (
  what: Partial<ExpectedEvent>,
  bounce_classification: string | null = null,
) => [
  SENT,
  event("delayed", "1..n", what),
  event("bounced", "n+1", { bounce_type: "expired", bounce_classification, ...what }),
];
export const fate = (
  events: readonly ExpectedEvent[],
  copies = 0,
  suppressed: string | null = null,
  next?: readonly ExpectedEvent[],
): Fate => ({
  events,
  copies,
  suppressed,
  ...(next && { next }),
});

/** One mail server, `mx.<domain>`. */
export const oneServer = (domain: string, address: string): PutRecord[] =>
  servers(domain, [10, "mx", address]);

export function servers(
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
export const ruleFor = (domain: string, stage: string, rule: Record<string, unknown>) => ({
  rcpt: `@${domain.replaceAll(".", "\\.")}$`,
  stage,
  ...rule,
});

/** A server that always gives this reply at one stage, and the result. */
export function alwaysReplying(
  title: string,
  domain: string,
  stage: string,
  reply: string,
  fateOf: (what: Partial<ExpectedEvent>) => Fate,
): Scenario {
  const what = serverReply(reply, `mx.${domain}`);
  return {
    title,
    dns: oneServer(domain, POLITE),
    rules: [ruleFor(domain, stage, { reply })],
    fates: { [`ann@${domain}`]: fateOf(what) },
  };
}

/** A server that gives this reply a number of times and then accepts. */
export function replyingAtFirst(
  title: string,
  domain: string,
  stage: string,
  reply: string,
  times: number,
): Scenario {
  const what = serverReply(reply, `mx.${domain}`);
  const delays = Array.from({ length: times }, (_, index) => delayed(index + 1, what));
  return {
    title,
    dns: oneServer(domain, POLITE),
    rules: [ruleFor(domain, stage, { reply, times })],
    fates: { [`ann@${domain}`]: fate([SENT, ...delays, delivered(times + 1, `mx.${domain}`)], 1) },
  };
}

/** False on a machine without IPv6, for scenarios that need it. */
export function runsHere({ dns }: Scenario): boolean {
  return HAS_IPV6 || !dns.some(({ data }) => data === IPV6);
}
