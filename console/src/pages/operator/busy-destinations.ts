// Chooses the gateway destinations that the operator sees, and explains the connection limit of
// each (docs/egress-protocol.md §Destinations). Pure.
import type { Gateway } from "../../api/operator/types.ts";

export type GatewayWatch = NonNullable<Gateway["gateways"][number]["watch"]>;

export type BusyDestination = GatewayWatch["destinations"][number];

const REASONS: Readonly<Record<BusyDestination["why"], string>> = {
  most: "The maximum for a destination of this kind",
  answers: "The limit grows while the servers answer",
  failures: "The servers fail: each gets one connection until it answers",
  announced: "A server announced this limit",
  share: "Other destinations use the rest of the connections",
};

/**
 * Returns the destinations with open connections, waiting messages or refused connections. The
 * destination with the most waiting messages comes first.
 */
export function busyDestinations({ destinations }: GatewayWatch): BusyDestination[] {
  return destinations
    .filter(({ open, waiting, refused }) => open + waiting + refused > 0)
    .toSorted((left, right) => right.waiting - left.waiting || right.refused - left.refused);
}

export function limitReason({ why }: BusyDestination): string {
  return REASONS[why];
}
