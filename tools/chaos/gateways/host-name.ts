// Names the two hosts of the gateway. Pure.
export const HOST_NAMES = ["a", "b"] as const;
export type HostName = (typeof HOST_NAMES)[number];

/** The host's name in EHLO. */
export function ehloNameOf(host: HostName): string {
  return `gateway-${host}.chaos.example`;
}
