// Drawings and texts of the overview: layers, rates, axes, CSV, and a new team's first commands.
import { describe, expect, it } from "vitest";
import {
  labelledPlaces,
  rateMarks,
  ratesOf,
  rateTop,
  stackedBars,
} from "../../../console/src/pages/overview/chart-series.ts";
import { sendCommand, simulatorOf } from "../../../console/src/pages/overview/first-command.ts";
import { topDomains } from "../../../console/src/pages/overview/overview-figures.ts";
import { recipientDomainsCsv } from "../../../console/src/pages/overview/recipient-domains-csv.ts";
import { entryOn } from "./stats-entries.ts";

describe("stacked bars", () => {
  it("lay each part upon the one below", () => {
    const bars = stackedBars([
      entryOn(1, { sent: 10, delivered: 6, delayed: 9, bounced: 1 }),
      entryOn(2, {}),
    ]);
    expect(bars).toEqual({
      places: [0, 1],
      delivered: [6, null],
      delayed: [9, null],
      bounced: [10, null],
    });
  });
});

describe("a rate", () => {
  it("has a gap where nothing was sent", () => {
    expect(ratesOf("bounced", [entryOn(1, { sent: 50, bounced: 1 }), entryOn(2, {})])).toEqual([
      2,
      null,
    ]);
  });

  it("has its threshold in sight, and labels that keep apart", () => {
    expect(rateTop([0.5], [2])).toBe(2.5);
    expect(rateMarks([0.5], [2], 2.5)).toEqual([0, 0.5, 2]);
    expect(rateMarks([0.11], [0.1, 0.3], 0.375)).toEqual([0, 0.1, 0.3]);
    expect(rateMarks([20], [0.1, 0.3], 25)).toEqual([0, 20]);
  });

  it("has an axis without any data too", () => {
    expect(rateTop([null], [])).toBe(100);
  });
});

describe("an axis", () => {
  it("labels the last place, and as many as its width holds", () => {
    expect(labelledPlaces(14, 1_000)).toHaveLength(14);
    expect(labelledPlaces(30, 240)).toEqual([4, 9, 14, 19, 24, 29]);
  });
});

describe("the CSV of recipient domains", () => {
  it("has a line for each domain, with every count", () => {
    const { top } = topDomains([entryOn(1, { sent: 2, delivered: 2 }, "gmail.com")], 20);
    expect(recipientDomainsCsv(top)).toBe(
      "domain,messages,sent,delivered,delayed,bounced,complained,opened,clicked,unsubscribed,suppressed\r\n" +
        "gmail.com,2,2,2,0,0,0,0,0,0,0\r\n",
    );
  });
});

describe("a new team's first message", () => {
  it("goes to the simulator of the service whose records the domain has", () => {
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
