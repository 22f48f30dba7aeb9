// Decides which client addresses are counted together. Each IPv4 address counts by itself. IPv6
// addresses count by their /64, because one machine has a whole /64, and also by their /48, the
// largest network that providers give one customer (RFC 6177 §2). Pure.

export interface ClientNetworks {
  /** The IPv4 address or the IPv6 /64. */
  readonly address: string;
  /** The IPv6 /48; for an IPv4 address, the address itself. */
  readonly network: string;
}

/** Returns the networks of a socket's remote address. `address` may have a zone. */
export function networksOf(address: string): ClientNetworks {
  const v4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (v4 !== undefined || !address.includes(":"))
    return { address: v4 ?? address, network: v4 ?? address };
  const groups = ipv6Groups(address).slice(0, 4);
  const [a, b, c, d] = groups.map((group) => Number.parseInt(group, 16).toString(16));
  return { address: `${a}:${b}:${c}:${d}::/64`, network: `${a}:${b}:${c}::/48` };
}

/** Returns the groups of an IPv6 address. A final IPv4 address counts as one group. */
export function ipv6Groups(address: string): string[] {
  const [head = "", tail] = (address.split("%", 1)[0] ?? "").split("::", 2);
  const left = head.split(":").filter((group) => group !== "");
  const right = (tail ?? "").split(":").filter((group) => group !== "");
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  return [...left, ...Array.from({ length: zeros }, () => "0"), ...right];
}
