// Reads the operator's settings once from the environment (smtp-gateway/README.md §Settings). A
// setting that is missing or malformed stops the start with one line that names it.
import { hostname as systemHostname } from "node:os";
import type { GatewayLogLevel } from "./gateway-log.ts";
import {
  type SettingsSource,
  parseDnsServers,
  parseAddresses,
  parseLogLevel,
  parsePools,
  parseRoutes,
  readDomain,
  readFlag,
  readHostName,
  readInteger,
  readOrigin,
  readPorts,
  readRequired,
  readSecret,
  readText,
  readUserName,
  type Route,
  SettingError,
} from "./setting-readers.ts";
import type { SmtpTimeouts } from "./smtp/smtp-connection.ts";

/** Limits of a delivery's steps, in milliseconds. */
export interface Timeouts extends SmtpTimeouts {
  /** The time that a connection stays open without a message. */
  readonly idle: number;
  /** The time that a message waits for a connection before it is given back to the worker. */
  readonly wait: number;
}

export interface GatewaySettings {
  readonly host: string;
  readonly port: number;
  readonly token: string;
  /** A second token, valid only for /metrics; null: only `token` is valid. */
  readonly metricsToken: string | null;
  /** The name in EHLO. A mail server with this name would be the gateway itself. */
  readonly hostname: string;
  readonly routes: readonly Route[];
  /** Port of the mail servers that DNS names. */
  readonly smtpPort: number;
  /** Source addresses by IP pool. */
  readonly sources: ReadonlyMap<string, readonly string[]>;
  /** The public addresses that mail leaves from; empty: the gateway finds them out. */
  readonly publicAddresses: readonly string[];
  /** The service's domain; null: no SPF record is checked. */
  readonly serviceDomain: string | null;
  /** DNS servers that ask block lists about the gateway's addresses; empty: no list is asked. */
  readonly blockListDns: readonly string[];
  readonly stateDirectory: string;
  /** Empty: the system's DNS servers. */
  readonly dnsServers: readonly string[];
  /** True: mail servers at loopback and private addresses are used. */
  readonly allowPrivate: boolean;
  /** True: the MTA-STS policies of recipients' domains are looked up and obeyed (RFC 8461). */
  readonly mtaSts: boolean;
  readonly logLevel: GatewayLogLevel;
  readonly connections: number;
  /** Connections to one destination from one IP pool. */
  readonly connectionsPerHost: number;
  readonly messagesPerConnection: number;
  readonly bytesInFlight: number;
  /** Milliseconds from SIGTERM until messages before their final dot are cut off. */
  readonly drainMs: number;
  /** Milliseconds that the worker may pause inside a request's body. */
  readonly stallMs: number;
  readonly timeouts: Timeouts;
  /** Null: no port for incoming mail is open. */
  readonly intake: IntakeSettings | null;
}

/** Settings for mail that comes in. */
export interface IntakeSettings {
  /** The worker's scheme, host and port. */
  readonly workerOrigin: string;
  /** Address to listen on; empty: all. */
  readonly host: string;
  readonly submissionPorts: readonly number[];
  /** Ports that take reports to return-paths. A port may be in both lists. */
  readonly returnPathPorts: readonly number[];
  /** True: submission ports take bounces too, but only from the null sender. */
  readonly submissionBounces: boolean;
  /** Path of a PEM file, as is `key`. */
  readonly certificate: string;
  readonly key: string;
  /** Milliseconds between two checks of these files. */
  readonly certificateEveryMs: number;
  /** The user name in AUTH. The password is an API key. */
  readonly user: string;
  readonly connections: number;
  readonly connectionsPerAddress: number;
  /** Connections per minute that one address may open without AUTH or a genuine return-path. */
  readonly attemptsPerMinute: number;
  /** Milliseconds that an authenticated client may be silent. */
  readonly idleMs: number;
  readonly bytesInFlight: number;
}

const MEGABYTE = 1024 * 1024;
/**
 * Shorter than RFC 5321 §4.5.3.2 asks, so that a message soon reaches the next server. Only the
 * wait for the reply to the final dot is as long as there: without that reply, the message is sent
 * again.
 */
const TIMEOUTS: Timeouts = {
  connect: 30_000,
  greeting: 60_000,
  command: 60_000,
  data: 60_000,
  block: 120_000,
  final: 600_000,
  idle: 5_000,
  wait: 120_000,
  quit: 2_000,
};

