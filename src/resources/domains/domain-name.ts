// Decides which names may be sending domains: public names that one party controls (contract.md
// §Domain names). Converts a name to its DNS form. Pure.
import { getPublicSuffix } from "tldts";
import { asciiDomain, DNS_NAME_CHARACTERS, endsInNumber } from "../../lib/idna.ts";
import { LONGEST_PREFIX } from "./record-names.ts";

export type DomainName =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "refused"; readonly reason: string };

const SENDING_DOMAIN_CHARACTERS = DNS_NAME_CHARACTERS - LONGEST_PREFIX.length;

/**
 * Returns the lower-case ASCII form of a name, without a final dot. For a name that cannot be a
 * sending domain, returns the reason, as a phrase that continues the field's name.
 */
export function parseDomainName(given: string, serviceDomain: string): DomainName {
  const rooted = given.endsWith(".") ? given.slice(0, -1) : given;
  const name = asciiDomain(rooted);
  if (name === undefined) return toRefused("is not a domain name");
  if (endsInNumber(name)) return toRefused("must be a domain name, not an IP address");
  if (!name.includes(".")) return toRefused("must have at least two labels");
  if (name.length > SENDING_DOMAIN_CHARACTERS)
    return toRefused(
      `must be at most ${SENDING_DOMAIN_CHARACTERS} characters, so that its records have ` +
        "valid names",
    );
  if (name === serviceDomain || name.endsWith(`.${serviceDomain}`))
    return toRefused("belongs to the service itself");
  // The private part of the public suffix list also applies, because a user of github.io does not
  // control all of github.io.
  if (getPublicSuffix(name, { allowPrivateDomains: true }) === name)
    return toRefused("is a public suffix");
  return { kind: "name", name };
}

function toRefused(reason: string): DomainName {
  return { kind: "refused", reason };
}
