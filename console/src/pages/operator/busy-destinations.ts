// Chooses the gateway destinations that the operator sees, and explains the connection limit of
// each (docs/egress-protocol.md §Destinations). Pure.
import type { GatewayWatch } from "./checks/check-gateway-findings.ts";

export type BusyDestination = GatewayWatch["destinations"][number];

const REASONS: Readonly<Record<BusyDestination["why"], string>> = {
  most: "Has the maximum number",
  answers: "Grows while its servers answer",
  failures: "Its servers fail: each gets one connection until it answers",
  announced: "Its server announced this limit",
  share: "Other destinations use the other connections",
};

/**
 * Returns the destinations with something to show, the one with the most waiting messages first.
 */
export function busyDestinations({ destinations }: GatewayWatch): BusyDestination[] {
  return destinations
    .filter(({ open, waiting, refused }) => open + waiting + refused > 0)
    .toSorted((left, right) => right.waiting - left.waiting || right.refused - left.refused);
}

export function limitReason({ why }: BusyDestination): string {
  return REASONS[why];
}
