// Tests which headers a message keeps on its way to the Email Service
// (src/mail/deliver/couriers/allowed-headers.ts), by the rules of the platform's own page
// (https://developers.cloudflare.com/email-service/reference/headers/).
import { Buffer } from "node:buffer";
import { fc } from "../../../support/properties.ts";
import { describe, expect, it } from "vitest";
import { keepAllowedHeaders } from "../../../../src/mail/deliver/couriers/allowed-headers.ts";

const ALL = { withMessageId: false, withCustomHeaders: true };

/** Returns the given header lines that stay in the message when it goes to the Email Service. */
function keptOf(lines: readonly string[], form = ALL): string[] {
  const message = Buffer.from(`${lines.join("\r\n")}\r\n\r\nHi.\r\n`, "utf8");
  const [header, body] = Buffer.from(keepAllowedHeaders(message, form))
    .toString("utf8")
    .split("\r\n\r\n");
  expect(body).toBe("Hi.\r\n");
  return header!.split(/\r\n(?![ \t])/);
}

const OWN = ["From", "To", "Cc", "Reply-To", "Subject"];
const STRUCTURE = ["MIME-Version", "Content-Type", "Content-Transfer-Encoding"];
const PLATFORM = (
  "Date Message-ID DKIM-Signature Return-Path Received Feedback-ID ARC-Seal ARC-Message-Signature " +
  "ARC-Authentication-Results TLS-Required TLS-Report-Domain TLS-Report-Submitter CFBL-Address " +
  "CFBL-Feedback-ID"
).split(" ");
/** Values that the platform takes, by the name of the allowlisted header. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  "In-Reply-To": ["<1@example.com>"],
  References: ["<1@example.com> <2@example.com>"],
  "List-Unsubscribe": ["<https://u.example/1>", "<mailto:u@u.example>, <https://u.example/1>"],
  "List-Unsubscribe-Post": ["List-Unsubscribe=One-Click"],
  "List-Id": ["<news.example.com>"],
  "List-Archive": ["<https://u.example/archive>"],
  "List-Help": ["<mailto:help@u.example>"],
  "List-Owner": ["<mailto:owner@u.example>"],
  "List-Post": ["NO"],
  "List-Subscribe": ["<https://u.example/in>"],
  Precedence: ["bulk", "list", "junk"],
  "Auto-Submitted": ["auto-generated", "auto-replied", "auto-notified"],
  "Content-Language": ["en"],
  Keywords: ["a, b"],
  Comments: ["Größe"],
  Importance: ["high", "normal", "low"],
  Priority: ["normal", "non-urgent", "urgent"],
  Sensitivity: ["personal", "private", "company-confidential"],
  Organization: ["Shop"],
  "Require-Recipient-Valid-Since": ["a@example.com; Sat, 1 Jun 2013 09:23:01 -0700"],
  Expires: ["Sat, 1 Jun 2030 09:23:01 -0700"],
  "Reply-By": ["Sat, 1 Jun 2030 09:23:01 -0700"],
  "Archived-At": ["<https://u.example/1>"],
};
/** Values that the platform refuses. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  "List-Unsubscribe": [
    "<http://u.example/1>",
    "<https://u.example/1>, <http://u.example/1>",
    "<HTTP://u.example/1>, <mailto:u@u.example>",
    "https://u.example/1",
    "<ftp://u.example/1>",
    "<https:>",
  ],
  Precedence: ["first-class", "bulk, list"],
  "Auto-Submitted": ["no", "auto-generated (rejected)"],
  Importance: ["highest"],
  Priority: ["1"],
  Sensitivity: ["none"],
};

describe("the headers of a message to the Email Service", () => {
  it.each([...OWN, ...STRUCTURE])("keep %s, in any case of its letters", (name) => {
    const lines = [`${name}: a`, `X-A: b`];
    expect(keptOf(lines)).toEqual(lines);
    expect(keptOf([`${name.toUpperCase()}: a`])).toEqual([`${name.toUpperCase()}: a`]);
    expect(keptOf([`${name.toLowerCase()}: a`])).toEqual([`${name.toLowerCase()}: a`]);
  });

  it.each([...PLATFORM, "Bcc", "Sender", "Resent-From", "Disposition-Notification-To", "MIME-X"])(
    "lose %s, which the platform sets itself or does not know",
    (name) => {
      expect(keptOf(["From: a@example.com", `${name}: a`, `${name.toLowerCase()}: b`])).toEqual([
        "From: a@example.com",
      ]);
    },
  );

  it("keep Message-ID only for a binding that demands it", () => {
    const lines = ["From: a@example.com", "Message-ID: <1@example.com>", "X-A: b"];
    expect(keptOf(lines, { ...ALL, withMessageId: true })).toEqual(lines);
    expect(keptOf(lines)).toEqual(["From: a@example.com", "X-A: b"]);
  });

  it("are only sender, recipients, subject and structure if the others were refused", () => {
    const own = [...OWN, ...STRUCTURE].map((name) => `${name}: a`);
    const others = Object.entries(VALUES).map(([name, [value]]) => `${name}: ${value}`);
    const form = { withMessageId: false, withCustomHeaders: false };
    expect(keptOf([...own, ...others, "X-A: b"], form)).toEqual(own);
  });

  it.each(Object.entries(VALUES))("keep %s with each value that is allowed", (name, values) => {
    const https = name === "List-Unsubscribe-Post" ? ["List-Unsubscribe: <https://u.example>"] : [];
    for (const value of values) {
      const lines = ["From: a@example.com", ...https, `${name}: ${value}`];
      expect(keptOf(lines)).toEqual(lines);
    }
  });

  it.each(Object.entries(REFUSED))("lose %s with a value that is refused", (name, values) => {
    for (const value of values)
      expect(keptOf(["From: a@example.com", `${name}: ${value}`])).toEqual(["From: a@example.com"]);
  });

  it.each([
    ["without List-Unsubscribe", [], "List-Unsubscribe=One-Click"],
    ["with a mailto: address only", ["<mailto:u@u.example>"], "List-Unsubscribe=One-Click"],
    ["with a link that is refused", ["<http://u.example>"], "List-Unsubscribe=One-Click"],
    ["in lower case", ["<https://u.example>"], "list-unsubscribe=one-click"],
  ])("lose List-Unsubscribe-Post %s", (_, values, post) => {
    const lines = values.map((value) => `List-Unsubscribe: ${value}`);
    const both = [...lines, `List-Unsubscribe-Post: ${post}`];
    for (const given of [both, both.toReversed()])
      expect(keptOf(["To: b@example.com", ...given]).join()).not.toContain("List-Unsubscribe-Post");
  });

  it("keep a value of 2,048 bytes and lose one of 2,049, counted as UTF-8 and unfolded", () => {
    const [fits, over] = ["v".repeat(2_048), "v".repeat(2_049)];
    const folded = `${"v".repeat(1_000)}\r\n ${"v".repeat(1_047)}`;
    const [wide, tooWide] = ["ä".repeat(1_024), `v${"à".repeat(1_024)}`];
    const kept = [`X-Fits: ${fits}`, `X-Folded: ${folded}`, `X-Wide: ${wide}`];
    const lost = [`X-Over: ${over}`, `Comments: ${over}`, `X-Too-Wide: ${tooWide}`];
    expect(keptOf([...kept, ...lost])).toEqual(kept);
  });

  it("lose an empty value, also one of folded white space", () => {
    expect(keptOf(["X-A:", "X-B:  \t", "X-C: \r\n \r\n\t", "Comments:", "X-D:\r\n d"])).toEqual([
      "X-D:\r\n d",
    ]);
  });

  it.each([
    [
      ["X-A: 1", "x-a: 2", "Keywords: 1", "KEYWORDS: 2"],
      ["X-A: 1", "Keywords: 1"],
    ],
    [["X-A:", "X-A: 2"], ["X-A: 2"]],
  ])("keep the first allowed field of each name: %j", (lines, kept) => {
    expect(keptOf(lines)).toEqual(kept);
  });

  it("keep a name of 100 bytes and lose one of 101", () => {
    const name = (bytes: number): string => `X-${"n".repeat(bytes - 2)}`;
    expect(keptOf([`${name(100)}: a`, `${name(101)}: b`])).toEqual([`${name(100)}: a`]);
  });

  it("may have underscores only in X- names, and no other special character", () => {
    const others = ["List_Id: b", "X-: c", "X: d", "X-dot.ted: e", "X-é: f", "X-a : g"];
    expect(keptOf(["X-under_score: a", ...others])).toEqual(["X-under_score: a"]);
  });

  it("lose a line without a colon and a line with a CR or LF of its own", () => {
    expect(
      keptOf(["From: a@example.com", "Subject", "X-A", ": v", "X-B: b\nSubject: c", "X-C: d\re"]),
    ).toEqual(["From: a@example.com"]);
  });

  it("keep any number of X- fields, and 20 allowlisted fields with List-Unsubscribe among them", () => {
    const others = Object.entries(VALUES).filter(([name]) => !name.startsWith("List-Unsubscribe"));
    const lines = [
      ...others.map(([name, [value]]) => `${name}: ${value}`),
      ...Array.from({ length: 40 }, (_, index) => `X-${index}: v`),
      "List-Unsubscribe: <https://u.example>",
      "List-Unsubscribe-Post: List-Unsubscribe=One-Click",
    ];
    expect(others.length).toBe(21);
    expect(keptOf(lines)).toEqual(lines.filter((_, index) => index < 18 || index >= 21));
  });

  it("keep 16 KB of custom headers in all, and List-Unsubscribe whatever else there is", () => {
    const large = Array.from({ length: 9 }, (_, index) => `X-${index}: ${"v".repeat(2_000)}`);
    const last = "List-Unsubscribe: <https://u.example/1>";
    const small = "X-Small: v";
    expect(keptOf([...large, small, last])).toEqual([...large.slice(0, 8), small, last]);
    // 8 fields of 2,048 bytes are 16 KB: `X-n` and the separators leave 2,041 bytes for a value.
    const exact = Array.from({ length: 8 }, (_, index) => `X-${index}: ${"v".repeat(2_041)}`);
    expect(keptOf(exact)).toEqual(exact);
    const over = exact.with(7, `${exact[7]}v`);
    expect(keptOf(over)).toEqual(exact.slice(0, 7));
  });

  it("are changed without a change to the body", () => {
    const body = Buffer.from([0x00, 0xff, 0x80, 0x0d, 0x0a, 0x0d, 0x0a, 0xe4, 0x0a, 0x0d]);
    const header = "Date: now\r\nFrom: a@example.com\r\n\r\n";
    const kept = keepAllowedHeaders(Buffer.concat([Buffer.from(header), body]), ALL);
    expect(Buffer.from(kept)).toEqual(
      Buffer.concat([Buffer.from("From: a@example.com\r\n\r\n"), body]),
    );
  });

  it.each([
    ["no body", "Date: now\r\nFrom: a@example.com\r\n\r\n", "From: a@example.com\r\n\r\n"],
    ["no end of the header", "Date: now\r\nFrom: a@example.com\r\n", "From: a@example.com\r\n"],
    ["no line end", "Date: now\r\nFrom: a@example.com", "From: a@example.com"],
    ["nothing", "", ""],
  ])("are cleaned in a message with %s", (_, message, expected) => {
    expect(Buffer.from(keepAllowedHeaders(Buffer.from(message), ALL)).toString()).toBe(expected);
  });
});

const ALLOWLIST = new Set(Object.keys(VALUES).map((name) => name.toLowerCase()));
const ENUMS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  ["Precedence", "Auto-Submitted", "Importance", "Priority", "Sensitivity"].map((name) => [
    name.toLowerCase(),
    VALUES[name]!,
  ]),
);

/**
 * Returns why the platform would refuse a message with this header. An empty list: the platform
 * accepts it.
 */
