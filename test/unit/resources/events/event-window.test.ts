// Tests src/resources/events/event-window.ts: windows, and positions in the history.
import { describe, expect, it } from "vitest";
import { formatPosition, positionOf } from "../../../../src/resources/events/event-window.ts";
import { DAY } from "./sample-events.ts";

const now = Date.UTC(2026, 9, 20, 12);
const ID = "evt_01a1592ec6007caa868e6f925ba81dcd";

describe("the window of a scan", () => {
  it("is the last 24 hours if the query names no time", () => {
    expect(positionOf({}, null, 30, now)).toEqual({ start: now - DAY, at: now, id: "", seen: {} });
  });

  it("starts a day before the given end, if the query names no start", () => {
    const end = now - 5 * DAY;
    const position = { start: end - DAY, at: end, id: "", seen: {} };
    expect(positionOf({ end }, null, 30, now)).toEqual(position);
  });

  it.each([3, 7, 30])("starts at most %d days ago, by the plan's retention", (days) => {
    expect(positionOf({ start: 0 }, null, days, now).start).toBe(now - days * DAY);
  });

  it("is empty if it is older than the retention, or ends before it starts", () => {
    const nothing = { start: now - 3 * DAY, at: now - 3 * DAY, id: "", seen: {} };
    expect(positionOf({ start: 0, end: now - 4 * DAY }, null, 3, now)).toEqual(nothing);
    const backwards = { start: now, at: now, id: "", seen: {} };
    expect(positionOf({ start: now, end: now - DAY }, null, 30, now)).toEqual(backwards);
  });

  it("ends at most a day after now, in case the caller's clock is fast", () => {
    const far = Date.UTC(9999, 11, 31);
    for (const asked of [{ start: now, end: far }, { start: far }])
      expect(positionOf(asked, null, 30, now).at).toBe(now + DAY);
  });

  it.each([Date.UTC(10_000, 0, 2), -70_000_000_000_000])(
    "may start or end at a moment outside the years of ISO 8601 (%d)",
    (moment) => {
      for (const asked of [{ start: moment }, { end: moment }, { start: moment, end: moment }])
        expect(positionOf(asked, null, 30, now)).toBeDefined();
    },
  );

  it("is that of the first page on every page, whatever the clock and the query are later", () => {
    const position = { start: now - DAY, at: now - 5_000, id: ID, seen: {} };
    const asked = { start: now, end: now };
    const later = positionOf(asked, formatPosition(position), 30, now + 3_600_000);
    expect(later).toEqual(position);
  });

  it("comes with the bookmarks of the previous page, except a text that is not a bookmark", () => {
    const position = { start: now - DAY, at: now - 17, id: "" };
    const one = "00000085-0000024c-00004c6d-8e61117bf38d7adb71b934ebbf891683";
    const other = "00000001-00000002";
    const seenAgain = (first: string) => {
      const next = formatPosition({ ...position, seen: { 0: first, 12: other } });
      return positionOf({}, next, 30, now);
    };
    expect(seenAgain(one)).toEqual({ ...position, seen: { 0: one, 12: other } });
    for (const text of ["first-primary", "x".repeat(2_000), " "])
      expect(seenAgain(text)).toEqual({ ...position, seen: { 12: other } });
  });

  it("never starts before the plan's retention, whatever position the query has", () => {
    const next = formatPosition({ start: now - 30 * DAY, at: now, id: ID, seen: {} });
    expect(positionOf({}, next, 3, now).start).toBe(now - 3 * DAY);
  });

  const odd = "x 1.2 1.2.x 1.. 1.2.evt_1 -1.2. 1.2..0 1.2..0: 1.2..0:a:b 1.2..".split(" ");
  it.each(["", ...odd, `1.2.${ID.toUpperCase()}`, `1.2.EVT${ID.slice(3)}`])(
    "can't continue at the invalid position %j",
    (after) => {
      expect(() => positionOf({}, after, 30, now)).toThrow("invalid");
    },
  );
});
