// Checks this gateway as receivers see it, at the start and then every hour: the addresses that
// mail leaves from, their names, SPF, and the certificate. If a resolver for block lists is set, it
// also checks block lists (docs/gateway-watch.md). Mail never waits for the checks.
import type { GatewaySettings } from "../config.ts";
import { log, stackOf } from "../gateway-log.ts";
import type { GatewayGauges } from "../gateway-metrics.ts";
import { checkHelo, checkPtr, checkSpf, unlessSilent } from "./address-checks.ts";
import { checkBlockLists } from "./block-list-checks.ts";
import { DAY_MS, HOUR_MS } from "../millisecond-units.ts";
import { findOwnAddresses, type OwnAddressSettings, type SystemSource } from "./own-addresses.ts";
import { type WatchDns, dnsOf, remembering } from "./watch-dns.ts";
import { selfCheck, WATCH_CHECKS, type SelfCheck, type WatchStatus } from "./self-check.ts";

type WatchSettings = OwnAddressSettings &
  Pick<GatewaySettings, "hostname" | "dnsServers" | "serviceDomain" | "blockListDns">;

interface WatchResult {
  /** Time of the last complete check, ISO 8601. Null: the first check is not complete yet. */
  readonly checked_at: string | null;
  readonly findings: readonly SelfCheck[];
}

interface Surroundings {
  /**
   * Time when the mail ports' certificate expires, Unix milliseconds. Null: no mail port is open.
   */
  readonly certificateExpiresAt: () => number | null;
  readonly dns?: WatchDns;
  readonly blockListDns?: WatchDns;
  readonly systemSource?: SystemSource;
}

const EVERY_MS = HOUR_MS;
/**
 * A certificate that expires within this number of days gives a warning. Certificates are usually
 * renewed a month before they expire, so with two weeks left, the renewal has probably failed.
 */
const CERTIFICATE_DAYS = 14;
/** Maximum number of addresses that are checked at the same time. */
const AT_ONCE = 8;

export class Watch {
  readonly #settings: WatchSettings;
  readonly #around: Surroundings;
  report: WatchResult = { checked_at: null, findings: [] };
  #timer: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(settings: WatchSettings, around: Surroundings) {
    this.#settings = settings;
    this.#around = around;
  }

  /** Runs all checks now and then every hour, until close(). Never rejects. */
  async start(): Promise<void> {
    try {
      const now = new Date();
      this.report = { findings: await this.#look(now), checked_at: now.toISOString() };
    } catch (error) {
      log("error", "watch_fault", { error: stackOf(error) });
    }
    if (this.#closed) return;
    this.#timer = setTimeout(() => void this.start(), EVERY_MS);
    this.#timer.unref();
  }

  close(): void {
    this.#closed = true;
    if (this.#timer) clearTimeout(this.#timer);
  }

  /**
   * Returns gauges: the number of results of each status. Before the first result, returns nothing.
   */
  gauges(): GatewayGauges {
    const { checked_at, findings } = this.report;
    if (checked_at === null) return {};
    const countOf = (status: WatchStatus) =>
      Object.fromEntries(
        WATCH_CHECKS.map((check) => [
          check,
          findings.filter((one) => one.check === check && one.status === status).length,
        ]),
      );
    return {
      postern_gateway_watch_failed: countOf("critical"),
      postern_gateway_watch_warnings: countOf("warning"),
      postern_gateway_watch_unknown: countOf("unknown"),
      postern_gateway_watch_timestamp_seconds: Date.parse(checked_at) / 1000,
    };
  }

  async #look(now: Date): Promise<SelfCheck[]> {
    const { dnsServers, blockListDns } = this.#settings;
    const { dns = dnsOf(dnsServers), blockListDns: listDns = dnsOf(blockListDns) } = this.#around;
    const { known, results } = await findOwnAddresses(this.#settings, this.#around.systemSource);
    const [each, lists] = await Promise.all([
      this.#checkAddresses(remembering(dns), known),
      blockListDns.length === 0 ? [] : checkBlockLists(listDns, known),
    ]);
    const expiresAt = this.#around.certificateExpiresAt();
    const certificate = expiresAt === null ? [] : [judgeCertificate(expiresAt, now.getTime())];
    return [...results, ...each, ...certificate, ...lists];
  }

  async #checkAddresses(dns: WatchDns, addresses: readonly string[]): Promise<SelfCheck[]> {
    const { hostname, serviceDomain } = this.#settings;
    if (addresses.length === 0) return [];
    const found: SelfCheck[] = serviceDomain === null ? [NO_SERVICE_DOMAIN] : [];
    for (let from = 0; from < addresses.length; from += AT_ONCE)
      found.push(
        ...(await Promise.all(
          addresses
            .slice(from, from + AT_ONCE)
            .flatMap((address) => [
              unlessSilent("ptr", address, () => checkPtr(dns, address)),
              unlessSilent("helo", address, () => checkHelo(dns, address, hostname)),
              ...(serviceDomain === null
                ? []
                : [unlessSilent("spf", address, () => checkSpf(dns, address, serviceDomain))]),
            ]),
        )),
      );
    return found;
  }
}

const NO_SERVICE_DOMAIN = selfCheck(
  "spf",
  "unknown",
  null,
  "SERVICE_DOMAIN is not set, so no SPF record can be checked",
  "set SERVICE_DOMAIN to the worker's value",
);

export function judgeCertificate(expiresAt: number, now: number): SelfCheck {
  const days = Math.floor((expiresAt - now) / DAY_MS);
  const day = new Date(expiresAt).toISOString().slice(0, 10);
  const renew = "renew the certificate, and check that it is renewed automatically";
  const found = (status: WatchStatus, message: string, advice: string | null = null) =>
    selfCheck("certificate", status, null, message, advice);
  if (expiresAt <= now)
    return found("critical", `the mail ports' certificate expired on ${day}`, renew);
  if (days < CERTIFICATE_DAYS)
    return found(
      "warning",
      `the mail ports' certificate expires in ${days} days, on ${day}`,
      renew,
    );
  return found("ok", `the mail ports' certificate is valid for ${days} days`);
}
