// Tests how the console's search field understands a text, and the keys of the console.
import { describe, expect, it } from "vitest";
import { isKey, listKeys } from "../../../console/src/parts/key-table.ts";
import { SECTIONS } from "../../../console/src/shell/sections.ts";
import {
  beginningIn,
  describeWhySearch,
  optionAfter,
  readWhySearch,
} from "../../../console/src/shell/why-search.ts";

const pages: Record<string, string> = import.meta.glob("../../../docs/console.md", {
  query: "?raw",
  import: "default",
  eager: true,
});

describe("a text in the search field", () => {
  const UUID = "01a2041e-811d-70f1-82a9-c3a33ebac526";

  it.each([
    [" Anna@Example.org ", { kind: "address", address: "anna@example.org" }],
    ["<anna@example.org>", { kind: "message_id", messageId: "<anna@example.org>" }],
    ["anna@", { kind: "beginning", text: "anna@", isWord: false }],
    ["<Anna@exa", { kind: "beginning", text: "anna@exa", isWord: false }],
    ["anna@example", { kind: "beginning", text: "anna@example", isWord: false }],
    ["Anna", { kind: "beginning", text: "anna", isWord: true }],
    ["@Example.com", { kind: "domain", domain: "example.com" }],
    ["order_id=52019", { kind: "metadata", pair: "order_id=52019" }],
    ["an", { kind: "subject", words: "an" }],
    ["reset password", { kind: "subject", words: "reset password" }],
    [`see email_${UUID.toUpperCase()}!`, { kind: "email", id: `email_${UUID}` }],
    [`X-Request-Id: req_${UUID}`, { kind: "request", id: `req_${UUID}` }],
    [`${UUID}@example.test`, { kind: "message_id", messageId: `<${UUID}@example.test>` }],
    ["@", null],
    [" ", null],
  ])("%j asks for %j", (typed, question) => {
    expect(readWhySearch(typed)).toEqual(question);
  });

  it.each([
    ["anna@", "anna@"],
    ["ann", "ann"],
    // A complete address is searched as a prefix too, because longer addresses may begin with it.
    ["anna@example.org", "anna@example.org"],
    ["an", null],
    ["@example.com", null],
    ["reset password", null],
    [`email_${UUID}`, null],
  ])("%j is completed from %j", (typed, beginning) => {
    expect(beginningIn(typed)).toBe(beginning);
  });

  it("is described in words", () => {
    const say = (typed: string) => describeWhySearch(readWhySearch(typed)!);
    expect(say("anna@")).toBe("addresses that begin with “anna@”");
    expect(say("anna")).toBe(
      "addresses that begin with “anna”, and messages with this word in the subject",
    );
    expect(say("@example.com")).toBe("all mail to example.com");
  });

  it("follows the suggestions when an arrow key moves through them", () => {
    const walk = (key: string) => [-1, 0, 1].map((active) => optionAfter(active, 2, key));
    expect(walk("ArrowDown")).toEqual([0, 1, -1]);
    expect(walk("ArrowUp")).toEqual([1, -1, 0]);
  });
});

describe("the keys", () => {
  const [page = ""] = Object.values(pages);

  it("of the list are the same as in docs/console.md", () => {
    const documented = page.match(/^\| (?:In an? |In the |Everywhere).*\|$/gm);
    expect(
      listKeys([]).map(
        ({ place, keys, does }) =>
          `| ${place} | ${keys.map((key) => `\`${key}\``).join(", ")} | ${does} |`,
      ),
    ).toEqual(documented);
  });

  it("of the pages are unique, and docs/console.md lists them", () => {
    for (const { keys, does } of listKeys(SECTIONS).slice(listKeys([]).length))
      expect(page).toContain(`| ${does} | \`${keys[0]}\` |`);
    expect(new Set(SECTIONS.map(({ letter }) => letter)).size).toBe(SECTIONS.length);
  });

  it("are recognised by both of their names", () => {
    expect(isKey("j", "nextRow") && isKey("ArrowDown", "nextRow")).toBe(true);
    expect(isKey("k", "nextRow")).toBe(false);
  });
});
