// Tests which destinations of a gateway the operator sees.
import { describe, expect, it } from "vitest";
import { busyDestinations } from "../../../../console/src/pages/operator/busy-destinations.ts";

describe("busyDestinations", () => {
  it("lists destinations with open, waiting or refused mail, the most waiting mail first", () => {
    const same = { pool: "default", concurrency: 5, why: "most" } as const;
    const destinationOf = (name: string, open: number, waiting: number, refused: number) => {
      return { ...same, name, open, waiting, refused };
    };
    const destinations = [
      destinationOf("open", 50, 0, 0),
      destinationOf("idle", 0, 0, 0),
      destinationOf("refused", 0, 0, 3),
      destinationOf("waiting", 1, 9, 0),
    ];
    const busy = busyDestinations({ checked_at: null, findings: [], destinations });
    expect(busy.map(({ name }) => name)).toEqual(["waiting", "refused", "open"]);
  });
});
