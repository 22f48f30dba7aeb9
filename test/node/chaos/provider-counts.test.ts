// Tests tools/chaos/check/provider-counts.ts: it finds a counter that does not agree with the
// events.
import { describe, expect, it } from "vitest";
import { findWrongCounts } from "../../../tools/chaos/check/provider-counts.ts";
import type { EventFact } from "../../../tools/chaos/recorded-facts.ts";
import { DELIVERED, SENT } from "./round-facts.ts";

// The mail server of the recipient's domain has a name of Google's, so the events count for that
// provider.
const events: readonly EventFact[] = [
  SENT,
  DELIVERED,
  { ...DELIVERED, id: "evt_3", type: "email.bounced", bounce_classification: "SpamBlock" },
];

/**
 * Returns how these counters differ from those that follow from the events, if the events belong to
 * `provider`.
 */
function found(stats: number, deliverability: number, provider = "google"): string[] {
  const grown = (delivered: number): Map<string, number> =>
    new Map([
      ["google sent", 1],
      ["google delivered", delivered],
      ["google bounced", 1],
      ["google bounced SpamBlock", 1],
    ]);
  const counted = {
    providers: new Map(events.map(({ id }) => [id, provider])),
    stats: grown(stats),
    deliverability: grown(deliverability),
  };
  return findWrongCounts({ events, emailService: null }, counted).map(({ detail }) => detail);
}

describe("the check of the counters by provider", () => {
  it("finds nothing when they grew by the round's events", () => {
    expect(found(1, 1)).toEqual([]);
  });

  it("finds a counter that counted an event twice, or not at all", () => {
    expect(found(2, 1)).toEqual(["/v1/stats has 2 google delivered, events 1"]);
    expect(found(1, 0)).toEqual(["/v1/deliverability has 0 google delivered, events 1"]);
  });

  it("finds a delivery that is counted under another provider than its mail server's", () => {
    expect(found(1, 1, "other")).toContain(
      "the filter by provider does not find evt_2 for ok-a@d1.chaos.example",
    );
  });
});
