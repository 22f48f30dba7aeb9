// Tests how the headers of real mail are repaired: fields that are too many, too long, repeated or
// wrongly encoded still go out.
import { describe, expect, it } from "vitest";
import { readHeaderSection } from "../../../../../src/mail/accept/smtp/header-section.ts";
import { FROM, octets, OWNED, acceptMessage, WHOLE } from "./submissions.ts";

const linesOf = (content: string) => content.split("\r\n");
const longestIn = (content: string) => Math.max(...linesOf(content).map(({ length }) => length));

function valueIn(content: string, wanted: string): string | undefined {
  const section = readHeaderSection(octets(content));
  if (section.kind !== "header") return undefined;
  return section.fields.find(({ name }) => name === wanted)?.value;
}

describe("a header section of real mail", () => {
  it("with 60 custom headers goes out whole, and events show 25 of them", () => {
    const headers = Array.from({ length: 60 }, (_, index) => `X-A${index}: b\r\n`).join("");
    const { message, content } = acceptMessage(`${WHOLE}${headers}\r\n`);
    expect(content).toBe(`${WHOLE}${headers}\r\n`);
    expect(message.headers).toEqual(Array.from({ length: 25 }, (_, index) => [`X-A${index}`, "b"]));
  });

  it("with a header over 8,192 characters goes out whole; events omit that header", () => {
    const long = " abc".repeat(2_100);
    const { message, content } = acceptMessage(`${WHOLE}X-A:${long}\r\nX-B: c\r\n\r\n`);
    expect(valueIn(content, "X-A")).toBe("abc ".repeat(2_100).trim());
    expect(message.headers).toEqual([["X-B", "c"]]);
  });

  it("with punctuation in a name is never folded inside the name", () => {
    const name = `X_${"a,".repeat(38)}`;
    const { message, content } = acceptMessage(`${WHOLE}${name}: ${"b".repeat(3_000)}\r\n\r\n`);
    expect(name).toHaveLength(78);
    expect(content.replace(/\r\n /g, "")).toContain(`${name}: ${"b".repeat(3_000)}\r\n`);
    expect(linesOf(content).every((line) => line.length <= 998)).toBe(true);
    expect(linesOf(content).filter((line) => line.startsWith(`${name}:`))).toHaveLength(1);
    expect(message.headers).toEqual([[name, "b".repeat(3_000)]]);
  });

  it("with a subject over 998 characters goes out whole, and events show 998", () => {
    const words = "word ".repeat(300);
    const { message, content } = acceptMessage(`${FROM}\r\nSubject: ${words}\r\n\r\n`);
    expect(valueIn(content, "Subject")).toBe(words.trim());
    expect(message.subject).toBe(words.slice(0, 998));
  });

  it("with 11 reply addresses goes out whole, and events show 10", () => {
    const field = `Reply-To: ${"a@example.org,\r\n ".repeat(10)}a@example.org\r\n`;
    const { message, content } = acceptMessage(`${WHOLE}${field}\r\n`);
    expect(content).toBe(`${WHOLE}${field}\r\n`);
    expect(message.replyTo).toHaveLength(10);
  });

  it("of a long thread keeps in References the first id, and as many of the last as fit", () => {
    const ids = Array.from({ length: 400 }, (_, index) => `<${index}@example.org>`);
    for (const separator of ["\r\n ", " ", ""]) {
      const references = [...ids, ...ids].join(separator);
      const { content } = acceptMessage(`${WHOLE}References: ${references}\r\n\r\n`);
      const kept = valueIn(content, "References")?.split(" ") ?? [];
      expect(kept[0]).toBe("<0@example.org>");
      expect(kept.slice(1)).toEqual([...ids, ...ids].slice(1 - kept.length));
      expect(kept.join(" ").length).toBeGreaterThan(8_150);
      expect(kept.join(" ").length).toBeLessThanOrEqual(8_192);
    }
    const thread = `References: ${ids.slice(0, 300).join("\r\n ")}\r\n`;
    expect(acceptMessage(`${WHOLE}${thread}\r\n`).content).toBe(`${WHOLE}${thread}\r\n`);
    const one = `References: <${"a".repeat(9_000)}>\r\n`;
    expect(acceptMessage(`${WHOLE}${one}\r\n`).content).toBe(`${WHOLE}\r\n`);
  });

  it("with recipients separated only by commas is folded behind a comma", () => {
    const header = `From: me@${OWNED}\r\nTo: ${"user@example.org,".repeat(200)}last@example.org\r\n`;
    const { content } = acceptMessage(`${header}\r\n`);
    for (const line of linesOf(content))
      expect(line).toMatch(/^(?=[^]{0,998}$)(?! (?!user@|last@))/);
    expect(content.replace(/\r\n /g, "")).toContain(header);
  });

  it("with an encoded word over 998 characters is encoded again", () => {
    const { message, content } = acceptMessage(
      `${FROM}\r\nSubject: =?utf-8?Q?${"=C3=A9".repeat(340)}?=\r\n\r\n`,
    );
    expect(message.subject).toBe("\u00e9".repeat(340));
    expect(longestIn(content)).toBeLessThanOrEqual(76);
  });

  it.each(["0123456789", "\xc3\xa9", "\xf0\x9f\x98\x80"])(
    "with a line without a space is broken between characters: %j",
    (piece) => {
      const { content } = acceptMessage(`${WHOLE}X-Key: ${piece.repeat(700)}\r\n\r\n`);
      expect(longestIn(content)).toBeLessThanOrEqual(998);
      expect(content.replace(/\r\n /g, "")).toContain(`X-Key: ${piece.repeat(700)}\r\n`);
      const lines = linesOf(content).filter((line) => line.includes(piece));
      const decoded = lines.map((line) => new TextDecoder().decode(octets(line))).join();
      expect(decoded).not.toContain("\ufffd");
    },
  );

  it("with repeated fields that may stand once keeps the first, and all recipients", () => {
    const { content } = acceptMessage(
      `${WHOLE}TO: bob@example.org\r\nSubject: x\r\nReply-To: a@example.org\r\nReply-To: ` +
        "b@example.org\r\n\r\n",
    );
    expect(content).toBe(
      `${WHOLE.replace("ann@example.org", "ann@example.org,\r\n bob@example.org")}Reply-To: a@example.org\r\n\r\n`,
    );
  });

  it("with octets that are not UTF-8 is read as Windows-1252, in events too", () => {
    const { message, content } = acceptMessage(
      `${FROM}\r\nSubject: 5 \x80 \x96 caf\xe9\r\nTo: Z\xf6e <z@example.org>\r\nX-A: ` +
        "\xfc\r\n\r\n\xe9\r\n",
    );
    expect(message).toMatchObject({
      subject: "5 \u20ac \u2013 caf\u00e9",
      to: [{ name: "Z\u00f6e" }],
      headers: [["X-A", "\u00fc"]],
    });
    expect(content).toContain("Subject: 5 \xe2\x82\xac \xe2\x80\x93 caf\xc3\xa9\r\n");
    expect(content.endsWith("\r\n\r\n\xe9\r\n")).toBe(true);
  });
});

describe("long header lines", () => {
  it("of removed headers are not folded", () => {
    const values = Array.from({ length: 90 }, (_, n) => `"k${n}":"${"1".repeat(20)}"`).join();
    const { content } = acceptMessage(`X-Service-Variables: {${values}}\r\n${WHOLE}\r\n{{k7}}\r\n`);
    expect(content).toMatch(/\r\n\r\n1{20}\r\n$/);
    const seal = `ARC-Seal: ${"a".repeat(5_000)}\r\n`;
    expect(acceptMessage(`${seal}${WHOLE}\r\n`).content).toBe(`${WHOLE}\r\n`);
  });

  it("are folded at white space, and read the same", () => {
    const value = `${"word ".repeat(600)}end`;
    const { content, message } = acceptMessage(`${WHOLE}X-Long: ${value}\r\n\r\n`);
    expect(longestIn(content)).toBeLessThanOrEqual(998);
    expect(message.headers).toEqual([["X-Long", value]]);
    expect(valueIn(content, "X-Long")).toBe(value);
  });
});
