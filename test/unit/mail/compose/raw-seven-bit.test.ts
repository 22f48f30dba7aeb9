// Tests that every part of a submitted message is 7-bit before it is signed (RFC 6376 §5.3), except
// inside multipart/signed, and that the parts still decode to the same content.
import { Buffer } from "node:buffer";
import { fc } from "../../../support/properties.ts";
import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { runToEnd } from "../../../../src/lib/step-scheduler.ts";
import { withSevenBitParts } from "../../../../src/mail/compose/raw-seven-bit.ts";
import { bytesOf, composedRaw, latin1, multipart, signingKey, verified } from "./fixtures.ts";

const HEADER = "From: news@example.com\r\nSubject: x\r\nMIME-Version: 1.0\r\n";
const octets = (text: string): string => Buffer.from(text, "utf8").toString("latin1");
const convert = (text: string): string => latin1(runToEnd(withSevenBitParts(bytesOf(text))));
const ASCII = /^[\0-\x7f]*$/;
const GREETING = octets("Grüße 😀 and a text that is just long enough");
const QUOTED = "Gr=C3=BC=C3=9Fe =F0=9F=98=80 and a text that is just long enough";

const part = (type: string, body: string, encoding: string | null = "8bit"): string =>
  `Content-Type: ${type}\r\n` +
  `${encoding === null ? "" : `Content-Transfer-Encoding: ${encoding}\r\n`}\r\n${body}`;
const mixed = (parts: readonly string[]): string => `${HEADER}${multipart("mixed", parts)}`;
const signed = (text: string): string =>
  multipart("signed; protocol=x", [part("text/plain; charset=utf-8", text), "\r\nsig"], "s").trim();

describe("an 8-bit part", () => {
  const UTF8 = "text/plain; charset=utf-8";
  const LATIN1 = "text/html; charset=iso-8859-1";
  const FLOWED = "text/plain; format=flowed";
  const PDF = "application/pdf; name=a.pdf";
  const BIN = "application/x";
  const QP = "quoted-printable";
  const PRIVET = octets("Привет");
  const LONG_E = "<p>A longer text, \xe9 and more</p>";
  const LONG_E_QUOTED = "<p>A longer text, =E9 and more</p>";

  it.each<[what: string, before: Parameters<typeof part>, after: Parameters<typeof part>]>([
    ["plain text becomes quoted-printable", [UTF8, GREETING], [UTF8, QUOTED, QP]],
    ["HTML keeps its charset", [LATIN1, LONG_E, null], [LATIN1, LONG_E_QUOTED, QP]],
    ["text becomes base64 if it is shorter", [UTF8, PRIVET], [UTF8, "0J/RgNC40LLQtdGC", "base64"]],
    ["an attachment becomes base64", [PDF, "\xff\x01\r\n.", "binary"], [PDF, "/wENCi4=", "base64"]],
    ["UTF-8 is declared", [FLOWED, GREETING], [`${FLOWED};\r\n charset=utf-8`, QUOTED, QP]],
    ["raw octets in it are quoted", [UTF8, `a=3Db ${GREETING}`, QP], [UTF8, `a=3Db ${QUOTED}`, QP]],
    ["raw octets in base64 are dropped", [BIN, "AA\xffAA", "base64"], [BIN, "AAAA", "base64"]],
    ["an unknown encoding is 8bit", [UTF8, `a ${GREETING}`, "utf-8"], [UTF8, `a ${QUOTED}`, QP]],
    ["ASCII that claims to be 8bit is 7bit", ["text/x", "a"], ["text/x", "a", "7bit"]],
  ])("is converted in its multipart: %s", (_, eightBit, sevenBit) => {
    const [before, after] = [part(...eightBit), part(...sevenBit)];
    const plain = part("text/plain", "\r\n.\r\n--x ", null);
    expect(convert(mixed([plain, before, plain]))).toBe(mixed([plain, after, plain]));
  });

  it("that is the whole message gets fields for MIME, charset and encoding", async () => {
    const out = convert(`From: a@example.com\r\n\r\n${GREETING}\r\n`);
    expect(out).toBe(
      "From: a@example.com\r\nMIME-Version: 1.0\r\nContent-Type: text/plain;\r\n " +
        "charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n" +
        `${QUOTED}\r\n`,
    );
    expect((await PostalMime.parse(out)).text).toBe(
      "Grüße 😀 and a text that is just long enough\n",
    );
  });

  it("makes its multipart 7bit, with ASCII text around the parts", () => {
    const before = multipart("mixed", [part("text/plain; charset=utf-8", GREETING)])
      .replace("\r\n\r\n", "\r\nContent-Transfer-Encoding: 8bit\r\n\r\n")
      .replace("preamble", "pr\x80amble");
    const out = convert(`${HEADER}${before}\xe9pilogue\r\n`);
    expect(out).toContain('boundary="b"\r\nContent-Transfer-Encoding: 7bit\r\n\r\npr?amble\r\n--b');
    expect(out.endsWith("\r\n--b--\r\n?pilogue\r\n")).toBe(true);
    expect(out).toMatch(ASCII);
  });

  it("in an attached message is converted there, and the message is declared 7bit", () => {
    const inner = `From: b@example.com\r\n\r\n${GREETING}`;
    const attached = part("message/rfc822", inner);
    const digest = multipart("digest", [`\r\n${inner}`], "d").trim();
    const out = convert(mixed([attached, digest]));
    const expected =
      "From: b@example.com\r\nMIME-Version: 1.0\r\nContent-Type: text/plain;\r\n charset=utf-8\r\n" +
      `Content-Transfer-Encoding: quoted-printable\r\n\r\n${QUOTED}`;
    expect(out.split(expected)).toHaveLength(3);
    expect(out).toContain(`message/rfc822\r\nContent-Transfer-Encoding: 7bit\r\n\r\n${expected}`);
    expect(out).toMatch(ASCII);
  });
});

