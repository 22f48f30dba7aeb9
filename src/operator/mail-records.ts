// Describes the DNS records that the worker, set-up and the doctor all look for. Pure.

/** MX hosts that receive the bounces of the Email Service's mail (docs/dns.md). */
export const BOUNCE_SERVERS = [
  "route1.mx.cloudflare.net",
  "route2.mx.cloudflare.net",
  "route3.mx.cloudflare.net",
] as const;

/**
 * The name that the SPF record includes. The record at this name lists the addresses from which the
 * Email Service sends.
 */
export const SPF_INCLUDE = "_spf.mx.cloudflare.net";
export const SPF_RECORD = `v=spf1 include:${SPF_INCLUDE} ~all`;

/** Matches a text that begins with the SPF version and a space or the end (RFC 7208 §4.5). */
export function isSpfRecord(text: string): boolean {
  return /^v=spf1(?: |$)/i.test(text);
}
