// Every setting of the gateway: its default, its bounds and its sentence in smtp-gateway/README.md
// §Settings. `npm run operator` writes the README's tables from this file. Pure.

export interface GatewaySettingEntry {
  /** The default, in the form of an environment variable. */
  readonly standard?: string;
  /** The words that documentation shows if the setting has no default. */
  readonly otherwise?: string;
  /** The least and the greatest valid value of a whole number. */
  readonly bounds?: readonly [least: number, most: number];
  /** The meaning, in one sentence of Markdown. */
  readonly meaning: string;
}

const HIGHEST_PORT = 65_535;
const HOUR_SECONDS = 3_600;

export const EGRESS_SETTINGS = {
  GATEWAY_TOKEN: {
    otherwise: "required",
    meaning: "the bearer token of the worker's requests; the same value as the worker's secret",
  },
  GATEWAY_TOKEN_FILE: { meaning: "a file that holds the token, instead of `GATEWAY_TOKEN`" },
  GATEWAY_METRICS_TOKEN: { meaning: "a second bearer token that is valid only for `/metrics`" },
  GATEWAY_METRICS_TOKEN_FILE: { meaning: "a file that holds that second token" },
  GATEWAY_HOSTNAME: {
    otherwise: "the system's host name",
    meaning:
      "the name in EHLO. It should resolve to the source addresses, and the PTR records of " +
      "these addresses should name it",
  },
  EGRESS_HOST: {
    standard: "127.0.0.1",
    meaning:
      "the address on which the egress listens; put TLS in front when the worker is on " +
      "another machine",
  },
  EGRESS_PORT: { standard: "2580", bounds: [0, HIGHEST_PORT], meaning: "the egress's port" },
  EGRESS_STATE: {
    standard: "egress-state",
    meaning: "directory of the journal, on a local disk. Each gateway needs its own",
  },
  EGRESS_POOLS: {
    standard: "{}",
    meaning:
      'source addresses by IP pool, which take turns: `{"default": ["198.51.100.1"], "marketing": ["198.51.100.7", "2001:db8::7"]}`',
  },
  EGRESS_ADDRESSES: {
    meaning:
      "the public addresses that mail leaves from; needed if NAT hides them from the host: " +
      "`198.51.100.7,2001:db8::7` ([what the gateway finds about " +
      "itself](../docs/gateway-watch.md))",
  },
  SERVICE_DOMAIN: {
    meaning:
      "the worker's `SERVICE_DOMAIN`. The gateway checks that this domain's SPF record names " +
      "the addresses that mail leaves from",
  },
  EGRESS_BLOCK_LISTS_DNS: {
    meaning:
      "DNS servers of your own, such as `127.0.0.1`. If set, the gateway asks block lists " +
      "about its addresses through them every hour",
  },
  EGRESS_ROUTES: {
    meaning:
      "hosts that get the mail of one domain, or of all domains, without an MX look-up: " +
      "`*=127.0.0.1:8026,example.com=[::1]:25`",
  },
  EGRESS_DNS: { otherwise: "the system's", meaning: "DNS servers: `9.9.9.9,127.0.0.1:8053`" },
  EGRESS_SMTP_PORT: {
    standard: "25",
    bounds: [1, HIGHEST_PORT],
    meaning: "the port of the mail servers that DNS names; change it only for tests",
  },
  EGRESS_MTA_STS: {
    standard: "true",
    meaning:
      "look up the MTA-STS policies of recipients' domains, and obey policies in mode `enforce`",
  },
  EGRESS_ALLOW_PRIVATE: {
    standard: "false",
    meaning: "deliver to mail servers at private or loopback addresses",
  },
  EGRESS_CONNECTIONS: {
    standard: "500",
    bounds: [1, 50_000],
    meaning: "maximum of all connections to mail servers",
  },
  EGRESS_CONNECTIONS_PER_HOST: {
    standard: "10",
    bounds: [1, 1_000],
    meaning:
      "maximum of connections from one pool to one " +
      "[destination](../docs/egress-protocol.md#destinations): a provider or an address block",
  },
  EGRESS_MESSAGES_PER_CONNECTION: {
    standard: "100",
    bounds: [1, 100_000],
    meaning:
      "a connection is closed after this many messages, or fewer if the provider or the " +
      "server accepts fewer",
  },
  EGRESS_MEGABYTES_IN_FLIGHT: {
    standard: "256",
    bounds: [64, 65_536],
    meaning:
      "memory for outgoing messages. The mail to one destination may take only a part of the " +
      "free memory; further messages are returned to the worker",
  },
  EGRESS_GREETING_SECONDS: {
    standard: "60",
    bounds: [1, HOUR_SECONDS],
    meaning: "the longest time to wait for a server's greeting",
  },
  EGRESS_FINAL_SECONDS: {
    standard: "600",
    bounds: [1, HOUR_SECONDS],
    meaning: "the longest time to wait for the reply to the message",
  },
  EGRESS_DRAIN_SECONDS: {
    standard: "25",
    bounds: [0, HOUR_SECONDS],
    meaning:
      "time after SIGTERM for a message to reach its final dot; otherwise it is cut off " +
      "([stopping](#stopping-and-restarting))",
  },
  EGRESS_SPEEDUP: {
    standard: "1",
    bounds: [1, 120],
    meaning:
      "divides the times that a message waits for a connection (two minutes) or for the " +
      "replies to commands and DATA (one minute). Only for tests",
  },
  EGRESS_LOG: {
    standard: "info",
    meaning:
      "the lowest level that is logged: `info`, `warning`, `error` or `none` " +
      "([docs/logs.md](../docs/logs.md#the-gateways-log))",
  },
} as const satisfies Readonly<Record<string, GatewaySettingEntry>>;

