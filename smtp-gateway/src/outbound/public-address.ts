// Decides whether an IP address is public. The DNS of a recipient's domain must not lead the
// gateway's connections to hosts inside the operator's network. Pure.
import { BlockList, isIP } from "node:net";
import { GLOBAL_UNICAST_V6, NOT_PUBLIC_V4, NOT_PUBLIC_V6 } from "./non-public-addresses.ts";

const notPublicV4 = blockList("ipv4", NOT_PUBLIC_V4);
const globalUnicast = blockList("ipv6", [GLOBAL_UNICAST_V6]);
const notPublicV6 = blockList("ipv6", NOT_PUBLIC_V6);
/**
 * Matches an IPv6 address that contains an IPv4 address: mapped (RFC 4291 §2.5.5.2), or translated
 * for hosts without IPv4 (RFC 6052).
 */
const EMBEDDED_V4 = /^(?:::ffff:|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})$/;

/**
 * Tells whether an IP address is public. For an IPv6 address that contains an IPv4 address, the
 * IPv4 address decides.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !notPublicV4.check(address, "ipv4");
  if (family === 0 || address.includes("%")) return false;
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const embedded = EMBEDDED_V4.exec(canonical);
  if (!embedded)
    return globalUnicast.check(canonical, "ipv6") && !notPublicV6.check(canonical, "ipv6");
  const [high = 0, low = 0] = embedded.slice(1).map((group) => Number.parseInt(group, 16));
  return isPublicAddress([high >> 8, high & 255, low >> 8, low & 255].join("."));
}

function blockList(family: "ipv4" | "ipv6", blocks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const block of blocks) {
    const [network = "", prefix] = block.split("/");
    list.addSubnet(network, Number(prefix), family);
  }
  return list;
}
