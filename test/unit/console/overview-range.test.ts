// Tests the time ranges of the console's overview.
import { describe, expect, it } from "vitest";
import {
  chosenRange,
  intervalName,
  allowedRanges,
  readOverviewSearch,
  statsPath,
  windowBefore,
  windowOfRange,
} from "../../../console/src/pages/overview/overview-range.ts";

const NOW = Date.parse("2026-11-22T16:48:30.000Z");
const text = ({ start, end }: { start: number; end: number }) =>
  [start, end].map((ms) => new Date(ms).toISOString());

describe("the offered ranges", () => {
  it.each([
    [30, [1, 14, 30]],
    [8, [1, 7]],
    [4, [1, 3]],
    [1, [1]],
  ])("of %i covered days are %j", (covered, ranges) => {
    expect(allowedRanges(covered)).toEqual(ranges);
  });

  it("follow the page's URL, or else cover up to two weeks", () => {
    expect(chosenRange(30, [1, 14, 30])).toBe(30);
    expect(chosenRange(undefined, [1, 14, 30])).toBe(14);
    expect(chosenRange(14, [1, 7])).toBe(7);
  });
});

describe("the page's URL", () => {
  it("keeps whole days up to the longest retention, and whether the simulator counts", () => {
    expect(readOverviewSearch({ days: 7 })).toEqual({ days: 7 });
    expect(readOverviewSearch({ days: "14" })).toEqual({ days: 14 });
    for (const days of [0, 31, 1.5, "x", undefined])
      expect(readOverviewSearch({ days, open: "x", simulator: "x" })).toEqual({});
    expect(readOverviewSearch({ simulator: "include" })).toEqual({ simulator: "include" });
  });
});

describe("a window", () => {
  it("has whole hours or days, and includes the current one", () => {
    expect(text(windowOfRange(1, NOW))[0]).toBe("2026-11-21T17:00:00.000Z");
    expect(text(windowOfRange(14, NOW))[0]).toBe("2026-11-09T00:00:00.000Z");
  });

  it("is compared with as many hours before it", () => {
    expect(text(windowBefore(windowOfRange(14, NOW)))).toEqual([
      "2026-10-26T07:00:00.000Z",
      "2026-11-09T00:00:00.000Z",
    ]);
  });

  it("is asked for by a request that can be copied", () => {
    expect(statsPath(windowOfRange(14, NOW), "exclude")).toBe(
      "/v1/stats?interval=day&start=2026-11-09T00:00:00.000Z&simulator=exclude",
    );
  });
});

describe("an interval's name", () => {
  it("is the day of UTC, or the hour of the reader's clock", () => {
    expect(intervalName("2026-11-09T00:00:00.000Z", "day", "America/New_York")).toBe("9 Nov");
    expect(intervalName("2026-11-09T14:00:00.000Z", "hour", "Asia/Kolkata")).toBe("19:30");
  });
});
