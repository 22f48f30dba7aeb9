// The plan of `bench hostile`: the mail servers that make their clients wait (bad-servers.ts), the
// mail to them in each run, and the duration of each run.
import type { BenchSize } from "../bench-options.ts";

export const BAD_KINDS = {
  connect: "silent at connect",
  banner: "silent at the banner",
  rcpt: "silent at RCPT",
  dot: "silent after the dot",
  drip: "a banner of a byte a second",
  slow: "30 s for each reply",
} as const;

export type BadKind = keyof typeof BAD_KINDS;

/** The number of servers of each kind. */
export type BadCounts = Partial<Readonly<Record<BadKind, number>>>;

/** The domain of a recipient, and the port of its mail server. */
export type ServerRoute = readonly [domain: string, port: number];

/** The mail to bad servers that is sent at the same time as the good mail. */
export interface Trouble {
  readonly name: string;
  /** The fraction of the steady team's recipients that are at bad servers. */
  readonly share: number;
  readonly servers: BadCounts;
  /** Number of recipients in another team's list. The list is sent before the good mail begins. */
  readonly list: number;
}

export interface Span {
  readonly warmUpSeconds: number;
  readonly seconds: number;
}

export interface HostilePlan {
  /**
   * Seconds of the search for the ceiling (the highest rate that the system sustains): the time at
   * the full rate, and the time at each lower rate.
   */
  readonly fullSeconds: number;
  readonly trySeconds: number;
  readonly span: Span;
  /** Duration of the peer's runs. */
  readonly shorter: Span;
  readonly troubles: readonly Trouble[];
}

/**
 * The gateway's limits for connections: to one server that has not answered yet, and to all servers
 * (docs/egress-protocol.md §Destinations).
 */
const CONNECTIONS_EACH = 5;
const CONNECTIONS = 500;
const TOO_MANY_SERVERS = Math.ceil((CONNECTIONS * 1.2) / CONNECTIONS_EACH);

export const CALM: Trouble = { name: "nothing bad", share: 0, servers: {}, list: 0 };

function bad(percent: number, each: number): Trouble {
  const kinds = Object.keys(BAD_KINDS);
  const servers: BadCounts = Object.fromEntries(kinds.map((kind) => [kind, each]));
  const name = `${percent} % of recipients at ${kinds.length * each} bad servers`;
  return { name, share: percent / 100, servers, list: 0 };
}

function list(recipients: number): Trouble {
  const name = `${recipients.toLocaleString("en-US")} recipients at one server that hangs`;
  return { name, share: 0, servers: { dot: 1 }, list: recipients };
}

/** Mail to servers that hang. They are more than the connections that the gateway may open. */
const tooMany: Trouble = {
  name: `30 % of recipients at ${TOO_MANY_SERVERS} servers that hang`,
  share: 0.3,
  servers: { dot: TOO_MANY_SERVERS },
  list: 0,
};

export const PLANS: Readonly<Record<BenchSize, HostilePlan>> = {
  full: {
    fullSeconds: 8,
    trySeconds: 8,
    span: { warmUpSeconds: 4, seconds: 35 },
    shorter: { warmUpSeconds: 2, seconds: 20 },
    troubles: [bad(10, 5), bad(30, 5), list(5_000), tooMany],
  },
  quick: {
    fullSeconds: 2,
    trySeconds: 1,
    span: { warmUpSeconds: 1, seconds: 2 },
    shorter: { warmUpSeconds: 0.2, seconds: 1 },
    troubles: [bad(10, 5), bad(30, 5), list(500)],
  },
  smoke: {
    fullSeconds: 1,
    trySeconds: 0.2,
    span: { warmUpSeconds: 0.1, seconds: 0.3 },
    shorter: { warmUpSeconds: 0.1, seconds: 0.3 },
    troubles: [bad(10, 1)],
  },
};