function refusalsOf(header: Buffer): string[] {
  const fields = header
    .toString("latin1")
    .split(/\r\n(?![ \t])/)
    .filter((line) => line !== "")
    .map((line) => {
      const [, name = "", value = ""] = /^([^:]*):([\s\S]*)$/.exec(line) ?? [];
      return { name, key: name.trimEnd().toLowerCase(), value: value.replace(/\r\n/g, "") };
    });
  const standing = new Set([...OWN, ...STRUCTURE].map((name) => name.toLowerCase()));
  const custom = fields.filter(({ key }) => !standing.has(key));
  const valueOf = (key: string): string => fields.find((one) => one.key === key)?.value ?? "";
  const size = custom.reduce(
    (sum, { name, value }) => sum + name.length + value.trim().length + 4,
    0,
  );
  const isX = (key: string): boolean => key.startsWith("x-");
  return [
    ...custom.flatMap(({ name, key, value }) => {
      const text = value.replace(/^[ \t]+|[ \t]+$/g, "");
      return [
        ...((isX(key) ? /^X-[A-Za-z0-9_-]+$/i.test(name) : ALLOWLIST.has(key)) ? [] : ["name"]),
        ...(name.length > 100 ? ["long name"] : []),
        ...(text === "" || /[\r\n]/.test(text) ? ["value"] : []),
        ...(text.length > 2_048 ? ["long value"] : []),
        ...(ENUMS[key] && !ENUMS[key].includes(text.toLowerCase()) ? ["word"] : []),
      ];
    }),
    ...(size > 16_384 ? ["large"] : []),
    ...(custom.filter(({ key }) => !isX(key)).length > 20 ? ["many"] : []),
    ...(new Set(custom.map(({ key }) => key)).size < custom.length ? ["doubled"] : []),
    ...(/<http:/i.test(valueOf("list-unsubscribe")) ? ["http"] : []),
    ...(valueOf("list-unsubscribe-post") !== "" && !/<https:/i.test(valueOf("list-unsubscribe"))
      ? ["post"]
      : []),
  ];
}

