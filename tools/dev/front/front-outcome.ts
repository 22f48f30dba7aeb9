// Decides as Cloudflare's network does. It decides which names lead to the network, which names
// have a certificate, and what answers a request: the worker, the operator's website, or an error
// with Cloudflare's code. Pure.
import { isWithin } from "../dns/dns-records.ts";
import { admitsPrograms, type FrontZone, type WorkerRoute } from "./front-zone.ts";

/** A record as the local DNS lists it. */
export interface FrontRecord {
  readonly name: string;
  readonly type: string;
  readonly data: unknown;
  readonly proxied?: boolean;
}

export interface Edge {
  readonly zone: FrontZone;
  /** The zone's name. */
  readonly name: string;
  readonly records: readonly FrontRecord[];
  readonly worker: string;
  /** The worker's Custom Domains, each with a certificate of its own. */
  readonly domains: readonly string[];
}

/** `elsewhere`: the name leads to an address of other people. */
type Way =
  | { readonly kind: "front" }
  | { readonly kind: "nowhere" }
  | { readonly kind: "elsewhere"; readonly address: string };

export type FrontOutcome =
  | { readonly kind: "worker" }
  | { readonly kind: "website" }
  /**
   * An error page of Cloudflare. The page's text has `code`, such as 1010. For 522, the HTTP status
   * is the same number.
   */
  | { readonly kind: "refused"; readonly status: number; readonly code: number };

/** User agents that Browser Integrity Check refuses. */
export const REFUSED_AGENTS = /^Python-urllib\//i;
/** The address of a record without an origin, and the address of the local stack's own hosts. */
const OWN_ADDRESSES: ReadonlySet<unknown> = new Set(["100::", "127.0.0.1"]);
const ORIGINLESS = "100::";
const ADDRESS_TYPES = new Set(["A", "AAAA"]);
const MOST_ALIASES = 8;

/** Follows a name's aliases to the front, to an address of other people, or to nothing. */
export function wayOf({ records, name: zoneName }: Edge, host: string): Way {
  let name = host;
  for (let hops = 0; hops < MOST_ALIASES; hops += 1) {
    const found = recordsAt(records, name);
    const isOwn = isWithin(name, zoneName);
    if (found.some(({ proxied }) => isOwn && proxied === true)) return { kind: "front" };
    const alias = found.find(({ type }) => type === "CNAME");
    if (alias === undefined) {
      const address = found.find(({ type }) => ADDRESS_TYPES.has(type));
      if (address === undefined) return { kind: "nowhere" };
      if (OWN_ADDRESSES.has(address.data)) return { kind: "front" };
      return { kind: "elsewhere", address: String(address.data) };
    }
    name = String(alias.data);
  }
  return { kind: "nowhere" };
}

/**
 * Tells whether the front has a certificate for the name. The zone's own certificate covers names
 * that are one label longer than the zone's name.
 */
export function hasCertificate({ zone, name, records, domains }: Edge, host: string): boolean {
  const custom = zone.custom_hostnames.find(({ hostname }) => hostname === host);
  if (custom !== undefined) return custom.ssl.status === "active";
  if (domains.includes(host)) return true;
  const isCovered = host === name || host.slice(host.indexOf(".") + 1) === name;
  return isCovered && recordsAt(records, host).some(({ proxied }) => proxied === true);
}

/** Decides what answers a request. `agent` is the user agent. */
export function outcomeOf(edge: Edge, host: string, path: string, agent: string): FrontOutcome {
  const { zone, worker, domains } = edge;
  if (REFUSED_AGENTS.test(agent) && !admitsPrograms(zone, host))
    return { kind: "refused", status: 403, code: 1010 };
  const isCustom = zone.custom_hostnames.some(({ hostname }) => hostname === host);
  if (isCustom && zone.fallback_origin === null)
    return { kind: "refused", status: 530, code: 1016 };
  const route = closestRoute(zone.worker_routes, host, path);
  if (route?.script === worker) return { kind: "worker" };
  if (domains.includes(host)) return { kind: "worker" };
  const origin = isCustom ? (zone.fallback_origin ?? "") : host;
  const hasOrigin = recordsAt(edge.records, origin).some(({ data }) => data !== ORIGINLESS);
  return hasOrigin ? { kind: "website" } : { kind: "refused", status: 522, code: 522 };
}

/**
 * Returns the most specific route that matches: the route with the most characters apart from its
 * wildcards.
 */
function closestRoute(
  routes: readonly WorkerRoute[],
  host: string,
  path: string,
): WorkerRoute | undefined {
  const weight = ({ pattern }: WorkerRoute): number => pattern.replaceAll("*", "").length;
  return routes
    .filter(({ pattern }) => fits(pattern, `${host}${path}`))
    .toSorted((one, other) => weight(other) - weight(one))[0];
}

/** Tells whether the text matches the pattern. `*` matches any text. */
function fits(pattern: string, text: string): boolean {
  const [first = "", ...parts] = pattern.split("*");
  if (parts.length === 0) return text === pattern;
  if (!text.startsWith(first)) return false;
  const last = parts.pop() ?? "";
  let at = first.length;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found === -1) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

/** Returns the records of a name, or else those of the wildcard that covers it. */
function recordsAt(records: readonly FrontRecord[], name: string): readonly FrontRecord[] {
  const labels = name.split(".");
  for (let cut = 0; cut < labels.length; cut += 1) {
    const below = labels.slice(cut).join(".");
    const wanted = cut === 0 ? name : `*.${below}`;
    const found = records.filter((record) => record.name === wanted);
    if (found.length > 0) return found;
  }
  return [];
}
