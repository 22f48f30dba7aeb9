// Tests src/ledger/admission/label-counts.ts: the caps on distinct labels in a rolling window.
import { fc } from "../../../support/properties.ts";
import { describe, expect, it } from "vitest";
import type { Policy } from "../../../../src/rpc/ledger-calls.ts";
import { LABEL_REFRESH_MS, LabelCounts } from "../../../../src/ledger/admission/label-counts.ts";
import type { Labels } from "../../../../src/ledger/admission/label-windows.ts";
import { NOON, policy } from "../ledger-harness.ts";

const HOUR = 3_600_000;

function labels(over: Partial<Labels>): Labels {
  return { tags: [], topic: null, campaign: null, ...over };
}

/** Judges the labels of one item. If they are accepted, counts them as used. */
function tryUse(counts: LabelCounts, item: Labels, caps: Policy, now: number) {
  const [quota] = counts.judge([item], caps, now);
  if (!quota) counts.use([item], now);
  return quota ?? null;
}

const ofCampaign = (campaign: string): Labels => labels({ campaign });

describe("label caps", () => {
  it.each([
    ["tags", { tagsPerHour: 2 }, (tag: string) => labels({ tags: [tag] }), "tag", 1],
    ["topic", { topicPerHour: 2 }, (topic: string) => labels({ topic }), "topic", 1],
    ["campaign by the hour", { campaignPerHour: 2 }, ofCampaign, "campaign", 1],
    ["campaign by 72 hours", { campaignPer72Hours: 2 }, ofCampaign, "campaign", 72],
  ] as const)(
    "refuse only a new %s beyond the cap, until the oldest label has left the window",
    (_, cap, of, scope, hours) => {
      const counts = new LabelCounts([]);
      const caps = policy(cap);
      expect(tryUse(counts, of("a"), caps, NOON)).toBeNull();
      expect(tryUse(counts, of("b"), caps, NOON + 10_500)).toBeNull();
      const refused = { scope: `${scope}_cardinality`, limit: 2 };
      const retryAfterSeconds = hours * 3_600 - 20;
      const quota = tryUse(counts, of("c"), caps, NOON + 20_000);
      expect(quota).toEqual({ ...refused, retryAfterSeconds });
      expect(tryUse(counts, of("a"), caps, NOON + 30_000)).toBeNull();
      // The label "a" was used again, so a new label must wait until "b" leaves the window.
      const again = tryUse(counts, of("c"), caps, NOON + 40_000);
      expect(again?.retryAfterSeconds).toBe(hours * 3_600 - 29);
      expect(tryUse(counts, of("c"), caps, NOON + 10_499 + hours * HOUR)).not.toBeNull();
      expect(tryUse(counts, of("c"), caps, NOON + 10_500 + hours * HOUR)).toBeNull();
    },
  );

  it("count the labels of a batch in order, without those of refused items", () => {
    const counts = new LabelCounts([]);
    const items = [["a", "b"], ["c", "d"], ["c"], ["a", "c"], ["d"]].map((tags) =>
      labels({ tags }),
    );
    const verdicts = counts.judge(items, policy({ tagsPerHour: 3 }), NOON);
    const scopes = verdicts.map((quota) => quota?.scope ?? "ok").join(" ");
    expect(scopes).toBe("ok tag_cardinality ok ok tag_cardinality");
  });

  it("are not used up by judging alone", () => {
    const counts = new LabelCounts([]);
    const item = labels({ topic: "a" });
    for (let turn = 0; turn < 3; turn += 1) counts.judge([item], policy({ topicPerHour: 1 }), NOON);
    expect(tryUse(counts, labels({ topic: "b" }), policy({ topicPerHour: 1 }), NOON)).toBeNull();
  });

  it("announce the window's length for an item that can never fit, and the longest wait of several caps", () => {
    const counts = new LabelCounts([]);
    const tags = labels({ tags: ["a", "b", "c"] });
    const never = tryUse(counts, tags, policy({ tagsPerHour: 2 }), NOON);
    expect(never?.retryAfterSeconds).toBe(3_600);
    const caps = policy({ topicPerHour: 0, campaignPer72Hours: 0 });
    const both = tryUse(counts, labels({ topic: "t", campaign: "c" }), caps, NOON);
    const quota = { scope: "campaign_cardinality", limit: 0, retryAfterSeconds: 72 * 3_600 };
    expect(both).toEqual(quota);
  });

  it("write each label at most once a minute, and are the same after a restart", () => {
    const counts = new LabelCounts([]);
    const item = labels({ tags: ["a"], campaign: "x" });
    const written = Array.from({ length: 121 }, (_, second) =>
      counts.use([item], NOON + second * 1_000),
    ).flat();
    const rows = written.map((row) => `${row.kind} ${(row.seenAt - NOON) / LABEL_REFRESH_MS}`);
    expect(rows.join()).toBe("tags 0,campaign 0,tags 1,campaign 1,tags 2,campaign 2");
    const restarted = new LabelCounts(written.slice(-2));
    const used = (next: Partial<Labels>, caps: Partial<Policy>) =>
      tryUse(restarted, labels(next), policy(caps), NOON + 130_000);
    expect(used({ tags: ["b"] }, { tagsPerHour: 1 })?.retryAfterSeconds).toBe(3_590);
    expect(used({ campaign: "x" }, { campaignPerHour: 1 })).toBeNull();
  });

  it("agree with a list of all uses, and accept an item exactly at the announced time", () => {
    const step = fc.record({
      wait: fc.nat(20 * 60_000),
      tags: fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e", "f"), { maxLength: 3 }),
      campaign: fc.option(fc.constantFrom("p", "q", "r", "s")),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 50 }), (steps) => {
        const caps = policy({ tagsPerHour: 3, campaignPerHour: 2, campaignPer72Hours: 3 });
        const counts = new LabelCounts([]);
        const uses: Use[] = [];
        let now = NOON;
        for (const { wait, tags, campaign } of steps) {
          now += wait;
          const item = labels({ tags, campaign });
          const quota = tryUse(counts, item, caps, now);
          expect(quota === null).toBe(fits(uses, item, caps, now));
          if (!quota) uses.push({ at: now, item });
          else {
            expect(fits(uses, item, caps, now + quota.retryAfterSeconds * 1_000)).toBe(true);
            expect(fits(uses, item, caps, now + quota.retryAfterSeconds * 1_000 - 1_000)).toBe(
              false,
            );
          }
        }
      }),
    );
  });
});

interface Use {
  readonly at: number;
  readonly item: Labels;
}

/**
 * States the rule independently of the product: the number of distinct values in the window,
 * including this item's values, is at most the cap. An item without new values always fits.
 */
function fits(uses: readonly Use[], item: Labels, caps: Policy, now: number): boolean {
  const campaigns = ({ campaign }: Labels) => (campaign === null ? [] : [campaign]);
  const room = (valuesOf: (labels: Labels) => readonly string[], lengthMs: number, cap: number) => {
    const known = new Set(
      uses.filter(({ at }) => at + lengthMs > now).flatMap((use) => valuesOf(use.item)),
    );
    return (
      valuesOf(item).every((value) => known.has(value)) ||
      new Set([...known, ...valuesOf(item)]).size <= cap
    );
  };
  return (
    room(({ tags }) => tags, HOUR, caps.tagsPerHour) &&
    room(campaigns, HOUR, caps.campaignPerHour) &&
    room(campaigns, 72 * HOUR, caps.campaignPer72Hours)
  );
}
