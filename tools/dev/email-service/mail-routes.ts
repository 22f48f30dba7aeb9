// Finds the mail servers of a recipient's domain. They are either one inbox for all mail, or the
// servers that the local DNS names (RFC 5321 §5.1, RFC 7505), always at the inbox's port.
import { Resolver } from "node:dns/promises";
import { domainToASCII } from "node:url";

const LOOKUP_TIMEOUT_MS = 5_000;

/** `dns`: host and port of the DNS server, or null if all mail goes to `host`. */
export interface MailRoute {
  readonly host: string;
  readonly port: number;
  readonly dns: string | null;
}

interface RouteTarget {
  /** The server's name, as on its certificate. */
  readonly host: string;
  readonly address: string;
}

/** The servers in the order in which they are tried, or the reason why mail can't be routed. */
export type RouteTargets = { readonly targets: readonly RouteTarget[] } | { readonly none: string };

export class MailRoutes {
  readonly #route: MailRoute;
  readonly #resolver: Resolver | null;

  constructor(route: MailRoute) {
    this.#route = route;
    this.#resolver =
      route.dns === null ? null : new Resolver({ timeout: LOOKUP_TIMEOUT_MS, tries: 1 });
    if (route.dns !== null) this.#resolver?.setServers([route.dns]);
  }

  get port(): number {
    return this.#route.port;
  }

  async targetsOf(recipient: string): Promise<RouteTargets> {
    const resolver = this.#resolver;
    const { host } = this.#route;
    if (!resolver) return { targets: [{ host, address: host }] };
    const domain = domainToASCII(recipient.slice(recipient.lastIndexOf("@") + 1));
    if (domain === "") return { none: "the recipient's domain is not a domain name" };
    try {
      const exchanges = await exchangesOf(resolver, domain);
      if (exchanges.length === 0) return { none: "the domain accepts no mail (null MX)" };
      const found = await Promise.all(exchanges.map((exchange) => addressesOf(resolver, exchange)));
      const targets = found.flat();
      return targets.length > 0 ? { targets } : { none: "the mail servers have no address" };
    } catch (error) {
      return { none: `DNS: ${codeOf(error)}` };
    }
  }
}

/**
 * Returns the names of the domain's mail servers by preference. A domain without MX records is its
 * own mail server. For a null MX, the list is empty.
 */
async function exchangesOf(resolver: Resolver, domain: string): Promise<string[]> {
  try {
    const records = await resolver.resolveMx(domain);
    records.sort((left, right) => left.priority - right.priority);
    return records.map(({ exchange }) => exchange).filter((exchange) => exchange !== "");
  } catch (error) {
    if (codeOf(error) !== "ENODATA") throw error;
    return [domain];
  }
}

async function addressesOf(resolver: Resolver, host: string): Promise<RouteTarget[]> {
  const lists = await Promise.all([
    orNone(resolver.resolve4(host)),
    orNone(resolver.resolve6(host)),
  ]);
  return lists.flat().map((address) => ({ host, address }));
}

async function orNone(lookup: Promise<string[]>): Promise<string[]> {
  try {
    return await lookup;
  } catch (error) {
    if (["ENODATA", "ENOTFOUND"].includes(codeOf(error))) return [];
    throw error;
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? "unknown";
}
