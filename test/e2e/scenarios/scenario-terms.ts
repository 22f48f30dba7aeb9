// The vocabulary of the scenarios' table: the addresses of the mail servers, the expected events
// and results, and functions that build scenarios of a common shape.
import { networkInterfaces } from "node:os";

// Addresses of mail servers. A server that misbehaves before RCPT TO cannot tell recipients apart,
// so it needs an address of its own.
export const POLITE = "127.0.0.2";
export const HANGING = "127.0.0.3";
export const BROKEN_TLS = "127.0.0.4";
export const BROKEN_TLS_DEMANDED = "127.0.0.5";
export const CLOSING = "127.0.0.6";
export const BLOCKING = "127.0.0.7";
export const TLS_NOT_NOW = "127.0.0.8";
export const IPV6 = "::1";
/** No server listens there. */
export const REFUSING = "127.0.0.9";
/** The address of the gateway itself, where its port for return-paths is. */
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
];

export const MAIL_HOSTS = HAS_IPV6 ? [...IPV4_HOSTS, IPV6] : IPV4_HOSTS;

export const NO_SERVER = "Could not resolve a mail server for the recipient's domain.";
export const NO_TLS = "TLS negotiation with the receiving server failed.";
export const NO_CONNECTION = "Could not connect to the receiving server.";
export const NO_RESPONSE = "Delivery attempt failed before the receiving server responded.";

/**
 * The server's reply that `email.sent` shows if the courier is a provider such as the Email
 * Service.
 */
export const QUEUED = "queued as (id)";

export interface ExpectedEvent {
  readonly type: string;
  /**
   * The number of the attempt. `1..n` is a run of delays that do not differ, up to attempt n, and
   * `n+1` is the attempt after the run.
   */
  readonly attempt: number | string | null;
  readonly smtp_code: number | null;
  readonly smtp_response: string | null;
  readonly bounce_type: string | null;
  readonly bounce_classification: string | null;
  readonly mx_host: string | null;
  /** True: the SMTP session used TLS. */
  readonly tls: boolean;
}

export interface Fate {
  readonly events: readonly ExpectedEvent[];
  /** Number of copies in the inbox. */
  readonly copies: number;
  /**
   * The classification and code of the address in the suppression list. Null: the address is not
   * suppressed.
   */
  readonly suppressed: string | null;
  /**
   * The events of a second message to the same address. Undefined: the test sends only one message.
   */
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
  /** The expected result for each recipient address. One message goes to all of these addresses. */
  readonly fates: Readonly<Record<string, Fate>>;
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

/** The members of an event that quote a server's reply. By default, the server used TLS. */
export const serverReply = (reply: string, mx_host: string, tls = true) => ({
  smtp_code: Number(reply.slice(0, 3)),
  smtp_response: reply,
  mx_host,
  tls,
});

/** An outcome without a mail server's reply, which the service determines itself. */
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

/** Makes the DNS records of a domain whose only mail server is `mx.<domain>`. */
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

/** Makes an inbox rule for the recipients of one domain. */
export const ruleFor = (domain: string, stage: string, rule: Record<string, unknown>) => ({
  rcpt: `@${domain.replaceAll(".", "\\.")}$`,
  stage,
  ...rule,
});

/** A scenario whose mail server always gives this reply at one stage, with the expected result. */
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

/** A scenario whose mail server gives this reply a number of times and then accepts. */
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

/** Tells whether the scenario can run on this machine: some scenarios need IPv6. */
export function runsHere({ dns }: Scenario): boolean {
  return HAS_IPV6 || !dns.some(({ data }) => data === IPV6);
}