export const INTAKE_SETTINGS = {
  SUBMISSION_PORTS: { meaning: "ports for submission: `587,2587,25`" },
  SUBMISSION_BOUNCES: {
    standard: "false",
    meaning:
      "take bounces from `<>` on submission ports too, for a machine without port 25. Other " +
      "senders' reports need `RETURN_PATH`",
  },
  RETURN_PATH: {
    standard: "false",
    meaning:
      "take bounces, replies, complaints and mail to postmaster on `RETURN_PATH_PORTS`. A port " +
      "may also be in `SUBMISSION_PORTS`",
  },
  RETURN_PATH_PORTS: {
    standard: "25",
    meaning: "ports for returned mail. Other mail servers return bounces only to port 25",
  },
  WORKER_URL: {
    otherwise: "required",
    meaning: "scheme, host and port of the worker: `https://api.example.com`",
  },
  SUBMISSION_CERTIFICATE: {
    otherwise: "required",
    meaning:
      "PEM file of the certificate with its chain. The gateway loads a changed file by itself",
  },
  SUBMISSION_KEY: { otherwise: "required", meaning: "PEM file of the certificate's key" },
  SUBMISSION_HOST: { otherwise: "all addresses", meaning: "the address to listen on" },
  SUBMISSION_USER: { standard: "service", meaning: "the user name for every API key" },
  SUBMISSION_CONNECTIONS: {
    standard: "1000",
    bounds: [1, 50_000],
    meaning:
      "maximum of all open connections. [Unknown clients](DESIGN.md#floods) get at most half",
  },
  SUBMISSION_CONNECTIONS_PER_ADDRESS: {
    standard: "100",
    bounds: [1, 50_000],
    meaning:
      "maximum of open connections from one IPv4 address or IPv6 /64. [Unknown " +
      "clients](DESIGN.md#floods) get at most half",
  },
  SUBMISSION_ATTEMPTS_PER_MINUTE: {
    standard: "600",
    bounds: [1, 1_000_000],
    meaning:
      "how many connections per minute one address may open without AUTH or a genuine " +
      "return-path. An IPv6 /48 may open four times as many",
  },
  SUBMISSION_IDLE_SECONDS: {
    standard: "300",
    bounds: [1, HOUR_SECONDS],
    meaning:
      "how long an authenticated client may be silent. [Other clients](DESIGN.md#floods) get " +
      "at most 60",
  },
  SUBMISSION_MEGABYTES_IN_FLIGHT: {
    standard: "256",
    bounds: [16, 65_536],
    meaning: "memory for incoming messages. When it is full, the reply is `452 4.3.1`",
  },
} as const satisfies Readonly<Record<string, GatewaySettingEntry>>;

/** Former settings, which have no effect any more. Their values are constants now. */
export const REMOVED_SETTINGS: readonly string[] = [
  "EGRESS_CONNECT_SECONDS",
  "EGRESS_COMMAND_SECONDS",
  "EGRESS_DATA_SECONDS",
  "EGRESS_IDLE_SECONDS",
  "EGRESS_WAIT_SECONDS",
  "EGRESS_STALL_SECONDS",
  "SUBMISSION_CERTIFICATE_SECONDS",
];

/**
 * Settings of the worker whose names begin like the gateway's. An environment may have settings of
 * both.
 */
const OF_THE_WORKER = new Set(["EGRESS_URL", "EGRESS_LEAVING"]);

export const GATEWAY_SETTINGS = { ...EGRESS_SETTINGS, ...INTAKE_SETTINGS };

export type GatewaySettingName = keyof typeof GATEWAY_SETTINGS;

/** The names of settings that are whole numbers. */
export type NumberSettingName = {
  [Name in GatewaySettingName]: "bounds" extends keyof (typeof GATEWAY_SETTINGS)[Name]
    ? Name
    : never;
}[GatewaySettingName];

/**
 * Returns names that look like the gateway's settings, but that the gateway does not read: former
 * and misspelled settings.
 */
export function withoutEffect(names: Iterable<string>): string[] {
  return [...names].filter(
    (name) =>
      /^(?:EGRESS|SUBMISSION|GATEWAY|RETURN_PATH)_/.test(name) &&
      !Object.hasOwn(GATEWAY_SETTINGS, name) &&
      !OF_THE_WORKER.has(name),
  );
}