describe("parts that stay unchanged", () => {
  it("are all parts of a 7-bit message, whose array is returned as it is", () => {
    const raw = bytesOf(mixed([part("text/plain", "a", null), part("text/html", "=C3", "x")]));
    expect(runToEnd(withSevenBitParts(raw))).toBe(raw);
  });

  it("are those inside multipart/signed, and everything around them is still declared 8bit", () => {
    const inside = signed(GREETING);
    const whole = `${HEADER}${inside}\r\n`;
    expect(convert(whole)).toBe(whole);
    const labelled = `${HEADER}Content-Transfer-Encoding: 8bit\r\n${multipart("mixed", [
      part("text/plain; charset=utf-8", GREETING),
      inside,
      part("message/rfc822", `Subject: a\r\n${inside}`, "binary"),
    ])}`;
    const quoted = part("text/plain; charset=utf-8", QUOTED, "quoted-printable");
    expect(convert(labelled)).toBe(
      labelled.replace(part("text/plain; charset=utf-8", GREETING), quoted),
    );
  });

  it.each([
    ["an unknown encoding", part("application/x", "begin \xe9", "x-uuencode")],
    ["a composite type that can't be read", part("multipart/mixed", "\xe9")],
    ["a piece of a message", part("message/partial; id=a", "\xe9")],
  ])("are those with %s", (_, text) => {
    expect(convert(mixed([text]))).toBe(mixed([text]));
  });
});

describe("a copy", () => {
  it("of an 8-bit message is 7-bit and signed as it is sent, headers of parts too", async () => {
    const inner = `Subject: ${octets("Zoë")}\r\n\r\n${GREETING}`;
    const file = `application/x; name="${octets("ü.pdf")}"`;
    const copy = await composedRaw(mixed([part(file, "\xff"), part("message/rfc822", inner)]));
    expect(latin1(copy)).toMatch(ASCII);
    expect(await verified(copy, (await signingKey()).publicKey)).toBeInstanceOf(Map);
    const [attachment] = (await PostalMime.parse(copy)).attachments;
    expect(attachment).toMatchObject({ filename: "ü.pdf", mimeType: "application/x" });
  });

  it("has parts that decode as before, whatever they contain", async () => {
    const word = fc.constantFrom(
      ..."a|é|=|=3D|.| |\t|--b|-|From |\r\n|用户|😀".split("|"),
      "x".repeat(997),
      "é".repeat(500),
    );
    const body = fc.array(word, { maxLength: 12 }).map((words) => octets(`${words.join("")}!`));
    const type = fc.constantFrom("text/plain", "text/html", "application/x", "image/png");
    const encoding = fc.constantFrom("7bit", "8bit", "binary", null);
    const parts = fc.array(fc.tuple(type, body, encoding), { minLength: 1, maxLength: 4 });
    const contents = async (message: string) => {
      const email = await PostalMime.parse(bytesOf(message));
      // The reader ends a text with a line end of its own, unless it is in base64.
      return email.attachments.map(({ content }) =>
        latin1(new Uint8Array(content as ArrayBuffer))
          .replaceAll("\r\n", "\n")
          .replace(/\n$/, ""),
      );
    };
    await fc.assert(
      fc.asyncProperty(parts, async (given) => {
        const raw = mixed(
          given.map(([name, text, label]) =>
            part(
              `${name}; charset=utf-8\r\nContent-Disposition: attachment`,
              text.replace(/^--b/gm, "-"),
              label,
            ),
          ),
        );
        const out = convert(raw);
        expect(out).toMatch(ASCII);
        expect(await contents(out)).toEqual(await contents(raw));
        expect(convert(out)).toBe(out);
      }),
    );
  });

  it("can be made, whatever the octets are", () => {
    const piece = fc.constantFrom(
      ...(
        '\r\n|--b|--|Content-Type: |multipart/mixed;|multipart/signed;|boundary=b|boundary="|' +
        "message/rfc822|Content-Transfer-Encoding: |base64|8bit|quoted-printable|=| |\xff"
      ).split("|"),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        convert(`${HEADER}${pieces.join("")}\r\n`);
      }),
    );
  });
});
