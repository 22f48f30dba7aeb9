// Makes the names of a domain's records in the customer's zone, and below the service's domain
// (contract.md §DNS records, docs/dns.md). Pure.
import { getDomain } from "tldts";

export interface Alias {
  /** Name at which the customer publishes the CNAME: absolute, without the final dot. */
  readonly host: string;
  /** Target of the CNAME: absolute, without the final dot. */
  readonly target: string;
}

/** The parts of a domain that determine its record names. */
interface NamedDomain {
  readonly name: string;
  readonly targetLabel: string;
}

/** The DKIM selectors of every domain. The first selector signs. The second selector is a spare. */
export const SELECTORS = ["ps1", "ps2"] as const;

/** Label of the return-path host below a sending domain. No tracking host may use it. */
export const RETURN_PATH_LABEL = "bounces";

/** The longest prefix of a domain's record names, including the final dot. */
export const LONGEST_PREFIX = `${SELECTORS[0]}._domainkey.`;

/**
 * Returns the verification CNAME `bounces.<domain>`. Its target has MX and SPF records, so that
 * bounces arrive and SPF aligns.
 */
export function returnPathAlias(domain: NamedDomain, serviceDomain: string): Alias {
  return {
    host: `${RETURN_PATH_LABEL}.${domain.name}`,
    target: `${domain.targetLabel}.return-path.${serviceDomain}`,
  };
}

/** Returns the CNAME `<selector>._domainkey.<domain>` to the TXT record of the service. */
export function dkimAlias(domain: NamedDomain, selector: string, serviceDomain: string): Alias {
  return {
    host: `${selector}._domainkey.${domain.name}`,
    target: dkimHost(domain.targetLabel, selector, serviceDomain),
  };
}

export function dkimHost(targetLabel: string, selector: string, serviceDomain: string): string {
  return `${selector}.${targetLabel}.dkim.${serviceDomain}`;
}

/** Returns the CNAME `<subdomain>.<domain>`, the host of requests for opens and clicks. */
export function trackingAlias(
  domain: NamedDomain,
  subdomain: string,
  serviceDomain: string,
): Alias {
  return {
    host: `${subdomain}.${domain.name}`,
    target: `${domain.targetLabel}.track.${serviceDomain}`,
  };
}

/** Returns a record's name relative to the registered name, as DNS editors expect it. */
export function relativeName({ host }: Pick<Alias, "host">, domain: string): string {
  return host.slice(0, -(registrableDomain(domain).length + 1));
}

/**
 * Returns the registered name, which is the organizational domain of RFC 7489. RFC 9989 may find a
 * different one by its tree walk. The private part of the public suffix list also applies, because
 * the owner of `example.uk.com` edits this zone and not `uk.com`.
 */
export function registrableDomain(domain: string): string {
  return getDomain(domain, { allowPrivateDomains: true }) ?? domain;
}
