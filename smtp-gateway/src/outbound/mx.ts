// Looks up the mail servers of a recipient's domain, in the order in which they are tried (RFC 5321
// §5.1, RFC 7505 null MX). A server that is this gateway itself, or that has no public IP address,
// is left out. Answers are cached for at most five minutes.
import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import type { GatewaySettings } from "../config.ts";
import type { ServerAddresses } from "../destinations/destination-name.ts";
import { failure, type FailureOutcome } from "../outcome.ts";
import { LookupShares } from "./lookup-shares.ts";
import { isPublicAddress } from "./public-address.ts";

/**
 * The methods of node:dns Resolver that the gateway uses. Errors have the codes of node:dns
 * (ENOTFOUND, ENODATA, ETIMEOUT, …).
 */
export interface DnsResolver {
  resolveMx(name: string): Promise<{ exchange: string; priority: number }[]>;
  resolve4(name: string): Promise<string[]>;
  resolve6(name: string): Promise<string[]>;
  resolveTxt(name: string): Promise<string[][]>;
}

interface RankedServer extends Pick<ServerAddresses, "host" | "addresses"> {
  readonly priority: number;
}

type MailServers =
  | { readonly servers: readonly RankedServer[] }
  | { readonly none: FailureOutcome };

interface MxOptions extends Pick<GatewaySettings, "hostname" | "allowPrivate"> {
  readonly now?: () => number;
  readonly random?: () => number;
}

const HOSTS_MAX = 5;
const ADDRESSES_PER_HOST_MAX = 4;
const CACHE_ENTRIES_MAX = 10_000;
const FOUND_TTL_MS = 300_000;
const NONE_TTL_MS = 60_000;
const LOOKUP_TIMEOUT_MS = 20_000;

export class MxResolver {
  readonly #dns: DnsResolver;
  readonly #options: MxOptions;
  readonly #now: () => number;
  readonly #shares = new LookupShares();
  readonly #cache = new Map<string, { lookup: Promise<MailServers>; until: number }>();

