// The operator's settings, read once from the environment. What is missing or malformed stops the
// start with one line that names it.
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { hostname as systemHostname } from "node:os";
import type { Route } from "./outbound/delivery.ts";
import { LOG_LEVELS, type GatewayLogLevel } from "./gateway-log.ts";
import { TIMEOUTS, type Timeouts } from "./outbound/timeouts.ts";

export interface GatewaySettings {
  readonly host: string;
  readonly port: number;
  readonly token: string;
  /** Opens /metrics and nothing else; null: there is none beside `token`. */
  readonly metricsToken: string | null;
  /** The name that EHLO gives; loop protection knows it too. */
  readonly hostname: string;
  readonly routes: readonly Route[];
  /** On which mail servers that DNS names are reached. */
  readonly smtpPort: number;
  readonly sources: ReadonlyMap<string, readonly string[]>;
  readonly stateDirectory: string;
  /** Empty: the system's. */
  readonly dnsServers: readonly string[];
  /** Mail servers at loopback and private addresses are used. */
  readonly allowPrivate: boolean;
  /** Policies of recipients' domains (RFC 8461) are asked for and obeyed. */
  readonly mtaSts: boolean;
  readonly logLevel: GatewayLogLevel;
  readonly connections: number;
  readonly connectionsPerHost: number;
  readonly messagesPerConnection: number;
  readonly bytesInFlight: number;
  /** Milliseconds between SIGTERM and the end of what is still under way. */
  readonly drainMs: number;
  /** Milliseconds that a client may pause inside a body. */
  readonly stallMs: number;
  readonly timeouts: Timeouts;
  /** Null: no mail comes in by SMTP. */
  readonly intake: IntakeSettings | null;
}

