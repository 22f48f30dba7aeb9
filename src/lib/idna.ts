// Domain names as the DNS spells them (RFC 5890, UTS 46): lower-case ASCII labels of letters,
// digits and hyphens.
import { domainToASCII, domainToUnicode } from "node:url";

const DOMAIN_CHARACTERS = 253;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** Before the conversion, which would otherwise decode `%2e` and stop at a slash. */
const CONVERTIBLE = /^[a-z0-9.\u0080-\u{10ffff}-]+$/iu;
const NON_ASCII = /[\u0080-\uffff]/;

/**
 * The ASCII form of a domain name in either spelling; undefined when it has none that the DNS could
 * hold.
 */
export function asciiDomain(domain: string): string | undefined {
  if (domain.length > DOMAIN_CHARACTERS || !CONVERTIBLE.test(domain)) return undefined;
  const ascii = NON_ASCII.test(domain) ? domainToASCII(domain) : domain.toLowerCase();
  if (ascii.length > DOMAIN_CHARACTERS || !ascii.split(".").every((label) => LABEL.test(label)))
    return undefined;
  return ascii.includes("xn--") && !hasValidALabels(ascii) ? undefined : ascii;
}

/**
 * An all-numeric last label makes a name an IPv4 address, in whatever spelling (WHATWG URL, "ends
 * in a number").
 */
export function endsInNumber(ascii: string): boolean {
  return /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/.test(ascii);
}

/** The conversion to Unicode leaves a label as it is when it is no valid punycode. */
function hasValidALabels(ascii: string): boolean {
  return !domainToUnicode(ascii)
    .split(".")
    .some((label) => label.startsWith("xn--"));
}
