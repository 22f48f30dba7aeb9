// Starts the gateway (the egress and the ports for incoming mail), and stops it within a bounded
// time.
import { Resolver } from "node:dns/promises";
import { Attempts, type DeliverMail } from "./outbound/attempts.ts";
import type { GatewaySettings } from "./config.ts";
import { countDnsLookups } from "./outbound/counted-dns.ts";
import { deliver, targetsBy } from "./outbound/delivery.ts";
import { Egress } from "./outbound/egress.ts";
import { Health } from "./gateway-health.ts";
import { Journal } from "./journal/journal.ts";
import { type Disk, NODE_DISK } from "./journal/journal-disk.ts";
import { log, setLogLevel } from "./gateway-log.ts";
import { type MailPorts, openMailPorts } from "./inbound/mail-ports.ts";
import type { CheckSender } from "./inbound/reply-addresses.ts";
import { GatewayMetrics } from "./gateway-metrics.ts";
import { MtaSts, createPolicyFetcher } from "./outbound/mta-sts.ts";
import { type DnsResolver, MxResolver } from "./outbound/mx.ts";
import { MailConnections } from "./outbound/mail-connections.ts";
import { Watch } from "./watch/watch.ts";

const DNS_TIMEOUT_MS = 4_000;
/**
 * Number of times that c-ares asks a resolver. After the first question, c-ares waits about a
 * second if the resolver is usually fast, and it waits longer after each further question (c-ares,
 * `ares_metrics.c`). Six questions take about 13 s, which a slow domain may need.
 */
const DNS_TRIES = 6;
/** Milliseconds in which a stopping gateway answers the requests after the last outcome. */
const LAST_OUTCOMES_MS = 3_000;

interface Gateway {
  readonly port: number;
  /** The ports for incoming mail: the submission ports first, then those only for reports. */
  readonly mailPorts: readonly number[];
  /**
   * Stops the gateway. The gateway accepts no new mail, returns to the worker each message whose
   * sending has not begun, and waits for deliveries and sessions. After `drainMs`, it waits only
   * for messages whose final dot has gone out.
   */
  readonly drain: () => Promise<void>;
}

/** Starts the gateway. Rejects if a journal, a port or a certificate can't be opened. */
export async function startGateway(
  settings: GatewaySettings,
  dns: DnsResolver = systemDns(settings.dnsServers),
  disk: Disk = NODE_DISK,
  checkSender: CheckSender | null = null,
): Promise<Gateway> {
  setLogLevel(settings.logLevel);
  const metrics = new GatewayMetrics();
  const journal = new Journal(settings.stateDirectory, undefined, disk);
  const connections = new MailConnections(settings, metrics);
  const attempts = new Attempts(
    journal,
    createDelivery(settings, connections, countDnsLookups(dns, metrics)),
    metrics,
  );
  const mail =
    settings.intake &&
    (await openMailPorts(settings.intake, settings.token, settings.hostname, metrics, checkSender));
  const health = new Health({ isDraining: () => egress.isDraining, journal, mail });
  const watch = new Watch(settings, {
    certificateExpiresAt: () => mail?.certificateExpiresAt() ?? null,
  });
  const egress: Egress = new Egress(settings, { attempts, health, metrics, watch, connections });
  const port = await listen(egress, mail);
  metrics.readFrom(() => ({
    postern_gateway_in_flight_bytes: {
      out: egress.bytesInFlight,
      ...(mail && { in: mail.bytesInFlight() }),
    },
    postern_gateway_draining: Number(egress.isDraining),
    process_start_time_seconds: Math.round(performance.timeOrigin / 1000),
    process_resident_memory_bytes: process.memoryUsage.rss(),
  }));
  metrics.readFrom(() => watch.gauges());
  void watch.start();
  const mailPorts = mail?.ports ?? [];
  log("info", "started", { host: settings.host, port, mail_ports: mailPorts.join(" ") });

  const drain = async (): Promise<void> => {
    log("info", "draining");
    const { drainMs, timeouts } = settings;
    const cut = setTimeout(() => connections.cutOff(), drainMs);
    const { promise: late, resolve } = Promise.withResolvers<"late">();
    const last = setTimeout(() => resolve("late"), drainMs + timeouts.final + LAST_OUTCOMES_MS);
    egress.drain();
    watch.close();
    connections.close();
    attempts.drain();
    const drainedPorts = mail?.drain(drainMs);
    const settled = await Promise.race([attempts.waitUntilIdle(), late]);
    await egress.close(AbortSignal.timeout(LAST_OUTCOMES_MS));
    await connections.closed();
    await drainedPorts;
    clearTimeout(cut);
    clearTimeout(last);
    if (settled !== "late") journal.close();
    log("info", "stopped");
  };
  let drained: Promise<void> | null = null;
  return { port, mailPorts, drain: () => (drained ??= drain()) };
}

/**
 * Builds the function that delivers one message. The function finds mail servers by the operator's
 * routes, or else by DNS and MTA-STS.
 */
function createDelivery(
  settings: GatewaySettings,
  connections: MailConnections,
  dns: DnsResolver,
): DeliverMail {
  const mx = new MxResolver(dns, settings);
  const sts = settings.mtaSts
    ? new MtaSts(dns, createPolicyFetcher(dns, settings.allowPrivate))
    : null;
  const targets = targetsBy(settings.routes, mx, sts, settings.smtpPort);
  const using = { connections, targets, unreachable: (domain: string) => mx.forget(domain) };
  return (attempt) => deliver(using, attempt);
}

/** Opens the egress's port. If another process has the port, closes the mail ports again. */
async function listen(egress: Egress, mail: MailPorts | null): Promise<number> {
  try {
    return await egress.listen();
  } catch (error) {
    await mail?.drain(0);
    throw error;
  }
}

function systemDns(servers: readonly string[]): DnsResolver {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES });
  if (servers.length > 0) resolver.setServers(servers);
  return resolver;
}
