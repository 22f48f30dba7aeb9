// Tests the filters of the console's message log: in the page's URL, in links from statistics to
// the log, and in the sentence that describes the filters.
import { describe, expect, it } from "vitest";
import { FILTER_LABELS, filtersInForce } from "../../../console/src/pages/messages/filter-texts.ts";
import {
  logSearchOf,
  pathOf,
  readFragment,
  readMessagesSearch,
  toLogQuery,
  writeFragment,
} from "../../../console/src/pages/messages/messages-search.ts";

const NOW = Date.parse("2026-11-22T14:00:00.000Z");

describe("filters in the page's URL", () => {
  it("keep a recipient and a subject out of the URL's query", () => {
    const fragment = { recipient: "ada+x@example.org", subject: "100 % & more=less" };
    const text = writeFragment(fragment);
    expect(text).toBe("recipient=ada%2Bx%40example.org&subject=100%20%25%20%26%20more%3Dless");
    expect(readFragment(`#${text}`)).toEqual(fragment);
    expect(readMessagesSearch({ ...fragment, topic: "x" })).toEqual({ topic: "x" });
  });

  it("take numbers that the router parsed, and ignore unknown members", () => {
    const raw = { campaign: 2026, days: 7, view: "else", event_type: "email.sent", open: " e " };
    const read = { campaign: "2026", days: "7", event_type: "email.sent", open: "e" };
    expect(readMessagesSearch({ ...raw, unknown: "1", tags: ["a"] })).toEqual(read);
    expect(readFragment("recipient=%E0%A4%A&other=1")).toEqual({ recipient: "%E0%A4%A" });
  });

  it("become the API's query", () => {
    const search = readMessagesSearch({ days: "3", tags: "a, b", open: "e", view: "events" });
    const query = toLogQuery(search, { recipient: "ada@example.org" }, NOW);
    const asked = { recipient: "ada@example.org", tags: "a, b" };
    expect(query).toEqual({ ...asked, start: "2026-11-19T14:00:00.000Z" });
    expect(pathOf({ tags: "a, b" }, 50)).toBe("/v1/events?tags=a%2C%20b&limit=50");
    const window = { start: "2026-11-01", end: "2026-11-02" };
    expect(toLogQuery({ days: "3", ...window }, {}, NOW)).toEqual(window);
  });
});

describe("a finding's link", () => {
  it("asks the service for the very events that a finding names", () => {
    const path =
      "/v1/events?event_type=email.bounced&provider=none&start=2026-11-22T02%3A53%3A10.000Z" +
      "&bounce_classification=SpamBlock%2Cnone&refusal=550+Not+from+%E2%80%A6+%28S3150%29";
    expect(toLogQuery(logSearchOf(path), {}, NOW)).toEqual(
      Object.fromEntries(new URL(path, "https://api.test").searchParams),
    );
  });
});

describe("the active filters", () => {
  it("are described in words", () => {
    const search = {
      event_type: "email.bounced",
      bounce_classification: "SpamBlock,none",
      provider: "microsoft",
      start: "2026-11-22T14:00:00.000Z",
      refusal: "550 No.",
      open: "email_1",
      view: "events",
    } as const;
    const said = filtersInForce(search, { recipient: "ada@example.org" }, () => "Microsoft", {
      now: Date.parse("2026-11-23T12:00:00.000Z"),
      zone: "UTC",
    });
    expect(said.map(({ name, value }) => `${FILTER_LABELS[name]}: ${value}`)).toEqual([
      "Event type: Bounced",
      "From: 22 Nov, 14:00 UTC",
      "Provider: Microsoft",
      "Recipient: ada@example.org",
      "Server reply: “550 No.”",
      "Bounce reason: Sender blocked, Not classified",
    ]);
  });
});
