// Puts the gateway together and takes it apart again: the egress, and the ports on which mail comes
// in; start, drain in bounded time.
import { Resolver } from "node:dns/promises";
import { Attempts, type Carry } from "./outbound/attempts.ts";
import type { GatewaySettings } from "./config.ts";
import { countedDns } from "./outbound/counted-dns.ts";
import { deliver, targetsBy } from "./outbound/delivery.ts";
import { Egress } from "./outbound/egress.ts";
import { Health } from "./gateway-health.ts";
import { Journal } from "./journal/journal.ts";
import { type Disk, NODE_DISK } from "./journal/journal-disk.ts";
import { log, logFrom } from "./gateway-log.ts";
import { type MailPorts, openMailPorts } from "./inbound/mail-ports.ts";
import { GatewayMetrics } from "./gateway-metrics.ts";
import { MtaSts, policyFetcher } from "./outbound/mta-sts.ts";
import { type DnsDoor, MxResolver } from "./outbound/mx.ts";
import { Pool } from "./outbound/pool.ts";

const DNS_TIMEOUT_MS = 4_000;
const DNS_TRIES = 2;
/** What is left after the deadline is given this long to report and to close. */
const LAST_MS = 3_000;

export interface Gateway {
  readonly port: number;
  /**
   * On which mail comes in: first those for submission, in the settings' order, then those for
   * return-paths alone.
   */
  readonly mailPorts: readonly number[];
  /**
   * Stops taking mail, ends what is under way, closes every connection. Resolves, at the latest
   * soon after `drainMs`.
   */
  readonly drain: () => Promise<void>;
}

/** Rejects with what opening the journal, a port or the certificate says. */
export async function startGateway(
  settings: GatewaySettings,
  dns: DnsDoor = systemDns(settings.dnsServers),
  disk: Disk = NODE_DISK,
): Promise<Gateway> {
  logFrom(settings.logLevel);
  const metrics = new GatewayMetrics();
  const journal = new Journal(settings.stateDirectory, undefined, disk);
  const pool = new Pool(settings, metrics);
  const attempts = new Attempts(
    journal,
    carrier(settings, pool, countedDns(dns, metrics)),
    metrics,
  );
  const mail =
    settings.intake &&
    (await openMailPorts(settings.intake, settings.token, settings.hostname, metrics));
  const health = new Health({ isDraining: () => egress.isDraining, journal, mail });
  const egress: Egress = new Egress(settings, { attempts, health, metrics });
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
  const mailPorts = mail?.ports ?? [];
  log("info", "started", { host: settings.host, port, mail_ports: mailPorts.join(" ") });

  const drain = async (): Promise<void> => {
    log("info", "draining");
    const forced = new AbortController();
    const deadline = setTimeout(() => pool.abort(), settings.drainMs);
    const last = setTimeout(() => forced.abort(), settings.drainMs + LAST_MS);
    egress.drain();
    pool.close();
    const drainedPorts = mail?.drain(settings.drainMs);
    const { promise: late, resolve } = Promise.withResolvers<"late">();
    forced.signal.addEventListener("abort", () => resolve("late"));
    const settled = await Promise.race([attempts.settled(), late]);
    await egress.close(forced.signal);
    await pool.closed();
    await drainedPorts;
    clearTimeout(deadline);
    clearTimeout(last);
    if (settled !== "late") journal.close();
    log("info", "stopped");
  };
  let drained: Promise<void> | null = null;
  return { port, mailPorts, drain: () => (drained ??= drain()) };
}

/** How one message gets out: by the operator's routes, by DNS and its policies, over the pool. */
function carrier(settings: GatewaySettings, pool: Pool, dns: DnsDoor): Carry {
  const mx = new MxResolver(dns, settings);
  const sts = settings.mtaSts ? new MtaSts(dns, policyFetcher(dns, settings.allowPrivate)) : null;
  const targets = targetsBy(settings.routes, mx, sts, settings.smtpPort);
  const doors = { pool, targets, unreachable: (domain: string) => mx.forget(domain) };
  return (mail, onDot) => deliver(doors, mail, onDot);
}

/** A port that is taken must not leave others open behind it. */
async function listen(egress: Egress, mail: MailPorts | null): Promise<number> {
  try {
    return await egress.listen();
  } catch (error) {
    await mail?.drain(0);
    throw error;
  }
}

function systemDns(servers: readonly string[]): DnsDoor {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES });
  if (servers.length > 0) resolver.setServers(servers);
  return resolver;
}