  constructor(dns: DnsResolver, options: MxOptions) {
    this.#dns = dns;
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /**
   * Returns the mail servers of `domain` by preference, or the failure to report. Servers of equal
   * preference come in random order. `holder`: the priority and team for which the look-up counts,
   * because the number of parallel look-ups is limited for each. Never throws.
   */
  async serversOf(domain: string, holder = ""): Promise<MailServers> {
    const name = domainToASCII(domain).replace(/\.$/, "");
    if (name === "" || isIP(name) !== 0)
      return { none: failure("no_mail_server", "the recipient's domain is not a domain name") };
    const lookup = await this.#lookUpCached(name, holder);
    if ("none" in lookup) return lookup;
    const random = this.#options.random ?? Math.random;
    const shuffled = lookup.servers.map((server) => ({ server, tie: random() }));
    shuffled.sort((a, b) => a.server.priority - b.server.priority || a.tie - b.tie);
    return { servers: shuffled.map(({ server }) => server) };
  }

  /**
   * Drops the domain's cached answer. Called when no server could be reached, because the servers
   * may have moved.
   */
  forget(domain: string): void {
    this.#cache.delete(domainToASCII(domain).replace(/\.$/, ""));
  }

  #lookUpCached(name: string, holder: string): Promise<MailServers> {
    const known = this.#cache.get(name);
    if (known && known.until > this.#now()) return known.lookup;
    const lookup = this.#shares.run(holder, () => this.#lookUp(name));
    const entry = { lookup, until: Number.POSITIVE_INFINITY };
    this.#cache.delete(name);
    if (this.#cache.size >= CACHE_ENTRIES_MAX) this.#cache.delete(this.#cache.keys().next().value!);
    this.#cache.set(name, entry);
    void this.#keep(name, entry);
    return entry.lookup;
  }

  async #keep(name: string, entry: { lookup: Promise<MailServers>; until: number }): Promise<void> {
    const lookup = await entry.lookup;
    if ("servers" in lookup) entry.until = this.#now() + FOUND_TTL_MS;
    else if (lookup.none.cause !== "dns") entry.until = this.#now() + NONE_TTL_MS;
    else if (this.#cache.get(name) === entry) this.#cache.delete(name);
  }

  async #lookUp(name: string): Promise<MailServers> {
    const { promise: late, resolve } = Promise.withResolvers<MailServers>();
    const timer = setTimeout(
      () => resolve({ none: failure("dns", "the look-up took too long") }),
      LOOKUP_TIMEOUT_MS,
    );
    try {
      return await Promise.race([this.#mxOf(name), late]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #mxOf(name: string): Promise<MailServers> {
    const answer = await queryDns(() => this.#dns.resolveMx(name));
    if ("failed" in answer) return { none: failure("dns", `MX look-up: ${answer.failed}`) };
    if (answer.absent === "name")
      return { none: failure("no_mail_server", "the domain does not exist") };
    if (answer.records.length === 0) return this.#addressesOf([{ exchange: name, priority: 0 }]);
    const named = answer.records.map(({ exchange, priority }) => ({
      exchange: exchange.toLowerCase().replace(/\.$/, ""),
      priority,
    }));
    const usable = named.filter(({ exchange }) => exchange !== "");
    if (usable.length === 0)
      return { none: failure("null_mx", "the domain accepts no mail (null MX)") };
    const own = usable.filter(({ exchange }) => exchange === this.#options.hostname.toLowerCase());
    const limit = Math.min(...own.map(({ priority }) => priority));
    const ahead = usable.filter(({ priority }) => priority < limit);
    if (ahead.length === 0)
      return { none: failure("no_mail_server", "mail for the domain loops back to this gateway") };
    ahead.sort((a, b) => a.priority - b.priority);
    return this.#addressesOf(ahead.slice(0, HOSTS_MAX));
  }

  async #addressesOf(
    hosts: readonly { exchange: string; priority: number }[],
  ): Promise<MailServers> {
    const looked = await Promise.all(
      hosts.map(async ({ exchange: host, priority }) => ({
        host,
        priority,
        ...(await this.#hostAddresses(host)),
      })),
    );
    const servers = looked.filter(({ addresses }) => addresses.length > 0);
    if (servers.length > 0) return { servers };
    const failed = looked.find((host) => host.failed !== null)?.failed;
    if (failed) return { none: failure("dns", `address look-up: ${failed}`) };
    return { none: failure("no_mail_server", "the domain's mail servers have no usable address") };
  }

  async #hostAddresses(host: string): Promise<{ addresses: string[]; failed: string | null }> {
    // RFC 5321 forbids an IP address in an MX record. Such records are common, so they are
    // accepted.
    // IPv4 comes before IPv6, because receivers distrust unknown IPv6 senders more.
    const answers = isIP(host)
      ? [{ records: [host], absent: null }]
      : await Promise.all([
          queryDns(() => this.#dns.resolve4(host)),
          queryDns(() => this.#dns.resolve6(host)),
        ]);
    const { allowPrivate } = this.#options;
    const addresses = answers.flatMap((answer) =>
      "failed" in answer
        ? []
        : answer.records
            .filter((address) => allowPrivate || isPublicAddress(address))
            .slice(0, ADDRESSES_PER_HOST_MAX),
    );
    const failures = answers.flatMap((answer) => ("failed" in answer ? answer.failed : []));
    return { addresses, failed: failures.at(-1) ?? null };
  }
}

type Answer<T> =
  | { readonly records: readonly T[]; readonly absent: "name" | "records" | null }
  | { readonly failed: string };

/**
 * Asks DNS. The resolver's error code tells whether the name has no such record, or the look-up
 * failed.
 */
export async function queryDns<T>(query: () => Promise<T[]>): Promise<Answer<T>> {
  try {
    return { records: await query(), absent: null };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown";
    if (code === "ENOTFOUND") return { records: [], absent: "name" };
    if (code === "ENODATA" || code === "EBADNAME") return { records: [], absent: "records" };
    return { failed: code };
  }
}
