// Tests how the members of a suppression are normalized (src/resources/suppressions/normalise.ts,
// contract.md §Reasons and topics).
import { describe, expect, it } from "vitest";
import {
  addressKey,
  checkNote,
  parseSuppressedAddress,
  parseTopic,
  topicKey,
} from "../../../../src/resources/suppressions/normalise.ts";

describe("an address", () => {
  it.each([
    [" Ann@Example.ORG \t\n", "ann@example.org"],
    ["ann+news@example.org", "ann+news@example.org"],
    ["o'neil%x/y=z@example.org", "o'neil%x/y=z@example.org"],
    ['"John Doe"@example.org', '"john doe"@example.org'],
    ['"john"@example.org', "john@example.org"],
    ['"a/b\\"c"@example.org', '"a/b\\"c"@example.org'],
    ["ann@Bücher.example", "ann@xn--bcher-kva.example"],
    ["ann@xn--bcher-kva.example", "ann@xn--bcher-kva.example"],
    ["ÄNN@example.org", "änn@example.org"],
    ["a\u0308nn@Bücher.example", "änn@xn--bcher-kva.example"],
  ])("%j becomes %j, in a body and in a path", (given, email) => {
    expect(parseSuppressedAddress(given)).toEqual({ kind: "address", email });
    expect(addressKey(given)).toBe(email);
    expect(addressKey(email)).toBe(email);
  });

  const odd = "ann ann@ @example.org ann@@example.org <ann@example.org> ann@localhost";
  it.each([
    ...odd.split(" "),
    "",
    ..."Ann <ann@example.org>|ann@[192.0.2.1]|ann@192.0.2.1|ann b@example.org".split("|"),
    "ann@example.org, bob@example.org",
    "ann\u0000@example.org",
    "ann@exa\ud800mple.org",
    `${"a".repeat(65)}@example.org`,
    `ann@${"a.".repeat(150)}org`,
    "x".repeat(100_000),
  ])("%j is refused, and finds nothing", (given) => {
    expect(parseSuppressedAddress(given).kind).toBe("refused");
    expect(addressKey(given)).toBe(given.trim().toLowerCase());
  });
});

describe("a topic", () => {
  it.each([
    ["*", "*"],
    ["News", "news"],
    ["a_b.c-9", "a_b.c-9"],
    ["x".repeat(64), "x".repeat(64)],
    ["", undefined],
    ["**", undefined],
    [" news", undefined],
    ["x".repeat(65), undefined],
    ["né", undefined],
    ["news\n", undefined],
  ])("%j becomes %j", (given, topic) => {
    expect(parseTopic(given)).toBe(topic);
  });

  it("is looked up regardless of case and surrounding white space", () => {
    expect(topicKey(" News ")).toBe("news");
  });
});

describe("a note", () => {
  it("may have 1,000 characters of any kind that can be stored", () => {
    const x = (count: number) => "x".repeat(count);
    const smile = (count: number) => "🙂".repeat(count);
    for (const note of ["", x(1_000), smile(1_000), "a\u0001\u001f\u007f\r\n\tb", "\u202eא"])
      expect(checkNote(note)).toBeNull();
    for (const note of [x(1_001), smile(1_001), "a\u0000", "a\ud800", x(5_000_000)])
      expect(checkNote(note)).not.toBeNull();
  });
});
