// Names a domain's records, on the customer's side and under the service's domain (contract.md §DNS
// records, docs/dns.md). Pure.
import { getDomain } from "tldts";

export interface Alias {
  /** What the customer makes an alias: absolute, without the final dot. */
  readonly host: string;
  /** What it must point at: absolute, without the final dot. */
  readonly target: string;
}

/** What the customer's side of a domain's names is made of. */
interface Named {
  readonly name: string;
  readonly targetLabel: string;
}

/** Published for every domain; the first one signs, the others stand by. */
export const SELECTORS = ["ps1", "ps2"] as const;

/** The label of the return-path host below a sending domain; no tracking host may use it. */
export const RETURN_PATH_LABEL = "bounces";

/** The longest name that the records of a domain prepend, with its dot. */
export const LONGEST_PREFIX = `${SELECTORS[0]}._domainkey.`;

/**
 * `bounces.<domain>`, the verification CNAME: its target carries MX and SPF, so that bounces come
 * back and SPF aligns.
 */
export function returnPathAlias(domain: Named, serviceDomain: string): Alias {
  return {
    host: `${RETURN_PATH_LABEL}.${domain.name}`,
    target: `${domain.targetLabel}.return-path.${serviceDomain}`,
  };
}

/**
 * `<selector>._domainkey.<domain>`; the target is the name of the TXT record that the service
 * publishes.
 */
export function dkimAlias(domain: Named, selector: string, serviceDomain: string): Alias {
  return {
    host: `${selector}._domainkey.${domain.name}`,
    target: dkimHost(domain.targetLabel, selector, serviceDomain),
  };
}

export function dkimHost(targetLabel: string, selector: string, serviceDomain: string): string {
  return `${selector}.${targetLabel}.dkim.${serviceDomain}`;
}

/** `<subdomain>.<domain>`: where opens and clicks arrive. */
export function trackingAlias(domain: Named, subdomain: string, serviceDomain: string): Alias {
  return {
    host: `${subdomain}.${domain.name}`,
    target: `${domain.targetLabel}.track.${serviceDomain}`,
  };
}

/**
 * A record's name as one types it into a zone's editor: without the registrable domain. That is
 * found by the whole public suffix list, its private part included, since whoever holds
 * `example.uk.com` has that zone to edit, not `uk.com`.
 */
export function relativeName(alias: Alias, domain: string): string {
  const registrable = getDomain(domain, { allowPrivateDomains: true }) ?? domain;
  return alias.host.slice(0, -(registrable.length + 1));
}
