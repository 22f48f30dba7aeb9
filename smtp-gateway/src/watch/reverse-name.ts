// Writes an IP address in the reversed form that DNS uses below in-addr.arpa and ip6.arpa (RFC 1035
// §3.5, RFC 3596 §2.5) and below the zones of block lists (RFC 5782 §2.1, §2.4). Pure.
import { isIPv4 } from "node:net";
import { ipv6Groups } from "../inbound/client-networks.ts";

/** Returns the reverse DNS name: `1.2.0.192.in-addr.arpa`, or a name below `ip6.arpa` for IPv6. */
export function reverseName(address: string): string {
  return `${reverseLabels(address)}.${isIPv4(address) ? "in-addr" : "ip6"}.arpa`;
}

/** Returns the octets of an IPv4 address, or the 32 digits of an IPv6 address, in reverse order. */
export function reverseLabels(address: string): string {
  const parts = isIPv4(address)
    ? address.split(".")
    : ipv6Groups(canonicalAddress(address)).flatMap((group) => group.padStart(4, "0").split(""));
  return parts.toReversed().join(".");
}

/**
 * Returns the address in lower case and without needless zeros, so that DNS answers can be
 * compared.
 */
export function canonicalAddress(address: string): string {
  return isIPv4(address) ? address : new URL(`http://[${address}]`).hostname.slice(1, -1);
}
