// Reads the operator's settings once from the environment (smtp-gateway/README.md §Settings). If a
// setting is missing or malformed, the gateway does not start, and prints one line that names the
// setting.
import { hostname as systemHostname } from "node:os";
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

export type GatewaySettings = Readonly<ReturnType<typeof readSettings>>;

/** Settings of the ports for incoming mail. */
export type IntakeSettings = Readonly<NonNullable<ReturnType<typeof readIntake>>>;

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
export function readSettings(environment: SettingsSource) {
  const token = readSecret(environment, "GATEWAY_TOKEN");
  if (token === "") throw new SettingError("GATEWAY_TOKEN", "is missing");
  return {
    token,
    ...readEgress(environment),
    ...readLimits(environment),
    timeouts: readTimeouts(environment),
    /** Null: no port for incoming mail is open. */
    intake: readIntake(environment),
  };
}

function readEgress(environment: SettingsSource) {
  return {
    /** The name in EHLO. A mail server that has the same name is the gateway itself. */
    hostname: readHostName(environment, "GATEWAY_HOSTNAME", systemHostname()),
    host: readText(environment, "EGRESS_HOST"),
    /** The port of the egress. 0 means any free port. */
    port: readInteger(environment, "EGRESS_PORT"),
    /** A second bearer token, valid only for /metrics. Null: /metrics accepts only `token`. */
    metricsToken: readSecret(environment, "GATEWAY_METRICS_TOKEN") || null,
    routes: readRoutes(environment),
    /** The port on which the gateway connects to the mail servers that DNS names. */
    smtpPort: readInteger(environment, "EGRESS_SMTP_PORT"),
    /** Source IP addresses by IP pool. The pool `default` is for messages that name no pool. */
    sources: readSources(environment),
    /** The public addresses that mail leaves from. Empty: the gateway finds them itself. */
    publicAddresses: readAddresses(environment, "EGRESS_ADDRESSES"),
    /** The service's domain. Null: the gateway checks no SPF record. */
    serviceDomain: readDomain(environment, "SERVICE_DOMAIN"),
    /**
     * DNS servers through which the gateway asks block lists about its addresses. If the list is
     * empty, the gateway asks no block list.
     */
    blockListDns: readDnsServers(environment, "EGRESS_BLOCK_LISTS_DNS"),
    stateDirectory: readText(environment, "EGRESS_STATE"),
    /** DNS servers for all other look-ups. Empty: the gateway asks the system's servers. */
    dnsServers: readDnsServers(environment, "EGRESS_DNS"),
    /** True: mail may go to servers at loopback and private addresses. */
    allowPrivate: readFlag(environment, "EGRESS_ALLOW_PRIVATE"),
    /** True: the MTA-STS policies of recipients' domains are looked up and obeyed (RFC 8461). */
    mtaSts: readFlag(environment, "EGRESS_MTA_STS"),
    logLevel: readLogLevel(environment),
  };
}

function readLimits(environment: SettingsSource) {
  return {
    connections: readInteger(environment, "EGRESS_CONNECTIONS"),
    /** Maximum number of connections from one IP pool to one destination. */
    connectionsPerHost: readInteger(environment, "EGRESS_CONNECTIONS_PER_HOST"),
    messagesPerConnection: readInteger(environment, "EGRESS_MESSAGES_PER_CONNECTION"),
    /** Maximum number of bytes of outgoing messages in memory. */
    bytesInFlight: readInteger(environment, "EGRESS_MEGABYTES_IN_FLIGHT") * MEGABYTE,
    /** Milliseconds after SIGTERM in which the gateway may still send final dots of messages. */
    drainMs: readInteger(environment, "EGRESS_DRAIN_SECONDS") * 1000,
    /** Milliseconds that the worker may pause inside a request's body. */
    stallMs: STALL_MS,
  };
}

function readIntake(environment: SettingsSource) {
  const submissionPorts = readPorts(environment, "SUBMISSION_PORTS");
  const returnPathPorts = readFlag(environment, "RETURN_PATH")
    ? readPorts(environment, "RETURN_PATH_PORTS")
    : [];
  if (submissionPorts.length + returnPathPorts.length === 0) return null;
  return {
    /** The worker's scheme, host and port. */
    workerOrigin: readOrigin(environment, "WORKER_URL"),
    /** The IP address that the ports listen on. Empty: they listen on all addresses. */
    host: readText(environment, "SUBMISSION_HOST"),
    submissionPorts,
    /** Ports that accept reports to return-paths. A port may also be in `submissionPorts`. */
    returnPathPorts,
    /** True: submission ports also accept bounces (from the null sender), but no other reports. */
    submissionBounces: readFlag(environment, "SUBMISSION_BOUNCES"),
    /** Path of the certificate's PEM file. `key` is the path of its key's PEM file. */
    certificate: readRequired(environment, "SUBMISSION_CERTIFICATE"),
    key: readRequired(environment, "SUBMISSION_KEY"),
    /** Milliseconds between two checks for changed certificate and key files. */
    certificateEveryMs: CERTIFICATE_EVERY_MS,
    /** The user name in AUTH. Clients give an API key as the password. */
    user: readUserName(environment, "SUBMISSION_USER"),
    connections: readInteger(environment, "SUBMISSION_CONNECTIONS"),
    connectionsPerAddress: readInteger(environment, "SUBMISSION_CONNECTIONS_PER_ADDRESS"),
    /**
     * Number of connections per minute that one IP address may open. Connections that authenticate
     * or name a genuine return-path do not count. `connectionsPerAddress` limits how many may be
     * open at once.
     */
    attemptsPerMinute: readInteger(environment, "SUBMISSION_ATTEMPTS_PER_MINUTE"),
    /** Milliseconds that an authenticated client may be silent. */
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
