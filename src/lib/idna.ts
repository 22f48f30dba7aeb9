// Converts domain names to the DNS's spelling (RFC 5890, UTS 46): lower-case ASCII labels of
// letters, digits and hyphens. Pure.
import { domainToASCII, domainToUnicode } from "node:url";

/** Longest name of the DNS in text form (RFC 1035 §2.3.4). */
export const DNS_NAME_CHARACTERS = 253;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** Checked before the conversion, which would otherwise decode `%2e` and stop at a slash. */
const CONVERTIBLE = /^[a-z0-9.\u0080-\u{10ffff}-]+$/iu;
const NON_ASCII = /[\u0080-\uffff]/;

/**
 * Returns the ASCII form of a domain name, or undefined when it has none that is valid in the DNS.
 */
export function asciiDomain(domain: string): string | undefined {
  if (domain.length > DNS_NAME_CHARACTERS || !CONVERTIBLE.test(domain)) return undefined;
  const ascii = NON_ASCII.test(domain) ? domainToASCII(domain) : domain.toLowerCase();
  if (ascii.length > DNS_NAME_CHARACTERS || !ascii.split(".").every((label) => LABEL.test(label)))
    return undefined;
  return ascii.includes("xn--") && !hasValidALabels(ascii) ? undefined : ascii;
}

/**
 * Tells whether a name ends in a numeric label, which makes it an IPv4 address (WHATWG URL, "ends
 * in a number").
 */
export function endsInNumber(ascii: string): boolean {
  return /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/.test(ascii);
}

/** domainToUnicode leaves a label unchanged when it is not valid punycode. */
function hasValidALabels(ascii: string): boolean {
  return !domainToUnicode(ascii)
    .split(".")
    .some((label) => label.startsWith("xn--"));
}
