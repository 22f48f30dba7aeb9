// Chooses which destinations of a gateway the operator sees, and says what limits each
// (docs/egress-protocol.md §Destinations). Pure.
import type { GatewayWatch } from "./checks/check-gateway-findings.ts";

export type BusyDestination = GatewayWatch["destinations"][number];

const REASONS: Readonly<Record<BusyDestination["why"], string>> = {
  most: "The most it can have",
  answers: "Grows as its servers answer",
  failures: "Its servers fail: one connection each until they answer",
  announced: "Its server announced this limit",
  share: "Other destinations use the rest",
};

/** Returns the destinations that have something to show, the one with the most waiting first. */
export function busyDestinations({ destinations }: GatewayWatch): BusyDestination[] {
  return destinations
    .filter(({ open, waiting, refused }) => open + waiting + refused > 0)
    .toSorted((left, right) => right.waiting - left.waiting || right.refused - left.refused);
}

export function limitReason({ why }: BusyDestination): string {
  return REASONS[why];
}
