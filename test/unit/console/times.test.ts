// Tests how the console writes times in a zone, and reads them from a field, also when clocks
// change.
import { describe, expect, it } from "vitest";
import {
  fieldOf,
  formatExact,
  formatOfDay,
  formatStamp,
  formatTime,
  formatTitle,
  formatWithin,
  timesOf,
  utcOf,
} from "../../../console/src/parts/time/times.ts";

const AT = Date.parse("2026-11-24T13:03:22.481Z");
const DAY_MS = 86_400_000;

describe("a time", () => {
  it.each([
    ["Europe/Berlin", "24 Nov, 14:03 CET", "14:03:22 CET", "2026-11-24T14:03:22.481+01:00"],
    ["America/New_York", "24 Nov, 08:03 EST", "08:03:22 EST", "2026-11-24T08:03:22.481-05:00"],
    ["Asia/Kabul", "24 Nov, 17:33 GMT+4:30", "17:33:22 GMT+4:30", "2026-11-24T17:33:22.481+04:30"],
    ["Europe/London", "24 Nov, 13:03 GMT", "13:03:22 GMT", "2026-11-24T13:03:22.481+00:00"],
    ["UTC", "24 Nov, 13:03 UTC", "13:03:22 UTC", "2026-11-24T13:03:22.481Z"],
  ])("in %s is %s, and %s by the clock", (zone, exact, clock, stamp) => {
    expect(formatExact(AT, { now: AT, zone })).toBe(exact);
    expect(formatOfDay(AT, zone, "second")).toBe(clock);
    expect(formatStamp(AT, zone)).toBe(stamp);
    expect(Date.parse(stamp)).toBe(AT);
  });

  it("has its year if the zone's current year is another year", () => {
    const newYear = Date.parse("2026-12-31T23:30:00.000Z");
    expect(formatExact(AT, { now: newYear, zone: "UTC" })).toBe("24 Nov, 13:03 UTC");
    expect(formatExact(AT, { now: newYear, zone: "Europe/Berlin" })).toBe("24 Nov 2026, 14:03 CET");
  });

  it.each([
    [-1, "just now"],
    [60_000, "1 min ago"],
    [-90 * 60_000, "in 2 h"],
    [DAY_MS, "24 Nov, 14:03 CET"],
    [-DAY_MS, "24 Nov, 14:03 CET"],
  ])("%i ms ago is %s", (age, text) => {
    expect(formatTime(AT, { now: AT + age, zone: "Europe/Berlin" })).toBe(text);
  });

  it("has its exact time in UTC in its title", () => {
    expect(formatTitle(AT, { now: AT, zone: "Europe/Berlin" })).toBe(
      "24 Nov, 14:03 CET (2026-11-24T13:03:22.481Z)",
    );
  });
});

describe("a sentence of the service", () => {
  const SENTENCE =
    "It tries again at 23:30 UTC on 5 July 2026, until 14:03 UTC on 22 November 2026.";

  it("has its times converted into the zone, and is unchanged in UTC", () => {
    expect(formatWithin(SENTENCE, "Europe/Berlin")).toBe(
      "It tries again at 01:30 CEST on 6 July 2026, until 15:03 CET on 22 November 2026.",
    );
    expect(formatWithin(SENTENCE, "UTC")).toBe(SENTENCE);
  });
});

describe("a field of a time", () => {
  it.each([
    // Clocks go forward at 02:00 and back at 03:00 in Berlin, and at 02:00 in New York.
    ["Europe/Berlin", "2026-03-29T01:59", "2026-03-29T00:59:00.000Z", 1],
    ["Europe/Berlin", "2026-03-29T02:30", "2026-03-29T01:30:00.000Z", 0],
    ["Europe/Berlin", "2026-03-29T03:00", "2026-03-29T01:00:00.000Z", 1],
    ["Europe/Berlin", "2026-10-25T01:59", "2026-10-24T23:59:00.000Z", 1],
    ["Europe/Berlin", "2026-10-25T02:30", "2026-10-25T00:30:00.000Z", 2],
    ["Europe/Berlin", "2026-10-25T03:00", "2026-10-25T02:00:00.000Z", 1],
    ["America/New_York", "2026-03-08T02:15", "2026-03-08T07:15:00.000Z", 0],
    ["America/New_York", "2026-11-01T01:15", "2026-11-01T05:15:00.000Z", 2],
    ["America/New_York", "2026-11-01T02:00", "2026-11-01T07:00:00.000Z", 1],
    ["Asia/Kolkata", "2026-03-29T02:30", "2026-03-28T21:00:00.000Z", 1],
    ["UTC", "2026-03-29T02:30", "2026-03-29T02:30:00.000Z", 1],
  ])("in %s with %s is %s, which comes %i times", (zone, field, utc, times) => {
    expect(utcOf(field, zone)).toBe(utc);
    expect(timesOf(field, zone)).toHaveLength(times);
    // A time that does not exist, because clocks go forward, is shown an hour later.
    const shown = times === 0 ? field.replace("T02", "T03") : field;
    expect(fieldOf(Date.parse(utc), zone)).toBe(shown);
  });

  it("without a time has none", () => {
    expect(utcOf("", "Europe/Berlin")).toBeUndefined();
    expect(timesOf("", "Europe/Berlin")).toEqual([]);
  });
});
