// Lists the blocks of IP addresses that are not public (IANA special-purpose address registries). A
// name or URL from outside must never lead the gateway's connections or the worker's webhooks to
// such an address. The worker imports this file from here, because the gateway's image contains
// nothing else of the repository. Pure.

export const NOT_PUBLIC_V4 = [
  "0.0.0.0/8", // this network
  "10.0.0.0/8", // private
  "100.64.0.0/10", // carrier-grade NAT, with the metadata of one cloud
  "127.0.0.0/8", // loopback
  "168.63.129.16/32", // a cloud's host agent, under an address of the public range
  "169.254.0.0/16", // link-local, with the metadata of most clouds
  "172.16.0.0/12", // private
  "192.0.0.0/24", // protocol assignments, with the metadata of one cloud
  "192.0.2.0/24", // documentation
  "192.88.99.0/24", // 6to4 relays
  "192.168.0.0/16", // private
  "198.18.0.0/15", // benchmarks
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved, and broadcast
];

/**
 * The only public part of IPv6. All other addresses are loopback, IPv4-compatible, IPv4-translated,
 * unique-local, link-local, multicast or reserved.
 */
export const GLOBAL_UNICAST_V6 = "2000::/3";

/** Blocks within GLOBAL_UNICAST_V6 that are not public. */
export const NOT_PUBLIC_V6 = [
  "2001::/23", // protocol assignments: Teredo, benchmarks, ORCHID
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4
  "3fff::/20", // documentation
];