export interface IntakeSettings {
  /** Scheme, host and port. */
  readonly workerOrigin: string;
  /** Empty: all addresses. */
  readonly host: string;
  readonly submissionPorts: readonly number[];
  /** May be among those for submission. */
  readonly returnPathPorts: readonly number[];
  /** Ports for submission take bounces too, from the null sender alone. */
  readonly submissionBounces: boolean;
  /** Paths of PEM files. */
  readonly certificate: string;
  readonly key: string;
  /** How often the two are looked at, in milliseconds. */
  readonly certificateEveryMs: number;
  /** The user name that goes with an API key. */
  readonly user: string;
  readonly connections: number;
  readonly connectionsPerAddress: number;
  /** Connections of one address that lead to nothing. */
  readonly attemptsPerMinute: number;
  /** How long an authenticated client may be silent, in milliseconds. */
  readonly idleMs: number;
  readonly bytesInFlight: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

export class SettingError extends Error {
  constructor(name: string, problem: string) {
    super(`setting ${name}: ${problem}`);
  }
}

const MEGABYTE = 1024 * 1024;
const POOL_NAME = /^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/;
const HOST_NAME =
  /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;

/** Throws SettingError. */
export function settingsFrom(environment: Environment): GatewaySettings {
  const token = secret(environment, "GATEWAY_TOKEN");
  if (token === "") throw new SettingError("GATEWAY_TOKEN", "is missing");
  const hostname = text(environment, "GATEWAY_HOSTNAME", systemHostname());
  if (!HOST_NAME.test(hostname) && isIP(hostname) === 0)
    throw new SettingError("GATEWAY_HOSTNAME", "a host name, as EHLO gives it");
  return {
    host: text(environment, "EGRESS_HOST", "127.0.0.1"),
    port: integer(environment, "EGRESS_PORT", 2580, 0, 65_535),
    token,
    metricsToken: secret(environment, "GATEWAY_METRICS_TOKEN") || null,
    hostname,
    routes: routes(text(environment, "EGRESS_ROUTES", "")),
    smtpPort: integer(environment, "EGRESS_SMTP_PORT", 25, 1, 65_535),
    sources: pools(text(environment, "EGRESS_POOLS", "{}")),
    stateDirectory: text(environment, "EGRESS_STATE", "egress-state"),
    dnsServers: dnsServers(text(environment, "EGRESS_DNS", "")),
    allowPrivate: flag(environment, "EGRESS_ALLOW_PRIVATE", false),
    mtaSts: flag(environment, "EGRESS_MTA_STS", true),
    logLevel: logLevel(text(environment, "EGRESS_LOG", "info")),
    connections: integer(environment, "EGRESS_CONNECTIONS", 500, 1, 50_000),
    connectionsPerHost: integer(environment, "EGRESS_CONNECTIONS_PER_HOST", 10, 1, 1000),
    messagesPerConnection: integer(environment, "EGRESS_MESSAGES_PER_CONNECTION", 100, 1, 100_000),
    bytesInFlight: integer(environment, "EGRESS_MEGABYTES_IN_FLIGHT", 256, 64, 65_536) * MEGABYTE,
    drainMs: integer(environment, "EGRESS_DRAIN_SECONDS", 25, 0, 3600) * 1000,
    stallMs: integer(environment, "EGRESS_STALL_SECONDS", 60, 1, 3600) * 1000,
    timeouts: timeouts(environment),
    intake: intake(environment),
  };
}

function intake(environment: Environment): IntakeSettings | null {
  const submissionPorts = ports(environment, "SUBMISSION_PORTS", "");
  const returnPathPorts = flag(environment, "RETURN_PATH", false)
    ? ports(environment, "RETURN_PATH_PORTS", "25")
    : [];
  if (submissionPorts.length + returnPathPorts.length === 0) return null;
  return {
    workerOrigin: origin(environment, "WORKER_URL"),
    host: text(environment, "SUBMISSION_HOST", ""),
    submissionPorts,
    returnPathPorts,
    submissionBounces: flag(environment, "SUBMISSION_BOUNCES", false),
    certificate: required(environment, "SUBMISSION_CERTIFICATE"),
    key: required(environment, "SUBMISSION_KEY"),
    certificateEveryMs:
      integer(environment, "SUBMISSION_CERTIFICATE_SECONDS", 10, 1, 86_400) * 1000,
    user: userName(environment, "SUBMISSION_USER", "service"),
    connections: integer(environment, "SUBMISSION_CONNECTIONS", 1000, 1, 50_000),
    connectionsPerAddress: integer(
      environment,
      "SUBMISSION_CONNECTIONS_PER_ADDRESS",
      100,
      1,
      50_000,
    ),
    attemptsPerMinute: integer(environment, "SUBMISSION_ATTEMPTS_PER_MINUTE", 600, 1, 1_000_000),
    idleMs: integer(environment, "SUBMISSION_IDLE_SECONDS", 300, 1, 3600) * 1000,
    bytesInFlight:
      integer(environment, "SUBMISSION_MEGABYTES_IN_FLIGHT", 256, 16, 65_536) * MEGABYTE,
  };
}

function timeouts(environment: Environment): Timeouts {
  const seconds = (name: string, standard: number): number =>
    integer(environment, name, standard / 1000, 1, 3600) * 1000;
  return {
    ...TIMEOUTS,
    connect: seconds("EGRESS_CONNECT_SECONDS", TIMEOUTS.connect),
    greeting: seconds("EGRESS_GREETING_SECONDS", TIMEOUTS.greeting),
    command: seconds("EGRESS_COMMAND_SECONDS", TIMEOUTS.command),
    data: seconds("EGRESS_DATA_SECONDS", TIMEOUTS.data),
    final: seconds("EGRESS_FINAL_SECONDS", TIMEOUTS.final),
    idle: seconds("EGRESS_IDLE_SECONDS", TIMEOUTS.idle),
    wait: seconds("EGRESS_WAIT_SECONDS", TIMEOUTS.wait),
  };
}

/** An empty variable counts as unset. */
function text(environment: Environment, name: string, standard: string): string {
  return environment[name]?.trim() || standard;
}

function required(environment: Environment, name: string): string {
  const given = text(environment, name, "");
  if (given === "") throw new SettingError(name, "is missing");
  return given;
}

/**
 * Itself, or what the file holds that `<name>_FILE` names, white space around it apart. Empty:
 * neither is given.
 */
function secret(environment: Environment, name: string): string {
  const path = text(environment, `${name}_FILE`, "");
  const direct = text(environment, name, "");
  if (path !== "" && direct !== "")
    throw new SettingError(`${name}_FILE`, `not together with ${name}`);
  const given = path === "" ? direct : contentOf(`${name}_FILE`, path);
  if (/\s/.test(given))
    throw new SettingError(path === "" ? name : `${name}_FILE`, "must not contain white space");
  return given;
}

function contentOf(name: string, path: string): string {
  let content: string;
  try {
    content = readFileSync(path, "utf8").trim();
  } catch (error) {
    throw new SettingError(name, `can't be read (${(error as NodeJS.ErrnoException).code})`);
  }
  if (content === "") throw new SettingError(name, "is empty");
  return content;
}

function integer(
  environment: Environment,
  name: string,
  standard: number,
  least: number,
  most: number,
): number {
  const given = text(environment, name, String(standard));
  const value = Number(given);
  if (!/^\d+$/.test(given) || value < least || value > most)
    throw new SettingError(name, `a whole number from ${least} to ${most}`);
  return value;
}

function flag(environment: Environment, name: string, standard: boolean): boolean {
  const given = text(environment, name, String(standard));
  if (given !== "true" && given !== "false") throw new SettingError(name, "`true` or `false`");
  return given === "true";
}

function logLevel(given: string): GatewayLogLevel {
  const level = LOG_LEVELS.find((known) => known === given);
  if (level === undefined) throw new SettingError("EGRESS_LOG", `one of ${LOG_LEVELS.join(", ")}`);
  return level;
}

/** `587,2587,25` */
function ports(environment: Environment, name: string, standard: string): number[] {
  const given = text(environment, name, standard).split(",");
  const listed = given.map((port) => port.trim()).filter((port) => port !== "");
  const read = listed.map(Number);
  const areDistinct =
    new Set(read.filter((port) => port !== 0)).size === read.filter((port) => port !== 0).length;
  if (!areDistinct || listed.some((port) => !/^\d{1,5}$/.test(port) || Number(port) > 65_535)) {
    throw new SettingError(name, "comma-separated ports, each once");
  }
  return read;
}

/** `https://api.example.com` */
function origin(environment: Environment, name: string): string {
  const given = required(environment, name);
  const url = URL.canParse(given) ? new URL(given) : null;
  const isOrigin =
    url !== null &&
    url.pathname === "/" &&
    url.search === "" &&
    url.hash === "" &&
    url.username === "" &&
    url.password === "";
  if (!isOrigin || (url.protocol !== "https:" && url.protocol !== "http:"))
    throw new SettingError(name, "an http or https URL without a path");
  return url.origin;
}

function userName(environment: Environment, name: string, standard: string): string {
  const given = text(environment, name, standard);
  if (!/^[!-~]{1,64}$/.test(given))
    throw new SettingError(name, "printable ASCII without spaces, at most 64 characters");
  return given;
}

/** `*=127.0.0.1:8026, example.com=[::1]:25` */
function routes(given: string): Route[] {
  const entries = given.split(",").map((entry) => entry.trim());
  return entries
    .filter((entry) => entry !== "")
    .map((entry) => {
      const match = /^([^=\s]+)=(?:\[([^\]\s]+)\]|([^:\s[\]]+)):(\d{1,5})$/.exec(entry);
      const [, pattern = "", ipv6, name, port = ""] = match ?? [];
      const host = ipv6 ?? name ?? "";
      const known =
        ipv6 === undefined ? isIP(host) === 4 || HOST_NAME.test(host) : isIP(ipv6) === 6;
      if (
        !known ||
        Number(port) < 1 ||
        Number(port) > 65_535 ||
        (pattern !== "*" && !HOST_NAME.test(pattern))
      ) {
        throw new SettingError(
          "EGRESS_ROUTES",
          "comma-separated `domain=host:port`, the domain `*` for all others",
        );
      }
      return { pattern: pattern.toLowerCase(), host, port: Number(port) };
    });
}

