// Converts domain names to DNS form (RFC 5890, UTS 46): lower-case ASCII labels of letters, digits
// and hyphens. Pure.
import { domainToASCII, domainToUnicode } from "node:url";

/** Maximum length of a DNS name in text form (RFC 1035 §2.3.4). */
export const DNS_NAME_CHARACTERS = 253;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/**
 * Matches a name without the characters that the conversion would decode (`%2e`) or stop at (a
 * slash).
 */
const CONVERTIBLE = /^[a-z0-9.\u0080-\u{10ffff}-]+$/iu;
const NON_ASCII = /[\u0080-\uffff]/;

/** Returns the ASCII form of a domain name, or undefined when it has no valid DNS form. */
export function asciiDomain(domain: string): string | undefined {
  if (domain.length > DNS_NAME_CHARACTERS || !CONVERTIBLE.test(domain)) return undefined;
  const ascii = NON_ASCII.test(domain) ? domainToASCII(domain) : domain.toLowerCase();
  if (ascii.length > DNS_NAME_CHARACTERS || !ascii.split(".").every((label) => LABEL.test(label)))
    return undefined;
  return ascii.includes("xn--") && !hasValidALabels(ascii) ? undefined : ascii;
}

/**
 * Tells whether a name ends in a numeric label. The WHATWG URL rules ("ends in a number") treat
 * such a name as an IPv4 address.
 */
export function endsInNumber(ascii: string): boolean {
  return /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/.test(ascii);
}

/**
 * Tells whether every label that begins with `xn--` is valid punycode. domainToUnicode() leaves an
 * invalid label unchanged.
 */
function hasValidALabels(ascii: string): boolean {
  return !domainToUnicode(ascii)
    .split(".")
    .some((label) => label.startsWith("xn--"));
}
