// Reads the operator's settings once from the environment (smtp-gateway/README.md §Settings). If a
// setting is missing or malformed, the gateway does not start, and prints one line that names the
// setting.
import { hostname as systemHostname } from "node:os";
import type { GatewayLogLevel } from "./gateway-log.ts";
import {
  type SettingsSource,
  readAddresses,
  readDnsServers,
  readDomain,
  readFlag,
  readHostName,
  readInteger,
  readSources,
  readLogLevel,
  readOrigin,
  readPorts,
  readRequired,
  readRoutes,
  readSecret,
  readText,
  readUserName,
  type Route,
  SettingError,
} from "./setting-readers.ts";
import type { SmtpTimeouts } from "./smtp/smtp-connection.ts";

/** The longest time for each step of a delivery, in milliseconds. */
export interface Timeouts extends SmtpTimeouts {
  /** Milliseconds that an idle connection stays open. */
  readonly idle: number;
  /**
   * Milliseconds that a message waits for a connection before the gateway returns it to the worker.
   */
  readonly wait: number;
}

export interface GatewaySettings {
  readonly host: string;
  /** The port of the egress. 0 means any free port. */
  readonly port: number;
  readonly token: string;
  /**
   * A second bearer token, valid only for /metrics. If it is null, /metrics accepts only `token`.
   */
  readonly metricsToken: string | null;
  /** The name in EHLO. A mail server that has the same name is the gateway itself. */
  readonly hostname: string;
  readonly routes: readonly Route[];
  /** The port on which the gateway connects to the mail servers that DNS names. */
  readonly smtpPort: number;
  /** Source IP addresses by IP pool. The pool `default` is for messages that name no pool. */
  readonly sources: ReadonlyMap<string, readonly string[]>;
  /**
   * The public addresses that mail leaves from. If the list is empty, the gateway finds its
   * addresses itself.
   */
  readonly publicAddresses: readonly string[];
  /** The service's domain. Null: the gateway checks no SPF record. */
  readonly serviceDomain: string | null;
  /**
   * DNS servers through which the gateway asks block lists about its addresses. If the list is
   * empty, the gateway asks no block list.
   */
  readonly blockListDns: readonly string[];
  readonly stateDirectory: string;
  /**
   * DNS servers for all look-ups except those in block lists. If the list is empty, the gateway
   * asks the system's servers.
   */
  readonly dnsServers: readonly string[];
  /** True: mail may go to servers at loopback and private addresses. */
  readonly allowPrivate: boolean;
  /** True: the MTA-STS policies of recipients' domains are looked up and obeyed (RFC 8461). */
  readonly mtaSts: boolean;
  readonly logLevel: GatewayLogLevel;
  readonly connections: number;
  /** Maximum number of connections from one IP pool to one destination. */
  readonly connectionsPerHost: number;
  readonly messagesPerConnection: number;
  /** Maximum number of bytes of outgoing messages in memory. */
  readonly bytesInFlight: number;
  /** Milliseconds after SIGTERM in which the gateway may still send final dots of messages. */
  readonly drainMs: number;
  /** Milliseconds that the worker may pause inside a request's body. */
  readonly stallMs: number;
  readonly timeouts: Timeouts;
  /** Settings of the ports for incoming mail. Null: no such port is open. */
  readonly intake: IntakeSettings | null;
}

/** Settings of the ports for incoming mail. */
export interface IntakeSettings {
  /** The worker's scheme, host and port. */
  readonly workerOrigin: string;
  /** The IP address that the ports listen on. If it is empty, they listen on all addresses. */
  readonly host: string;
  readonly submissionPorts: readonly number[];
  /**
   * Ports that accept reports to return-paths. One port may be in this list and in
   * `submissionPorts`.
   */
  readonly returnPathPorts: readonly number[];
  /** True: submission ports also accept bounces (from the null sender), but no other reports. */
  readonly submissionBounces: boolean;
  /** Path of the certificate's PEM file. `key` is the path of its key's PEM file. */
  readonly certificate: string;
  readonly key: string;
  /** Milliseconds between two checks for changed certificate and key files. */
  readonly certificateEveryMs: number;
  /** The user name in AUTH. Clients give an API key as the password. */
  readonly user: string;
  readonly connections: number;
  readonly connectionsPerAddress: number;
  /**
   * Number of connections per minute that one IP address may open. Connections that authenticate or
   * name a genuine return-path do not count. `connectionsPerAddress` limits how many may be open at
   * once.
   */
  readonly attemptsPerMinute: number;
  /** Milliseconds that an authenticated client may be silent. */
  readonly idleMs: number;
  readonly bytesInFlight: number;
}