/** `{"marketing": ["198.51.100.7", "2001:db8::7"], "default": [...]}` */
function pools(given: string): Map<string, readonly string[]> {
  const problem = new SettingError(
    "EGRESS_POOLS",
    "a JSON object of pool names, each with a list of at least one IP address",
  );
  let value: unknown;
  try {
    value = JSON.parse(given);
  } catch {
    throw problem;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw problem;
  return new Map(
    Object.entries(value).map(([name, addresses]: [string, unknown]) => {
      const listed =
        Array.isArray(addresses) &&
        addresses.length > 0 &&
        addresses.every((address) => typeof address === "string" && isIP(address) !== 0);
      if (!POOL_NAME.test(name) || !listed) throw problem;
      return [name, addresses as string[]];
    }),
  );
}

/**
 * Comma-separated addresses, each perhaps with a port: `9.9.9.9, 127.0.0.1:8053, [2620:fe::fe]:53`.
 */
function dnsServers(given: string): string[] {
  const servers = given
    .split(",")
    .map((server) => server.trim())
    .filter((server) => server !== "");
  for (const server of servers) {
    const [, bracketed, plain] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::\d{1,5})?$/.exec(server) ?? [];
    if (isIP(bracketed ?? plain ?? server) === 0)
      throw new SettingError(
        "EGRESS_DNS",
        "comma-separated IP addresses, each perhaps with `:port`",
      );
  }
  return servers;
}
