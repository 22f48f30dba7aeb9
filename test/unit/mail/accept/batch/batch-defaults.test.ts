// Tests how an entry of a batch is merged with the batch's defaults, before it is validated like a
// single send.
import { describe, expect, it } from "vitest";
import { attachment, ENTRY, errorsOf, mergeOne, people } from "./validated-batches.ts";

describe("the merge of an entry with the defaults", () => {
  const bare = { to: ["ann@example.org"] };

  it("takes each single value from the entry if present, else from the defaults", () => {
    const defaults = {
      from: "Default <default@example.com>",
      subject: "Default",
      text: "default text",
      html: "<p>default</p>",
      reply_to: "default@example.org",
      topic: "default",
      campaign: "default",
      ip_pool: "receipts",
    };
    expect(mergeOne(defaults, bare)).toMatchObject({
      from: { email: "default@example.com", name: "Default" },
      subject: "Default",
      text: "default text",
      html: "<p>default</p>",
      replyTo: [{ email: "default@example.org" }],
      topic: "default",
      campaign: "default",
      ipPool: "receipts",
    });
    const own = {
      ...ENTRY,
      html: "<p>own</p>",
      reply_to: ["own@example.org"],
      topic: "own",
      campaign: "own",
      ip_pool: "alerts",
    };
    expect(mergeOne(defaults, own)).toEqual(mergeOne({}, own));
    expect(mergeOne(defaults, { ...bare, html: "<p>own</p>" })).toMatchObject({
      text: "default text",
      html: "<p>own</p>",
    });
  });

  it("takes the default where an entry has null, and null in variables is a value", () => {
    const defaults = {
      subject: "Default",
      tags: ["a"],
      headers: { "X-A": "1" },
      metadata: { a: "1" },
      variables: { a: 1, b: 2 },
    };
    const nulls = {
      ...ENTRY,
      subject: null,
      tags: null,
      headers: { "X-A": null },
      metadata: { a: null },
      variables: { a: null },
    };
    expect(mergeOne(defaults, nulls)).toMatchObject({
      subject: "Default",
      tags: ["a"],
      headers: [["X-A", "1"]],
      metadata: { a: "1" },
      variables: { a: null, b: 2 },
    });
  });

  it("merges headers by name without regard to case, and the entry's win", () => {
    const defaults = { headers: { "X-A": "default", "X-B": "default", Bcc: "dropped" } };
    const own = { ...ENTRY, headers: { "x-a": "own", "X-C": "own" } };
    expect(Object.fromEntries(mergeOne(defaults, own).headers)).toEqual({
      "x-a": "own",
      "X-B": "default",
      "X-C": "own",
    });
    expect(mergeOne(defaults, ENTRY).headers).toEqual([
      ["X-A", "default"],
      ["X-B", "default"],
    ]);
  });

  it("joins cc, bcc, attachments and tags, those of the defaults first", () => {
    const defaults = {
      cc: ["c1@example.org"],
      bcc: ["b1@example.org"],
      attachments: [attachment("1.txt")],
      tags: ["one", "two", "one"],
    };
    const email = mergeOne(defaults, {
      ...ENTRY,
      cc: ["c2@example.org"],
      bcc: ["b2@example.org", "C1@example.org"],
      attachments: [attachment("2.txt")],
      tags: ["three", "two"],
    });
    expect(email.cc.map((mailbox) => mailbox.email)).toEqual(["c1@example.org", "c2@example.org"]);
    const names = email.envelope.map((address) => address.split("@")[0]).join();
    expect(names).toBe("ann,c1,c2,b1,b2");
    expect(email.attachments.map(({ filename }) => filename)).toEqual(["1.txt", "2.txt"]);
    expect(email.tags).toEqual(["one", "two", "three"]);
    expect(mergeOne(defaults, ENTRY)).toMatchObject({
      tags: ["one", "two"],
      attachments: [{ filename: "1.txt", content: new TextEncoder().encode("hi") }],
    });
  });

  it("holds joined lists to a single send's limits, tags after duplicates are removed", () => {
    const tags = Array.from({ length: 10 }, (_, index) => `t${index}`);
    expect(mergeOne({ tags }, { ...ENTRY, tags: [...tags].toReversed() }).tags).toEqual(tags);
    expect(errorsOf({ tags }, { ...ENTRY, tags: ["other"] })).toEqual({
      "emails.0.tags": ["has more than 10 different entries"],
    });
    const files = (count: number) => ({ attachments: Array(count).fill(attachment("a.txt")) });
    expect(mergeOne(files(15), { ...ENTRY, ...files(5) }).attachments).toHaveLength(20);
    expect(errorsOf(files(15), ENTRY, { ...ENTRY, ...files(6) })).toEqual({
      "emails.1.attachments": ["has 21 entries with those of defaults; at most 20 are allowed"],
    });
    const lists = { cc: people(30), bcc: people(10, "q") };
    const withBcc = (count: number) => ({ ...ENTRY, bcc: people(count, "r") });
    expect(mergeOne(lists, withBcc(9)).envelope).toHaveLength(50);
    expect(errorsOf(lists, withBcc(10))).toEqual({
      "emails.0.to": ["has 51 recipients with cc and bcc; at most 50 are allowed"],
    });
    expect(errorsOf({ cc: people(60) }, ENTRY)).toEqual({
      "emails.0.to": ["has 61 recipients with cc and bcc; at most 50 are allowed"],
    });
    const headers = Object.fromEntries([...Array(25).keys()].map((at) => [`X-${at}`, "1"]));
    expect(mergeOne({ headers }, { ...ENTRY, headers: { "x-3": "own" } }).headers).toHaveLength(25);
    expect(errorsOf({ headers }, { ...ENTRY, headers: { "X-Own": "1" } })).toEqual({
      "emails.0.headers": ["has more than 25 entries"],
    });
  });

  it("makes a single send: missing and conflicting members are reported under the entry", () => {
    const conflict = { ...ENTRY, text: undefined, template_id: "template_x" };
    expect(errorsOf({ html: "<p>Hi</p>" }, conflict)).toMatchObject({
      "emails.0.template_id": ["cannot be combined with html or text"],
    });
    expect(errorsOf({ unsubscribe: { mode: "generate" } }, ENTRY)).toMatchObject({
      "emails.0.topic": ["is required when unsubscribe.mode is generate"],
    });
    expect(errorsOf({}, bare)).toEqual({
      "emails.0.from": ["is required"],
      "emails.0.subject": ["is required"],
      "emails.0.html": [expect.any(String) as string],
      "emails.0.text": [expect.any(String) as string],
    });
    const wrong = { from: "nobody", cc: ["no one"] };
    expect(errorsOf(wrong, { ...ENTRY, from: undefined }, ENTRY)).toMatchObject({
      "emails.0.from": ["is not an email address"],
      "emails.0.cc.0": ["is not an email address"],
      "emails.1.cc.0": ["is not an email address"],
    });
  });
});
