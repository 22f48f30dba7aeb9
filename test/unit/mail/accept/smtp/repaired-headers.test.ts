// Tests how the headers of real mail are repaired: fields that are too many, too long, repeated or
// wrongly encoded still go out.
import { fc } from "../../../../support/properties.ts";
import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { decodeWords } from "../../../../../src/lib/mime/decode-words.ts";
import { utf8Octets } from "../../../../../src/lib/mime/octets.ts";
import { runToEnd } from "../../../../../src/lib/step-scheduler.ts";
import { readHeaderSection } from "../../../../../src/mail/accept/smtp/header-section.ts";
import { withShortLines } from "../../../../../src/mail/compose/raw-lines.ts";
import { latin1 } from "../../compose/fixtures.ts";
import { FROM, octets, OWNED, acceptMessage, WHOLE } from "./submissions.ts";

const linesOf = (content: string) => content.split("\r\n");
const longestIn = (content: string) => Math.max(...linesOf(content).map(({ length }) => length));

/** Returns the message that was accepted, with the content that goes out. */
function sendMessage(message: string) {
  const accepted = acceptMessage(message);
  return { ...accepted, content: latin1(runToEnd(withShortLines(octets(accepted.content)))) };
}

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
    const { message, content } = sendMessage(`${WHOLE}${name}: ${"b".repeat(3_000)}\r\n\r\n`);
    expect(name).toHaveLength(78);
    expect(decodeWords(valueIn(content, name) ?? "").text).toBe("b".repeat(3_000));
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
    const { content } = sendMessage(`${header}\r\n`);
    for (const line of linesOf(content))
      expect(line).toMatch(/^(?=[^]{0,998}$)(?! (?!user@|last@))/);
    expect(content.replace(/(\r\n)? /g, "")).toContain(header.replaceAll(" ", ""));
  });

  it("with an encoded word over 998 characters is encoded again", () => {
    const { message, content } = sendMessage(
      `${FROM}\r\nSubject: =?utf-8?Q?${"=C3=A9".repeat(340)}?=\r\n\r\n`,
    );
    expect(message.subject).toBe("\u00e9".repeat(340));
    expect(longestIn(content)).toBeLessThanOrEqual(76);
  });

  it("with a line that can't be folded is encoded, and reads the same", () => {
    const word = fc.constantFrom(
      ..."a|, |,|;| |  |:|<|>|=?|é|😀|{".split("|"),
      "x".repeat(990),
      "y".repeat(1_500),
      "é".repeat(600),
      " ".repeat(1_200),
    );
    const values = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(""));
    fc.assert(
      fc.property(fc.constantFrom("X-Key", "Subject", "Comments"), values, (name, value) => {
        const text = value.trim();
        const { content } = sendMessage(`${FROM}\r\n${name}: ${utf8Octets(text)}\r\n\r\n`);
        expect(longestIn(content)).toBeLessThanOrEqual(998);
        expect(decodeWords(valueIn(content, name) ?? "").text).toBe(text);
      }),
    );
  });

  it.each([
    ["References", "<" + "r".repeat(1_000) + "@example.org>", undefined],
    ["To", `"${"n".repeat(1_100)}" <a@example.org>,b@example.org`, "a@example.org b@example.org"],
    ["To", `${"n".repeat(1_100)}@example.org, b@example.org`, "b@example.org"],
    ["Cc", `${"n".repeat(1_100)}: a@example.org;`, "a@example.org"],
  ])("with a word of over 998 characters in %s is encoded or left out", (name, value, left) => {
    const { content } = sendMessage(`${FROM}\r\n${name}: ${value}\r\n\r\n`);
    expect(longestIn(content)).toBeLessThanOrEqual(998);
    expect(
      valueIn(content, name)
        ?.match(/[a-z]@example.org/g)
        ?.join(" "),
    ).toBe(left);
  });

  it("with a long parameter keeps it, in segments", async () => {
    const name = `${"n".repeat(1_100)}.pdf`;
    const part = `Content-Type: application/pdf; name=${name}\r\nContent-Disposition: attachment;filename=${name}\r\n`;
    for (const message of [
      `${WHOLE}${part}\r\nx\r\n`,
      `${WHOLE}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n${part}\r\nx\r\n--b--\r\n`,
    ]) {
      const { content } = sendMessage(message);
      expect(longestIn(content)).toBeLessThanOrEqual(998);
      const { attachments } = await PostalMime.parse(octets(content));
      expect(attachments.map(({ filename }) => filename)).toEqual([name]);
    }
  });

  it("with an address field that has no address goes out without it", () => {
    for (const value of [
      "",
      " ",
      ",",
      " , ,",
      "Anon <>",
      '"Anon" < >',
      '""',
      "(none)",
      "<>;",
      ":;",
    ])
      for (const name of ["To", "Cc", "Reply-To"]) {
        const { content, message } = acceptMessage(`${FROM}\r\n${name}:${value}\r\nX-A: b\r\n\r\n`);
        expect(content.endsWith(`\r\n${FROM}\r\nX-A: b\r\n\r\n`)).toBe(true);
        expect(message).toMatchObject({ to: [], cc: [], replyTo: [] });
      }
  });

  it("with empty entries in an address field goes out without them", () => {
    const entry = fc.constantFrom("a@x.org", '"B, b" <b@x.org>', "T: c@x.org, d@x.org;", "e@[::1]");
    const empty = fc.constantFrom("", " ", "Anon <>", '"Anon, b" <>', '"B" <   >', "(c, d)");
    const list = fc.array(fc.oneof(entry, empty), { minLength: 1, maxLength: 6 });
    const isEmpty = (text: string) => /^(?:|"[^"]*" ?<\s*>|Anon <>|\(.*\))$/.test(text.trim());
    fc.assert(
      fc.property(list, fc.constantFrom("To", "Cc", "Reply-To"), (entries, name) => {
        const { content } = acceptMessage(`${FROM}\r\n${name}: ${entries.join(",")}\r\n\r\n`);
        const left = entries.filter((one) => !isEmpty(one));
        const separator = left.length < entries.length ? ", " : ",";
        expect(valueIn(content, name)).toBe(left.length > 0 ? left.join(separator) : undefined);
      }),
    );
  });

  it("with a group goes out with its group, which may be empty", () => {
    for (const [value, sent = value] of [
      ["undisclosed-recipients:;"],
      ["undisclosed-recipients: ;"],
      ["undisclosed-recipients:", "undisclosed-recipients: ;"],
      ["Team: a@x.org, b@x.org;"],
      ["Team: ;, c@x.org"],
      ["Team: , ;", "Team: ;"],
      ["Team: a@x.org, Anon <>;,", "Team: a@x.org;"],
      ["a@x.org; b@x.org;", "a@x.org, b@x.org"],
    ])
      expect(valueIn(acceptMessage(`${FROM}\r\nTo: ${value}\r\n\r\n`).content, "To")).toBe(sent);
  });

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
