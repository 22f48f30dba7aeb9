// Decides which names may be sending domains: public names that one party can hold, in the form
// that the DNS has them (contract.md §Domain names). Pure.
import { getPublicSuffix } from "tldts";
import { asciiDomain, endsInNumber } from "../../lib/idna.ts";
import { LONGEST_PREFIX } from "./record-names.ts";

export type DomainName =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "refused"; readonly reason: string };

const DNS_NAME_CHARACTERS = 253;
const SENDING_DOMAIN_CHARACTERS = DNS_NAME_CHARACTERS - LONGEST_PREFIX.length;

/**
 * The ASCII, lower-case form of a name as given, without a final dot; or why it can't be a sending
 * domain, to follow the field's name.
 */
export function parseDomainName(given: string, serviceDomain: string): DomainName {
  const rooted = given.endsWith(".") ? given.slice(0, -1) : given;
  const name = asciiDomain(rooted);
  if (name === undefined) return refused("is not a domain name");
  if (endsInNumber(name)) return refused("must be a domain name, not an IP address");
  if (!name.includes(".")) return refused("must have at least two labels");
  if (name.length > SENDING_DOMAIN_CHARACTERS)
    return refused(
      `must be at most ${SENDING_DOMAIN_CHARACTERS} characters, so that its records have valid names`,
    );
  if (name === serviceDomain || name.endsWith(`.${serviceDomain}`))
    return refused("belongs to the service itself");
  // With the list's private part: nobody who shares github.io can speak for all of it.
  if (getPublicSuffix(name, { allowPrivateDomains: true }) === name)
    return refused("is a public suffix");
  return { kind: "name", name };
}

function refused(reason: string): DomainName {
  return { kind: "refused", reason };
}