const MEGABYTE = 1024 * 1024;
const STALL_MS = 60_000;
const CERTIFICATE_EVERY_MS = 10_000;
/**
 * Most of these times are shorter than RFC 5321 §4.5.3.2 requires, so that the gateway soon tries
 * the domain's next server. The default of EGRESS_FINAL_SECONDS is as long as the RFC requires: if
 * the gateway stops waiting earlier, the recipient may get the message twice.
 */
const TIMEOUTS: Omit<Timeouts, "greeting" | "final"> = {
  connect: 30_000,
  command: 60_000,
  data: 60_000,
  block: 120_000,
  idle: 5_000,
  wait: 120_000,
  quit: 2_000,
};

/** Returns the settings. Throws SettingError for the first setting that is missing or malformed. */
export function readSettings(environment: SettingsSource): GatewaySettings {
  const token = readSecret(environment, "GATEWAY_TOKEN");
  if (token === "") throw new SettingError("GATEWAY_TOKEN", "is missing");
  const hostname = readHostName(environment, "GATEWAY_HOSTNAME", systemHostname());
  return {
    host: readText(environment, "EGRESS_HOST"),
    port: readInteger(environment, "EGRESS_PORT"),
    token,
    metricsToken: readSecret(environment, "GATEWAY_METRICS_TOKEN") || null,
    hostname,
    routes: readRoutes(environment),
    smtpPort: readInteger(environment, "EGRESS_SMTP_PORT"),
    sources: readSources(environment),
    publicAddresses: readAddresses(environment, "EGRESS_ADDRESSES"),
    serviceDomain: readDomain(environment, "SERVICE_DOMAIN"),
    blockListDns: readDnsServers(environment, "EGRESS_BLOCK_LISTS_DNS"),
    stateDirectory: readText(environment, "EGRESS_STATE"),
    dnsServers: readDnsServers(environment, "EGRESS_DNS"),
    allowPrivate: readFlag(environment, "EGRESS_ALLOW_PRIVATE"),
    mtaSts: readFlag(environment, "EGRESS_MTA_STS"),
    logLevel: readLogLevel(environment),
    connections: readInteger(environment, "EGRESS_CONNECTIONS"),
    connectionsPerHost: readInteger(environment, "EGRESS_CONNECTIONS_PER_HOST"),
    messagesPerConnection: readInteger(environment, "EGRESS_MESSAGES_PER_CONNECTION"),
    bytesInFlight: readInteger(environment, "EGRESS_MEGABYTES_IN_FLIGHT") * MEGABYTE,
    drainMs: readInteger(environment, "EGRESS_DRAIN_SECONDS") * 1000,
    stallMs: STALL_MS,
    timeouts: readTimeouts(environment),
    intake: readIntake(environment),
  };
}

function readIntake(environment: SettingsSource): IntakeSettings | null {
  const submissionPorts = readPorts(environment, "SUBMISSION_PORTS");
  const returnPathPorts = readFlag(environment, "RETURN_PATH")
    ? readPorts(environment, "RETURN_PATH_PORTS")
    : [];
  if (submissionPorts.length + returnPathPorts.length === 0) return null;
  return {
    workerOrigin: readOrigin(environment, "WORKER_URL"),
    host: readText(environment, "SUBMISSION_HOST"),
    submissionPorts,
    returnPathPorts,
    submissionBounces: readFlag(environment, "SUBMISSION_BOUNCES"),
    certificate: readRequired(environment, "SUBMISSION_CERTIFICATE"),
    key: readRequired(environment, "SUBMISSION_KEY"),
    certificateEveryMs: CERTIFICATE_EVERY_MS,
    user: readUserName(environment, "SUBMISSION_USER"),
    connections: readInteger(environment, "SUBMISSION_CONNECTIONS"),
    connectionsPerAddress: readInteger(environment, "SUBMISSION_CONNECTIONS_PER_ADDRESS"),
    attemptsPerMinute: readInteger(environment, "SUBMISSION_ATTEMPTS_PER_MINUTE"),
    idleMs: readInteger(environment, "SUBMISSION_IDLE_SECONDS") * 1000,
    bytesInFlight: readInteger(environment, "SUBMISSION_MEGABYTES_IN_FLIGHT") * MEGABYTE,
  };
}

function readTimeouts(environment: SettingsSource): Timeouts {
  const speedup = readInteger(environment, "EGRESS_SPEEDUP");
  return {
    ...TIMEOUTS,
    greeting: readInteger(environment, "EGRESS_GREETING_SECONDS") * 1000,
    command: TIMEOUTS.command / speedup,
    data: TIMEOUTS.data / speedup,
    final: readInteger(environment, "EGRESS_FINAL_SECONDS") * 1000,
    wait: TIMEOUTS.wait / speedup,
  };
}
