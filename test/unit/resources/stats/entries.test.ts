// Tests src/resources/stats/entries.ts: an entry for each interval, and exact sums whichever
// domains are named.
import { describe, expect, it } from "vitest";
import { DAY_MS, HOUR_MS } from "../../../../src/limits.ts";
import { HourCounts } from "../../../../src/resources/stats/hour-counts.ts";
import { COUNTED } from "../../../../src/resources/stats/type-counts.ts";
import { WindowCounts } from "../../../../src/resources/stats/entries.ts";
import type { EventType } from "../../../../src/rpc/event-types.ts";
import { aCounted, writtenHour } from "./sample-counts.ts";
import type { StatsEntry } from "../../../../src/resources/stats/wire.ts";

const MIDNIGHT = Date.UTC(2026, 9, 20);

/** Makes the row of one hour, with the given number of events for each domain. */
function anHour(
  domains: Readonly<Record<string, number>>,
  type: EventType = "email.sent",
): HourCounts {
  const hour = new HourCounts();
  for (const [domain, count] of Object.entries(domains))
    for (let index = 0; index < count; index += 1)
      hour.count(aCounted({ type, recipient: `a@${domain}` }));
  return HourCounts.parse(hour.toText());
}

const hours = (count: number) =>
  new WindowCounts({ interval: "hour", start: MIDNIGHT, end: MIDNIGHT + count * HOUR_MS });
const totalOf = ({ counts }: StatsEntry) =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);
const brief = (entries: readonly StatsEntry[]) =>
  entries.map((entry) => [
    new Date(entry.start).toISOString().slice(8, 13),
    entry.recipient_domain,
    totalOf(entry),
  ]);

describe("entries", () => {
  it("exist for each interval in order, with zeros for an interval without events", () => {
    const counts = hours(3);
    counts.add(MIDNIGHT + HOUR_MS, anHour({ "x.example": 2 }, "email.opened"));
    expect(brief(counts.entries())).toEqual([
      ["20T00", undefined, 0],
      ["20T01", undefined, 2],
      ["20T02", undefined, 0],
    ]);
    expect(Object.keys(counts.entries()[0]!.counts)).toEqual([...COUNTED]);
    expect(counts.entries()[0]).toMatchObject({ counts: { sent: 0, suppressed: 0 }, bounced: {} });
  });

  it("for days are the sums of their hours, without hours outside of the window", () => {
    const end = MIDNIGHT + 2 * DAY_MS;
    const counts = new WindowCounts({ interval: "day", start: MIDNIGHT, end });
    for (const hour of [-1, 0, 23, 24, 47, 48])
      counts.add(MIDNIGHT + hour * HOUR_MS, anHour({ "x.example": 1 }));
    expect(brief(counts.entries())).toEqual([
      ["20T00", undefined, 2],
      ["21T00", undefined, 2],
    ]);
    const total = { start: "2026-10-20T00:00:00.000Z", counts: { sent: 4 } };
    expect(counts.total()).toMatchObject(total);
  });

  it("do not exist for an empty window", () => {
    const counts = hours(0);
    const all = [
      counts.entries(),
      counts.entriesByDomain("recipient_domain"),
      totalOf(counts.total()),
    ];
    expect(all).toEqual([[], [], 0]);
  });
});

describe("entries by recipient domain", () => {
  it("name each domain that occurs, the largest first", () => {
    const counts = hours(3);
    counts.add(MIDNIGHT, anHour({ "small.example": 1, "large.example": 3, "also.example": 1 }));
    counts.add(MIDNIGHT + 2 * HOUR_MS, anHour({ "small.example": 2 }));
    expect(brief(counts.entriesByDomain("recipient_domain"))).toEqual([
      ["20T00", "large.example", 3],
      ["20T00", "also.example", 1],
      ["20T00", "small.example", 1],
      ["20T02", "small.example", 2],
    ]);
  });

  it("end with `other`, which counts the domains that their hour does not name", () => {
    const counts = hours(1);
    const domains = Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`d${index}.example`, index === 70 ? 9 : 1]),
    );
    counts.add(MIDNIGHT, anHour(domains));
    const entries = brief(counts.entriesByDomain("recipient_domain"));
    expect(entries).toHaveLength(65);
    expect(entries[0]).toEqual(["20T00", "d70.example", 9]);
    expect(entries.at(-1)).toEqual(["20T00", "other", 36]);
  });

  it("name only the 200 largest domains of a window, and their sum stays exact", () => {
    const counts = hours(10);
    for (let hour = 0; hour < 10; hour += 1) {
      const domains: Record<string, number> = { "all.example": 1 };
      for (let index = 0; index < 60; index += 1) domains[`d${hour}-${index}.example`] = index + 1;
      counts.add(MIDNIGHT + hour * HOUR_MS, anHour(domains));
    }
    const entries = counts.entriesByDomain("recipient_domain");
    const names = new Set(entries.map(({ recipient_domain: name }) => name));
    expect(names.size).toBe(200 + 1);
    const named = ["all.example", "d3-59.example", "d3-0.example"].map((name) => names.has(name));
    expect(named).toEqual([false, true, false]);
    const sum = entries.reduce((total, entry) => total + totalOf(entry), 0);
    expect(sum).toBe(totalOf(counts.total()));
  });
});

describe("entries by sending domain", () => {
  it("count all mail", () => {
    const counts = hours(1);
    const events = ["a", "a", "b"].map((sender) => aCounted({ sender: `${sender}.example` }));
    counts.add(MIDNIGHT, writtenHour([events]));
    const entries = counts.entriesByDomain("sending_domain");
    expect(entries.map((entry) => [entry.sending_domain, totalOf(entry)])).toEqual([
      ["a.example", 2],
      ["b.example", 1],
    ]);
  });
});