/** Throws SettingError for the first setting that is missing or malformed. */
export function readSettings(environment: SettingsSource): GatewaySettings {
  const token = readSecret(environment, "GATEWAY_TOKEN");
  if (token === "") throw new SettingError("GATEWAY_TOKEN", "is missing");
  const hostname = readHostName(environment, "GATEWAY_HOSTNAME", systemHostname());
  return {
    host: readText(environment, "EGRESS_HOST", "127.0.0.1"),
    port: readInteger(environment, "EGRESS_PORT", 2580, 0, 65_535),
    token,
    metricsToken: readSecret(environment, "GATEWAY_METRICS_TOKEN") || null,
    hostname,
    routes: parseRoutes(readText(environment, "EGRESS_ROUTES", "")),
    smtpPort: readInteger(environment, "EGRESS_SMTP_PORT", 25, 1, 65_535),
    sources: parsePools(readText(environment, "EGRESS_POOLS", "{}")),
    publicAddresses: parseAddresses(
      "EGRESS_ADDRESSES",
      readText(environment, "EGRESS_ADDRESSES", ""),
    ),
    serviceDomain: readDomain(environment, "SERVICE_DOMAIN"),
    blockListDns: parseDnsServers(
      "EGRESS_BLOCK_LISTS_DNS",
      readText(environment, "EGRESS_BLOCK_LISTS_DNS", ""),
    ),
    stateDirectory: readText(environment, "EGRESS_STATE", "egress-state"),
    dnsServers: parseDnsServers("EGRESS_DNS", readText(environment, "EGRESS_DNS", "")),
    allowPrivate: readFlag(environment, "EGRESS_ALLOW_PRIVATE", false),
    mtaSts: readFlag(environment, "EGRESS_MTA_STS", true),
    logLevel: parseLogLevel(readText(environment, "EGRESS_LOG", "info")),
    connections: readInteger(environment, "EGRESS_CONNECTIONS", 500, 1, 50_000),
    connectionsPerHost: readInteger(environment, "EGRESS_CONNECTIONS_PER_HOST", 10, 1, 1000),
    messagesPerConnection: readInteger(
      environment,
      "EGRESS_MESSAGES_PER_CONNECTION",
      100,
      1,
      100_000,
    ),
    bytesInFlight:
      readInteger(environment, "EGRESS_MEGABYTES_IN_FLIGHT", 256, 64, 65_536) * MEGABYTE,
    drainMs: readInteger(environment, "EGRESS_DRAIN_SECONDS", 25, 0, 3600) * 1000,
    stallMs: readInteger(environment, "EGRESS_STALL_SECONDS", 60, 1, 3600) * 1000,
    timeouts: readTimeouts(environment),
    intake: readIntake(environment),
  };
}

function readIntake(environment: SettingsSource): IntakeSettings | null {
  const submissionPorts = readPorts(environment, "SUBMISSION_PORTS", "");
  const returnPathPorts = readFlag(environment, "RETURN_PATH", false)
    ? readPorts(environment, "RETURN_PATH_PORTS", "25")
    : [];
  if (submissionPorts.length + returnPathPorts.length === 0) return null;
  return {
    workerOrigin: readOrigin(environment, "WORKER_URL"),
    host: readText(environment, "SUBMISSION_HOST", ""),
    submissionPorts,
    returnPathPorts,
    submissionBounces: readFlag(environment, "SUBMISSION_BOUNCES", false),
    certificate: readRequired(environment, "SUBMISSION_CERTIFICATE"),
    key: readRequired(environment, "SUBMISSION_KEY"),
    certificateEveryMs:
      readInteger(environment, "SUBMISSION_CERTIFICATE_SECONDS", 10, 1, 86_400) * 1000,
    user: readUserName(environment, "SUBMISSION_USER", "service"),
    connections: readInteger(environment, "SUBMISSION_CONNECTIONS", 1000, 1, 50_000),
    connectionsPerAddress: readInteger(
      environment,
      "SUBMISSION_CONNECTIONS_PER_ADDRESS",
      100,
      1,
      50_000,
    ),
    attemptsPerMinute: readInteger(
      environment,
      "SUBMISSION_ATTEMPTS_PER_MINUTE",
      600,
      1,
      1_000_000,
    ),
    idleMs: readInteger(environment, "SUBMISSION_IDLE_SECONDS", 300, 1, 3600) * 1000,
    bytesInFlight:
      readInteger(environment, "SUBMISSION_MEGABYTES_IN_FLIGHT", 256, 16, 65_536) * MEGABYTE,
  };
}

function readTimeouts(environment: SettingsSource): Timeouts {
  const seconds = (name: string, standard: number): number =>
    readInteger(environment, name, standard / 1000, 1, 3600) * 1000;
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
