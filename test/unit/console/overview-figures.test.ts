// Tests the figures of the console's overview: sums, shares, thresholds, and the largest domains.
import { describe, expect, it } from "vitest";
import { countChange, shareChange } from "../../../console/src/pages/overview/figure-changes.ts";
import {
  bounceClasses,
  bouncedShare,
  complainedShare,
  deliveredShare,
  isEmpty,
  judgeBounces,
  judgeComplaints,
  messagesOf,
  outcomesOf,
  topDomains,
  totalsOf,
} from "../../../console/src/pages/overview/overview-figures.ts";
import { countsWith, entryOn } from "./stats-entries.ts";
import { formatShare } from "../../../console/src/parts/figures.ts";

describe("the sum of a period", () => {
  it("adds counts and classes of all intervals", () => {
    const totals = totalsOf([
      entryOn(1, { sent: 10, bounced: 3 }, undefined, { QuotaIssues: 1, InvalidRecipient: 2 }),
      entryOn(2, { sent: 5, bounced: 1 }, undefined, { QuotaIssues: 1 }),
    ]);
    expect(totals.counts).toMatchObject({ sent: 15, bounced: 4, delivered: 0 });
    expect(bounceClasses(totals)).toEqual([
      ["InvalidRecipient", 2],
      ["QuotaIssues", 2],
    ]);
  });

  it("is empty without any entry, and has no shares", () => {
    const empty = totalsOf([]);
    expect(isEmpty(empty)).toBe(true);
    expect(deliveredShare(empty.counts)).toBeNull();
    expect(judgeBounces(empty.counts)).toBeNull();
    expect(judgeComplaints(empty.counts)).toBeNull();
  });

  it("is not empty when every recipient was suppressed", () => {
    expect(isEmpty(totalsOf([entryOn(1, { suppressed: 1 })]))).toBe(false);
  });
});

describe("a share", () => {
  it("is of what was sent", () => {
    const counts = countsWith({ sent: 200, delivered: 190, bounced: 4, complained: 1 });
    expect(deliveredShare(counts)).toBe(0.95);
    expect(bouncedShare(counts)).toBe(0.02);
    expect(complainedShare(counts)).toBeCloseTo(1 / 190);
  });

  it("is at most 1 if outcomes belong to mail sent before the period", () => {
    const counts = countsWith({ sent: 2, delivered: 10, complained: 20 });
    expect(messagesOf(counts)).toBe(10);
    expect(deliveredShare(counts)).toBe(1);
    expect(complainedShare(counts)).toBe(1);
  });
});

describe("a threshold", () => {
  it.each([
    [19, "under 2%", "ok"],
    [20, "over 2%", "bad"],
  ])("judges %i bounces of 1000 as %s", (bounced, says, tone) => {
    expect(judgeBounces(countsWith({ sent: 1_000, bounced }))).toEqual({ tone, says });
  });

  it.each([
    [9, "under 0.1%", "ok"],
    [10, "over Gmail’s 0.1%", "bad"],
    [30, "over Gmail’s and Yahoo’s 0.3%", "bad"],
  ])("judges %i complaints of 10000 as %s", (complained, says, tone) => {
    expect(judgeComplaints(countsWith({ delivered: 10_000, complained }))).toEqual({ tone, says });
  });
});

it("a rate of fewer than 50 recipients raises no alarm, and says why", () => {
  const few = { tone: "ok", says: "fewer than 50 recipients, too few to judge" };
  expect(judgeBounces(countsWith({ sent: 49, bounced: 49 }))).toEqual(few);
  expect(judgeComplaints(countsWith({ delivered: 49, complained: 49 }))).toEqual(few);
  expect(judgeBounces(countsWith({ sent: 50, bounced: 1 }))?.tone).toBe("bad");
});

describe("the parts of a bar", () => {
  it("count a recipient once, even if its mail was deferred often", () => {
    const counts = countsWith({ sent: 37, delivered: 5, bounced: 2, delayed: 259 });
    expect(outcomesOf(counts)).toEqual({ delivered: 5, delayed: 30, bounced: 2 });
  });

  it("have no delayed part if every recipient has an outcome", () => {
    const counts = countsWith({ sent: 5, delivered: 6, delayed: 4 });
    expect(outcomesOf(counts).delayed).toBe(0);
  });
});

it("writes a share in per cent, and writes 100% only for the whole", () => {
  const shares = [0, 1, 50, 1_750, 9_821, 99_999, 100_000].map((part) =>
    formatShare(part, 100_000),
  );
  expect(shares).toEqual(["0%", "<0.01%", "0.05%", "1.8%", "9.8%", "99.99%", "100%"]);
  expect(formatShare(0, 0)).toBe("–");
});

describe("the largest domains", () => {
  const entries = [
    entryOn(1, { sent: 5, delivered: 5 }, "small.example"),
    entryOn(1, { sent: 40 }, "large.example"),
    entryOn(2, { sent: 40 }, "large.example"),
    entryOn(2, { sent: 7 }, "middle.example"),
    entryOn(2, { sent: 900, bounced: 3 }, "other"),
  ];

  it("have the most messages over all intervals", () => {
    const { top } = topDomains(entries, 2);
    expect(top.map(({ domain, messages }) => [domain, messages])).toEqual([
      ["large.example", 80],
      ["middle.example", 7],
    ]);
  });

  it("have one more row for all other domains and the entry `other`", () => {
    const { others } = topDomains(entries, 2);
    expect(others).toMatchObject({ domain: "All others", messages: 905 });
    expect(others?.counts.bounced).toBe(3);
  });

  it("have no further row if each domain has its own row", () => {
    expect(topDomains(entries.slice(0, 3), 20).others).toBeNull();
  });
});

describe("the change from the previous period", () => {
  it.each([
    [countChange(108, 100, "before"), "▲ 8% vs. before"],
    [countChange(50, 100, "before"), "▼ 50% vs. before"],
    [countChange(5, 0, "before"), "no mail in before"],
    [countChange(5, undefined, "before"), "no data for before"],
    [shareChange(0.021, 0.017, "before"), "▲ 0.4 points vs. before"],
    [shareChange(0.017, 0.017, "before"), "unchanged from before"],
    [shareChange(null, 0.01, "before"), null],
  ])("is %j", (says, wanted) => {
    expect(says).toBe(wanted);
  });
});
