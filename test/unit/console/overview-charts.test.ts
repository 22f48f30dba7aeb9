// Tests the drawings and texts of the console's overview: layers, rates, axes, CSV, and a new
// team's first commands.
import { describe, expect, it } from "vitest";
import {
  labelledIndexes,
  rateMarks,
  ratesOf,
  rateTop,
  stackedBars,
} from "../../../console/src/pages/overview/chart-series.ts";
import { barLinks, pointLinks } from "../../../console/src/pages/overview/chart-links.ts";
import { sendCommand, simulatorOf } from "../../../console/src/pages/overview/first-command.ts";
import { topDomains } from "../../../console/src/pages/overview/overview-figures.ts";
import { recipientDomainsCsv } from "../../../console/src/pages/overview/recipient-domains-csv.ts";
import { linkAfter } from "../../../console/src/parts/plot/plot-keys.ts";
import { entryOn } from "./stats-entries.ts";

describe("stacked bars", () => {
  it("stack each part on the part below", () => {
    const busy = entryOn(1, { sent: 10, delivered: 6, delayed: 9, bounced: 1 });
    const bars = { places: [0, 1], delivered: [6, null], delayed: [9, null], bounced: [10, null] };
    expect(stackedBars([busy, entryOn(2, {})])).toEqual(bars);
  });
});

describe("a rate", () => {
  it("has a gap where nothing was sent", () => {
    const rates = ratesOf("bounced", [entryOn(1, { sent: 50, bounced: 1 }), entryOn(2, {})]);
    expect(rates).toEqual([2, null]);
  });

  it("shows its threshold, and labels that do not overlap", () => {
    expect(rateTop([0.5], [2])).toBe(2.5);
    expect(rateMarks([0.5], [2], 2.5)).toEqual([0, 0.5, 2]);
    expect(rateMarks([0.11], [0.1, 0.3], 0.375)).toEqual([0, 0.1, 0.3]);
    expect(rateMarks([20], [0.1, 0.3], 25)).toEqual([0, 20]);
  });

  it("has an axis without any data too", () => {
    expect(rateTop([null], [])).toBe(100);
  });
});

describe("a link of a chart", () => {
  const entries = [
    entryOn(21, { sent: 10, delivered: 6, delayed: 9, bounced: 1 }),
    entryOn(22, {}),
    entryOn(23, { sent: 2, delivered: 1, bounced: 1 }),
  ];
  const now = Date.parse("2026-11-23T17:00:00.000Z");
  const spans = { interval: "day", now, zone: "Asia/Kolkata" } as const;
  const bars = barLinks(entries, spans);
  const named = (part: string, place: number) =>
    bars.find((one) => one.part === part && one.place === place);

  it("leads a part of a bar to the events of its outcome and interval", () => {
    const bounced = named("bounced", 0);
    expect(bounced?.label).toBe("21 Nov (UTC): 1 bounced");
    const day = { start: "2026-11-21T00:00:00.000Z", end: "2026-11-22T00:00:00.000Z" };
    expect(bounced?.search).toEqual({ event_type: "email.bounced", ...day });
    // The highest bar is 10, and the axis ends 8 % above it.
    expect(bounced?.from).toBeCloseTo(9 / 10.8);
    expect(bounced?.to).toBeCloseTo(10 / 10.8);
    expect(named("delayed", 2)).toBeUndefined();
  });

  it("leads a whole interval to all of its events, and says that the present one is not over", () => {
    expect(named("all", 2)).toMatchObject({ from: 0, to: 1 });
    expect(named("all", 2)?.search["event_type"]).toBeUndefined();
    expect(named("all", 2)?.label).toBe(
      "23 Nov (UTC) so far: 2 sent, 1 delivered, 0 delayed, 1 bounced",
    );
    expect(named("all", 1)?.label).toMatch(/^22 Nov \(UTC\): 0 sent/);
  });

  it("leads a point to the events that its share counts", () => {
    const points = pointLinks("bounced", entries, spans);
    expect(points.map(({ label }) => label)).toEqual([
      "21 Nov (UTC): 10% bounced, 1",
      "23 Nov (UTC) so far: 50% bounced, 1",
    ]);
    expect(points[0]?.search["event_type"]).toBe("email.bounced");
  });

  it("names an hour in the reader's zone, and asks for it in UTC", () => {
    const [hour] = barLinks(entries.slice(0, 1), { ...spans, interval: "hour" });
    expect(hour?.label).toMatch(/^05:30 GMT\+5:30: /);
    expect(hour?.search["end"]).toBe("2026-11-21T01:00:00.000Z");
  });

  it.each([
    ["ArrowRight", "bounced", 0, "all 1"],
    ["ArrowRight", "bounced", 2, undefined],
    ["ArrowLeft", "all", 2, "all 1"],
    ["ArrowUp", "all", 0, "delivered 0"],
    ["ArrowUp", "delivered", 2, "bounced 2"],
    ["ArrowDown", "all", 0, undefined],
    ["Home", "bounced", 2, "bounced 0"],
    ["End", "delayed", 0, "all 2"],
    ["Enter", "all", 0, undefined],
  ])("gives the focus by %s from %s of %i to %s", (key, part, place, expected) => {
    const next = linkAfter(bars, named(part, place)!, key);
    expect(next && `${next.part} ${next.place}`).toBe(expected);
  });
});

describe("an axis", () => {
  it("labels the last place, and as many as its width holds", () => {
    expect(labelledIndexes(14, 1_000)).toHaveLength(14);
    expect(labelledIndexes(30, 240)).toEqual([4, 9, 14, 19, 24, 29]);
  });
});

describe("the CSV of recipient domains", () => {
  it("has a line for each domain, with every count", () => {
    const { top } = topDomains([entryOn(1, { sent: 2, delivered: 2 }, "gmail.com")], 20);
    expect(recipientDomainsCsv(top)).toBe(
      "domain,recipients,sent,delivered,delayed,bounced,complained,opened,clicked,unsubscribed,suppressed\r\n" +
        "gmail.com,2,2,2,0,0,0,0,0,0,0\r\n",
    );
  });
});

describe("a new team's first message", () => {
  it("goes to the simulator of the service to which the domain's records lead", () => {
    const record = { type: "CNAME", name: "bounces", purpose: "verification" } as const;
    const value = "45tsx5pl567uhhx3.return-path.postern.test";
    expect(simulatorOf([{ dns_records: [{ ...record, value }] }])).toBe("simulator.postern.test");
    expect(simulatorOf([{ dns_records: [] }])).toBeNull();
  });

  it("is a command that can be copied", () => {
    expect(sendCommand("https://api.example.com", "acme.shop", "ada@example.org")).toBe(
      `curl -sS 'https://api.example.com/v1/email' -H "Authorization: Bearer $POSTERN_API_KEY" ` +
        `-H 'Content-Type: application/json' -d '{"from":"hello@acme.shop",` +
        `"to":["ada@example.org"],"subject":"Hello","text":"It works."}'`,
    );
  });
});