describe("whatever headers come in", () => {
  const name = fc.oneof(
    fc.constantFrom(...OWN, ...STRUCTURE, ...PLATFORM, ...Object.keys(VALUES)),
    fc.stringMatching(/^[Xx]-[A-Za-z0-9_.-]{0,120}$/),
    fc.string({ maxLength: 12 }),
  );
  const value = fc.oneof(
    fc.constantFrom(...Object.values(VALUES).flat(), ...Object.values(REFUSED).flat(), "", " "),
    fc.string({ maxLength: 40, unit: "binary" }),
    fc.nat(2_100).map((length) => "v".repeat(length)),
    fc.nat(1_100).map((length) => "à".repeat(length)),
  );
  const fold = fc.constantFrom("", "\r\n ", "\r\n\t", " ", "\n", "\r");
  const line = fc
    .tuple(name, fc.constantFrom(": ", ":", " : ", ""), value, fold, value)
    .map((parts) => parts.join(""));

  it("the platform accepts the headers that go out, and From and the body stay", () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 40 }), fc.uint8Array(), (lines, body) => {
        // A header line that begins with a blank continues the line before it, which is From here.
        fc.pre(!/^[ \t]/.test(lines[0] ?? ""));
        const header = `From: a@example.com\r\n${lines.map((one) => `${one}\r\n`).join("")}\r\n`;
        const before = Buffer.from(header, "utf8");
        const after = Buffer.from(keepAllowedHeaders(Buffer.concat([before, body]), ALL));
        const end = after.indexOf("\r\n\r\n");
        expect(refusalsOf(after.subarray(0, end))).toEqual([]);
        expect(after.subarray(0, 19).toString()).toBe("From: a@example.com");
        const isWhole = before.indexOf("\r\n\r\n") === before.length - 4;
        if (isWhole) expect(after.subarray(end + 4)).toEqual(Buffer.from(body));
      }),
    );
  });
});
