// Tests the strict parser for one address (src/lib/address.ts).
import { fc } from "../../support/properties.ts";
import { describe, expect, it } from "vitest";
import { parseMailbox, parseWrittenMailbox } from "../../../src/lib/address.ts";

function mailboxOf(text: string) {
  const parsed = parseMailbox(text);
  return parsed.kind === "mailbox" ? parsed.mailbox : parsed;
}

const X = { email: "ann@example.com", domain: "example.com" };
/** The mailbox without a name that has this address. */
const bare = (email: string) => ({
  email,
  domain: email.slice(email.lastIndexOf("@") + 1),
  name: null,
});

describe("parseMailbox", () => {
  it.each([
    ["ann@example.com", { ...X, name: null }],
    ["  ann@example.com ", { ...X, name: null }],
    ["ann@EXAMPLE.Com", { ...X, name: null }],
    ["Ann.B+tag@example.com", bare("Ann.B+tag@example.com")],
    ["!#$%&'*+-/=?^_`{|}~@example.com", bare("!#$%&'*+-/=?^_`{|}~@example.com")],
    ["<ann@example.com>", { ...X, name: null }],
    ["Ann <ann@example.com>", { ...X, name: "Ann" }],
    ["Ann<ann@example.com>", { ...X, name: "Ann" }],
    ["Ann  B.  Smith <ann@example.com>", { ...X, name: "Ann B. Smith" }],
    ['"Smith, Ann (Sales) <x@y>" <ann@example.com>', { ...X, name: "Smith, Ann (Sales) <x@y>" }],
    [
      String.raw`"Ann \"The\" \\ Smith" <ann@example.com>`,
      { ...X, name: String.raw`Ann "The" \ Smith` },
    ],
    ['Ann "The" Smith <ann@example.com>', { ...X, name: "Ann The Smith" }],
    ['"" <ann@example.com>', { ...X, name: null }],
    ['" " <ann@example.com>', { ...X, name: null }],
    ["Zoë Ångström 日本 😀 <ann@example.com>", { ...X, name: "Zoë Ångström 日本 😀" }],
    ["O'Neil & Co! <ann@example.com>", { ...X, name: "O'Neil & Co!" }],
    ["=?utf-8?q?Ann?= <ann@example.com>", { ...X, name: "=?utf-8?q?Ann?=" }],
    ['"ann"@example.com', { ...X, name: null }],
    ['"ann smith"@example.com', bare('"ann smith"@example.com')],
    [String.raw`"a\"@\ b"@example.com`, bare(String.raw`"a\"@ b"@example.com`)],
    ['Ann <"a>b"@example.com>', { email: '"a>b"@example.com', domain: "example.com", name: "Ann" }],
    ["ann@Bücher.example", bare("ann@xn--bcher-kva.example")],
    ["ann@XN--BCHER-KVA.example", bare("ann@xn--bcher-kva.example")],
    ["ann@日本。例え", bare("ann@xn--wgv71a.xn--r8jz45g")],
    ["änn@example.com", bare("änn@example.com")],
    [
      "Zoë <a\u0308nn.😀@Bücher.example>",
      { email: "änn.😀@xn--bcher-kva.example", domain: "xn--bcher-kva.example", name: "Zoë" },
    ],
    ['"änn"@example.com', bare("änn@example.com")],
    ['"ä nn"@example.com', bare('"ä nn"@example.com')],
    ["用户@例え.テスト", bare("用户@xn--r8jz45g.xn--zckzah")],
    ["علی\u200cرضا@example.com", bare("علی\u200cرضا@example.com")],
    [`${"é".repeat(32)}@example.com`, bare(`${"é".repeat(32)}@example.com`)],
    ["ann@3com.1a", bare("ann@3com.1a")],
    [`${"a".repeat(64)}@example.com`, bare(`${"a".repeat(64)}@example.com`)],
  ])("reads %j", (text, mailbox) => {
    expect(mailboxOf(text)).toEqual(mailbox);
  });

  it.each([
    ..."ann @example.com ann@ ann@@example.com ann@b@example.com .ann@example.com".split(" "),
    ..."ann.@example.com an..n@example.com ann@example.com. ann@.example.com".split(" "),
    ..."ann@example..com ann@example.com;bob@example.com ann@example.com>".split(" "),
    ..."<ann@example.com <> <<ann@example.com>> <@relay.example:ann@example.com>".split(" "),
    "ann(x)@example.com",
    ...'""@example.com "ann@example.com "a"b"@example.com "ann"x@example.com'.split(" "),
    ..."ann@[1.2.3.4 ann@[a[b] mailto:ann@example.com .é@example.com".split(" "),
    "é..é@example.com",
    "",
    " ",
    ..."ann smith@example.com|ann@exa mple.com|ann@example.com, bob@example.com".split("|"),
    ..."ann@example.com bob|Ann <>|Ann <ann@example.com> x".split("|"),
    ..."Ann <ann@example.com> <bob@example.com>|< ann@example.com>".split("|"),
    ..."Smith, Ann <ann@example.com>|ann@example.com <ann@example.com>".split("|"),
    ..."Team: ann@example.com;|Team: Ann <ann@example.com>".split("|"),
    ..."Ann (Sales) <ann@example.com>|ann@example.com (Ann)".split("|"),
    '"Ann <ann@example.com>',
    '"Ann" "<ann@example.com>',
    "ann\\@example.com",
    "ann\u0000@example.com",
    "ann@example.com\r\nBcc: bob@example.com",
    "ann@example.com\n",
    "Ann\tSmith <ann@example.com>",
    "Ann\u0085 <ann@example.com>",
    "Ann\u2028 <ann@example.com>",
    "a\u00a0b@example.com",
    '"a\u3000b"@example.com',
    "a\u202eb@example.com",
    "a\u200bb@example.com",
    "a\ud800b@example.com",
    "a\ue000b@example.com",
    "ann@\u0378.com",
    "ann@\u200b.com",
    `${"é".repeat(33)}@example.com`,
    `${"a".repeat(65)}@example.com`,
    `"${"a b".repeat(21)}"@example.com`,
    `${"a".repeat(60)}@${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(63)}.com`,
    "x".repeat(2_000_000),
  ])("refuses %j", (text) => {
    expect(parseMailbox(text).kind).toBe("invalid");
  });

  it.each([
    ["ann@[192.0.2.1]", "an IP address"],
    ["ann@[IPv6:2001:db8::1]", "an IP address"],
    ["Ann <ann@[192.0.2.1]>", "an IP address"],
    ["ann@192.0.2.1", "an IP address"],
    ["ann@１９２.0.2.1", "an IP address"],
    ["ann@example.0x1f", "an IP address"],
    ["ann@localhost", "a single label"],
    ["ann@bücher", "a single label"],
    ["ann@1", "an IP address"],
    ["ann@exam_ple.com", "not a valid domain name"],
    ["ann@-example.com", "not a valid domain name"],
    ["ann@example-.com", "not a valid domain name"],
    ["ann@exam%2eple.com", "not a valid domain name"],
    ["ann@example.com/x", "not a valid domain name"],
    ["ann@xn--a.com", "not a valid domain name"],
    ["ann@xn--55555577.com", "not a valid domain name"],
    ["ann@1א.com", "not a valid domain name"],
    [`ann@${"b".repeat(64)}.com`, "not a valid domain name"],
  ])("reports %j as an address that cannot be mailed", (text, reason) => {
    const problem = `its domain ${reason === "a single label" ? "has" : "is"} ${reason}`;
    const email = /[^ <]+@[^>]+/.exec(text)?.[0];
    const verdict = {
      kind: "unmailable",
      email,
      problem: expect.stringContaining(problem) as string,
    };
    expect(parseMailbox(text)).toEqual(verdict);
    expect(parseMailbox(email ?? "")).toEqual(verdict);
  });

  it("refuses each character that shows nothing, wherever it is in the address, and names it", () => {
    const unseen = fc
      .oneof(
        fc.constantFrom(0xad, 0x34f, 0x3164, 0xfe0f, 0xfeff, 0x2800, 0x115f, 0x378, 0xe000),
        fc.nat(0x10ffff),
      )
      .filter((point) => /[\p{DI}\u2800\u0378\ue000]/u.test(String.fromCodePoint(point)))
      .filter((point) => point !== 0x200c && point !== 0x200d);
    fc.assert(
      fc.property(unseen, fc.nat(15), fc.boolean(), (point, place, isNamed) => {
        const address = `ann@example.com`;
        const hidden = String.fromCodePoint(point);
        const text = address.slice(0, place) + hidden + address.slice(place);
        const name = `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
        expect(parseMailbox(isNamed ? `Ann\ufe0f <${text}>` : text)).toEqual({
          kind: "invalid",
          problem: `is not an email address: it contains ${name}, an invisible or unassigned character`,
        });
      }),
    );
  });

  it.each([
    ["an\u200dn@example.com", "U+200D"],
    ["an\u200cn@example.com", "U+200C"],
    ["\u200d@example.com", "U+200D"],
    ["\u0627\u200c\u0631@example.com", "U+200C"],
    ["\u06cc\u200d\u0631@example.com", "U+200D"],
    ["ann@ex\u200dample.com", "U+200D"],
    ["\u0915\u200d\u0937@example.com", "U+200D"],
    ["👨\u200d👩@example.com", "U+200D"],
  ])("refuses a joiner where RFC 5892 does not allow it: %j", (text, name) => {
    expect(parseMailbox(text)).toMatchObject({
      kind: "invalid",
      problem: expect.stringContaining(name) as string,
    });
  });

  it.each([
    "\u0939\u093f\u0928\u094d\u200d\u0926\u0940@example.com",
    "\u0c15\u0c4d\u200c\u0c37@example.com",
    "\u0dc1\u0dca\u200d\u0dbb\u0dd3.x@\u0dc1\u0dca\u200d\u0dbb\u0dd3.example",
    "\u064a\u064e\u200c\u064e\u0631@example.com",
  ])("reads a joiner where RFC 5892 allows it: %j", (text) => {
    expect(parseMailbox(text).kind).toBe("mailbox");
  });

  it("reads its own output as the same address", () => {
    const strings = 'a|B|.|@|"|\\| |<|>|é|e\u0301|😀|example.com|,|[|]|-|\0';
    const piece = fc.constantFrom(...strings.split("|"));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const parsed = parseMailbox(pieces.join(""));
        if (parsed.kind !== "mailbox") return;
        const { email, domain } = parsed.mailbox;
        const again = { kind: "mailbox", mailbox: { email, domain, name: null } };
        expect(parseMailbox(email)).toEqual(again);
        expect(email).toMatch(/^[ -~é😀]+@[a-z0-9.-]+$/u);
      }),
    );
  });
});

describe("parseWrittenMailbox", () => {
  it.each([
    ["Acme, Inc. <ann@example.com>", "Acme, Inc."],
    ["Ann (Sales) <ann@example.com>", "Ann (Sales)"],
    ["[Acme] <ann@example.com>", "[Acme]"],
    ["Acme: Sales <ann@example.com>", "Acme: Sales"],
    ["Smith; Ann <ann@example.com>", "Smith; Ann"],
    ["John @ Acme <ann@example.com>", "John @ Acme"],
    ["@ann <ann@example.com>", "@ann"],
    ["A -> B <ann@example.com>", "A -> B"],
    ["I <3 you <ann@example.com>", "I <3 you"],
    ["ann@example.com <ann@example.com>", "ann@example.com"],
    ["'Ann@Example.com' <ann@example.com>", "'Ann@Example.com'"],
    ['"Ann <ann@example.com>', "Ann"],
    ['Ann" <ann@example.com>', "Ann"],
    ['5" Pizza <ann@example.com>', '5" Pizza'],
    ['Acme, "Best" <ann@example.com>', "Acme, Best"],
    [String.raw`\"Ann\" Smith <ann@example.com>`, '"Ann" Smith'],
    [String.raw`a\b, c <ann@example.com>`, String.raw`a\b, c`],
    ["Z\u00f6e,  \u00dcnal <ann@example.com>", "Z\u00f6e, \u00dcnal"],
    ['" <ann@example.com>', null],
    ["Ann <ann@example.com>", "Ann"],
  ])("takes the text before the last bracket as the name: %j", (text, name) => {
    expect(parseWrittenMailbox(text)).toEqual({ kind: "mailbox", mailbox: { ...X, name } });
  });

  it.each([
    ..."ann@example.com, bob@example.com|ann@example.com, Bob <bob@example.com>".split("|"),
    ..."ann@example.org <ann@example.com>|Ann <ann@example.org> <ann@example.com>".split("|"),
    ..."<ann@example.org>, <ann@example.com>|ann@localhost, Bob <bob@example.com>".split("|"),
    ..."(ann@example.org) <ann@example.com>|<<ann@example.com>>".split("|"),
    ..."<@relay.example:ann@example.com>|ann@example.com>|Acme, Inc. <>".split("|"),
    ..."Acme, Inc. <ann>|Acme, Inc. <ann@example.com> x".split("|"),
    "Acme,\u0000 <ann@example.com>",
    `${"a,".repeat(600)} <ann@example.com>`,
  ])("refuses %j, which may be a list or is not an address", (text) => {
    expect(parseWrittenMailbox(text).kind).toBe("invalid");
  });

  it("reports an address that cannot be mailed", () => {
    expect(parseWrittenMailbox("Acme, Inc. <ann@localhost>").kind).toBe("unmailable");
  });
});
