// Tests how visits are counted (src/mail/feedback/visit-filter.ts): repeated visits count once, and
// a burst of visits to many links does not count.
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import type { VisitKey } from "../../../../src/rpc/failure-and-visit-calls.ts";
import { bindings } from "../../../support/api.ts";

const link = (number: number, agent = "a") => ({ url: `https://shop.example/${number}`, agent });
const open = (agent = "a") => ({ url: null, agent });

/** The waits for the end of a burst, in milliseconds. */
const waits: number[] = [];

/**
 * Makes visits to one copy, `apart` milliseconds apart, and lets the time of a burst pass. Returns
 * whether each visit counts.
 */
async function counted(visits: readonly VisitKey[], apart = 0): Promise<boolean[]> {
  const now = Date.now();
  vi.setSystemTime(now);
  return runInDurableObject(bindings.VISITS.getByName(crypto.randomUUID()), (copy) => {
    const burst = Promise.withResolvers<void>();
    vi.spyOn(scheduler, "wait").mockImplementation((ms) => {
      waits.push(ms);
      return burst.promise;
    });
    const answers = visits.map((visit, index) => {
      vi.setSystemTime(now + index * apart);
      return copy.shouldCount(visit);
    });
    burst.resolve();
    return Promise.all(answers);
  });
}

describe("visits to one copy", () => {
  it("count an open once per agent, however often it repeats", async () => {
    const visits = [open(), open(), open("b"), open()];
    expect(await counted(visits)).toEqual([true, false, true, false]);
    expect(await counted([open(), open()], 10_000)).toEqual([true, true]);
  });

  it("count no link of one agent's burst over three links, but another agent's link", async () => {
    const visits = [link(1), link(2), link(3), link(1, "b"), open()];
    expect(await counted(visits, 500)).toEqual([false, false, false, true, true]);
    expect(new Set(waits)).toEqual(new Set([2_000]));
    expect(await counted([link(1), link(2), link(3)], 1_001)).toEqual([true, true, true]);
  });

  it("count two links in a row, and the same link once", async () => {
    expect(await counted([link(1), link(2), link(1)])).toEqual([true, true, false]);
  });

  it("are independent of visits to another copy", async () => {
    const copies = await Promise.all([1, 2, 3].map((number) => counted([link(number)])));
    expect(copies).toEqual([[true], [true], [true]]);
  });
});
