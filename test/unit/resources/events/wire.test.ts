// Tests src/resources/events/wire.ts: the query of GET /events and the form of an event.
import { describe, expect, it } from "vitest";
import { EventQuery } from "../../../../src/resources/events/wire.ts";

const TEXTS = "recipient email_id message_id domain topic campaign template_id ip_pool".split(" ");

/** Returns the errors of an events query: the message for each parameter. */
function problems(query: Record<string, unknown>): Record<string, string> {
  const result = EventQuery.safeParse(query);
  return Object.fromEntries(
    (result.error?.issues ?? []).map((issue) => [issue.path.join("."), issue.message]),
  );
}

describe("the query for events", () => {
  it("treats a query without parameters as one without filters", () => {
    expect(EventQuery.parse({})).toEqual({});
  });

  it("treats an empty parameter as a value: as a time or a type it is invalid, as another text it finds no event", () => {
    const wrong = problems({ start: "", end: "", event_type: "" });
    expect(Object.keys(wrong)).toEqual(["start", "end", "event_type"]);
    const empty = Object.fromEntries(TEXTS.map((name) => [name, ""]));
    expect(EventQuery.parse({ ...empty, tags: "" })).toEqual({ ...empty, tags: [""] });
  });

  it.each(["", " ", "!", "💥"])("refuses the subject %j, which has no word", (subject) => {
    expect(problems({ subject })).toEqual({ subject: "must have a letter or a digit" });
  });

  it.each(["email.exploded", "webhook.test", "sent", "EMAIL.SENT"])(
    "refuses the type %s, naming its field",
    (type) => {
      expect(problems({ event_type: type })).toEqual({
        event_type: expect.stringContaining("email.sent"),
      });
    },
  );

  it("lower-cases the recipient and nothing else", () => {
    const same = { campaign: "Spring", topic: "Receipts", message_id: "<A@b>" };
    const query = EventQuery.parse({ recipient: "Ada@Example.ORG", tags: "Red", ...same });
    expect(query).toEqual({ recipient: "ada@example.org", tags: ["Red"], ...same });
  });

  it.each([
    ["a composed local part", "Jose\u0301@example.org", "jos\u00e9@example.org"],
    ["a domain in ASCII", "ada@BÜCHER.example", "ada@xn--bcher-kva.example"],
    ["both", " Jo\u0308rg@Bu\u0308cher.example ", "j\u00f6rg@xn--bcher-kva.example"],
    ["an address without needless quotes", '"Ada"@example.org', "ada@example.org"],
    ["a text that is not an address, in lower case", "Nobody At All", "nobody at all"],
  ])("looks for a recipient in the form that events keep: %s", (_name, given, kept) => {
    expect(EventQuery.parse({ recipient: given }).recipient).toBe(kept);
  });

  it("reads a recipient's domain in ASCII and lower case, and takes a provider that has a rule", () => {
    expect(EventQuery.parse({ recipient_domain: "BÜCHER.example", provider: "google" })).toEqual({
      recipient_domain: "xn--bcher-kva.example",
      provider: "google",
    });
    expect(Object.keys(problems({ provider: "acme" }))).toEqual(["provider"]);
  });

  it("reads times as milliseconds, and refuses other texts, naming the field", () => {
    const query = EventQuery.parse({ start: "2026-10-20T00:00:00Z", end: "2026-10-20T00:00:01Z" });
    expect(query).toEqual({ start: Date.UTC(2026, 9, 20), end: Date.UTC(2026, 9, 20, 0, 0, 1) });
    expect(Object.keys(problems({ start: "now", end: "1760000000" }))).toEqual(["start", "end"]);
  });

  it("splits tags at commas, drops empty and repeated tags, and accepts the parameter several times", () => {
    expect(EventQuery.parse({ tags: " a,b,,a , c" }).tags).toEqual(["a", "b", "c"]);
    expect(EventQuery.parse({ tags: ["a,b", "c"] }).tags).toEqual(["a", "b", "c"]);
    expect(EventQuery.parse({ tags: ", ," }).tags).toEqual([""]);
  });

  it("accepts classes of bounces, and refuses any other name", () => {
    const query = { bounce_classification: "SpamBlock, none", refusal: "550 5.7.1 by 192.0.2.1" };
    const read = { bounce_classification: ["SpamBlock", "none"], refusal: "550 5.7.1 by …" };
    expect(EventQuery.parse(query)).toEqual(read);
    const wrong = problems({ bounce_classification: ["SpamBlock", "spam"] });
    expect(wrong).toEqual({ bounce_classification: expect.stringContaining("SpamBlock") });
  });

  it("takes ten tags and refuses eleven", () => {
    const names = Array.from({ length: 11 }, (_, index) => `t${index}`);
    expect(EventQuery.parse({ tags: names.slice(1).join(",") }).tags).toHaveLength(10);
    expect(problems({ tags: names.join(",") })).toEqual({ tags: "must be at most 10 tags" });
  });

  it.each(["start", "end", "event_type", "refusal", ...TEXTS])(
    "refuses the parameter %s if it is given twice, naming its field",
    (name) => {
      expect(Object.keys(problems({ [name]: ["a", "b"] }))).toEqual([name]);
    },
  );
});
