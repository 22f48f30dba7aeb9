// Which addresses lie on the open Internet: a stranger's DNS must not make the gateway talk to hosts inside.
import { BlockList, isIP } from "node:net";

/** Loopback, private, link-local, shared, multicast, reserved, tunnel and documentation ranges. */
const notPublic = new BlockList();
for (const [net, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const)
  notPublic.addSubnet(net, bits, "ipv4");
for (const [net, bits] of [
  ["::", 96],
  ["64:ff9b:1::", 48],
  ["100::", 64],
  ["2001::", 32],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["fc00::", 7],
  ["fe80::", 10],
  ["fec0::", 10],
  ["ff00::", 8],
] as const) {
  notPublic.addSubnet(net, bits, "ipv6");
}

/** An IPv6 address that stands for an IPv4 one (mapped, NAT64) is what that one is. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !notPublic.check(address, "ipv4");
  if (family === 0 || address.includes("%")) return false;
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const embedded = /^(?:::ffff:|64:ff9b::)(?:([0-9a-f]{1,4}):)?([0-9a-f]{1,4})?$/.exec(canonical);
  if (!embedded) return !notPublic.check(address, "ipv6");
  const [high, low] = [embedded[1], embedded[2]].map((group) => Number.parseInt(group ?? "0", 16)) as [number, number];
  return isPublicAddress([high >> 8, high & 255, low >> 8, low & 255].join("."));
}
