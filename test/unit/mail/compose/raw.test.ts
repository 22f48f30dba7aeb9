// Tests submitted messages as they are sent: unchanged and signed if SMTP can carry them, and
// changed in one part only if that part has a line that is too long. raw-seven-bit.test.ts tests
// parts beyond ASCII.
import { Buffer } from "node:buffer";
import { fc } from "../../../support/properties.ts";
import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { runToEnd } from "../../../../src/lib/step-scheduler.ts";
import { withShortLines } from "../../../../src/mail/compose/raw-lines.ts";
import { bytesOf, composedRaw, latin1, multipart, signingKey, verified } from "./fixtures.ts";

const HEADER = "From: news@example.com\r\nSubject: x\r\n";
const MIXED = "Content-Type: multipart/mixed; boundary=b\r\n\r\n";
const LONG = "0123456789 ".repeat(150).trim();
const shorten = (text: string): string => latin1(runToEnd(withShortLines(bytesOf(text))));
const longest = (text: string): number =>
  Math.max(...text.split("\r\n").map(({ length }) => length));

const mixed = (parts: readonly string[]): string =>
  `${HEADER}MIME-Version: 1.0\r\n${multipart("mixed", parts)}epilogue\r\n`;

describe("a copy", () => {
  it("begins with a valid signature, and the stored message follows unchanged", async () => {
    const raw =
      `${HEADER}X-A:  b \r\n\tc\r\nContent-Type: text/plain; ` +
      "charset=utf-8\r\n\r\n.\r\ntext \t\r\n\r\n";
    const copy = await composedRaw(raw);
    expect(latin1(copy)).toMatch(/^DKIM-Signature: /);
    expect(latin1(copy).endsWith(`\r\n${raw}`)).toBe(true);
    expect(await verified(copy, (await signingKey()).publicKey)).toBeInstanceOf(Map);
  });

  it("has the same octets on every attempt", async () => {
    const copies = [1, 2].map(() => composedRaw(`${HEADER}\r\n${LONG}\r\n`));
    const [first, second] = await Promise.all(copies);
    expect(latin1(first!)).toBe(latin1(second!));
  });
});

describe("lines that SMTP can carry", () => {
  it("are not changed, whatever they contain", () => {
    const unit = fc.integer({ min: 1, max: 255 }).map((code) => String.fromCharCode(code));
    const body = fc.array(fc.string({ unit, maxLength: 998 }), { maxLength: 8 });
    fc.assert(
      fc.property(body, (lines) => {
        const text = lines.map((line) => `${line.replace(/[\r\n]/g, "")}\r\n`).join("");
        const raw = bytesOf(`${HEADER}\r\n${text}`);
        expect(runToEnd(withShortLines(raw))).toBe(raw);
      }),
    );
  });

  it("have at most 998 octets", () => {
    const fits = `${HEADER}\r\n${"a".repeat(998)}\r\n`;
    expect(shorten(fits)).toBe(fits);
    expect(shorten(`${HEADER}\r\n${"a".repeat(999)}\r\n`)).toContain(
      "Content-Transfer-Encoding: quoted-printable\r\n",
    );
  });
});

describe("a line that is too long", () => {
  it("makes a plain message quoted-printable and adds MIME-Version", async () => {
    const out = shorten(`${HEADER}\r\n${LONG}\r\n\xe9\r\n`);
    const header = `${HEADER}MIME-Version: 1.0\r\nContent-Transfer-Encoding: quoted-printable\r\n`;
    expect(out.startsWith(`${header}\r\n`)).toBe(true);
    expect(longest(out)).toBeLessThanOrEqual(78);
    expect((await PostalMime.parse(out)).text?.trim()).toMatch(new RegExp(`^${LONG}`));
  });

  it("replaces the encoding that a part names, wherever it stands and however it is folded", () => {
    const header = `Content-transfer-ENCODING:\r\n 8bit\r\nMIME-Version: 1.0\r\n${HEADER}`;
    const replaced = `Content-Transfer-Encoding: quoted-printable\r\nMIME-Version: 1.0\r\n${HEADER}`;
    expect(shorten(`${header}\r\n${LONG}\r\n`).startsWith(`${replaced}\r\n`)).toBe(true);
  });

  it("changes only its own part", async () => {
    const first =
      "Content-Type: text/plain\r\nContent-Transfer-Encoding: 8bit\r\n\r\n.\r\n\xe9\xff \t\r\n";
    const last = "Content-Type: application/x\r\n\r\n=C3=A9 =\r\n";
    const own = `Content-Type: text/html; charset=utf-8\r\nX-A: b\r\n\r\n<p>${LONG}\xc3\xa9</p>`;
    const out = shorten(mixed([first, own, last]));
    const [before = "", after = ""] = out.split(
      "Content-Type: text/html; charset=utf-8\r\nX-A: b\r\nContent-Transfer-Encoding: " +
        "quoted-printable\r\n\r\n",
    );
    expect(before).toBe(mixed([first, "#"]).split("#")[0]);
    expect(after.endsWith(`\r\n--b\r\n${last}\r\n--b--\r\nepilogue\r\n`)).toBe(true);
    expect((await PostalMime.parse(out)).html).toContain(`<p>${LONG}é</p>`);
  });

  it("makes a part that is not text base64, with the same line ends around it", async () => {
    const data = `${"\xff\x01 ".repeat(600)}\r\n.\r\n`;
    const out = shorten(
      mixed([
        "Content-Type: text/plain\r\n\r\nx",
        `Content-Type: application/x; name=a.bin\r\nContent-Disposition: attachment\r\n\r\n${data}`,
      ]),
    );
    const [attachment] = (await PostalMime.parse(out)).attachments;
    expect(latin1(new Uint8Array(attachment?.content as ArrayBuffer))).toBe(data);
    expect(longest(out)).toBeLessThanOrEqual(78);
  });

  it("in base64 is wrapped, with the same header", () => {
    const data = Buffer.alloc(3_000, "x").toString("base64");
    const part = (text: string) =>
      `Content-Type: application/x\r\nContent-Transfer-Encoding: BASE64\r\n\r\n${text}`;
    expect(shorten(mixed([part(data)]))).toBe(mixed([part(data.replace(/.{76}(?=.)/g, "$&\r\n"))]));
    const top = `${HEADER}MIME-Version: 1.0\r\nContent-Transfer-Encoding: base64\r\n\r\n`;
    expect(shorten(`${top}${data}\r\n`)).toBe(`${top}${data.replace(/.{76}(?=.)/g, "$&\r\n")}\r\n`);
  });

  it("in quoted-printable gets soft breaks outside escapes, and other lines get none", async () => {
    const line = "=C3=A9 word ".repeat(120);
    const out = shorten(
      `${HEADER}MIME-Version: 1.0\r\nContent-Type: text/plain; ` +
        "charset=utf-8\r\nContent-Transfer-Encoding: " +
        `Quoted-Printable\r\n\r\n${"a".repeat(300)}\r\n${line}=\r\nend\r\n`,
    );
    expect(out).toContain(`\r\n${"a".repeat(300)}\r\n`);
    expect(out).not.toMatch(/=.?=\r\n/);
    expect((await PostalMime.parse(out)).text?.split("\n")[1]).toBe(`${"é word ".repeat(120)}end`);
  });

  it("is never broken so that a line becomes a boundary", async () => {
    for (let shift = 0; shift < 80; shift += 1) {
      for (const header of [
        "Content-Type: text/plain",
        "Content-Type: text/plain\r\nContent-Transfer-Encoding: quoted-printable",
      ]) {
        const text = `${"x".repeat(shift)}${"--b".repeat(400)}`;
        const parts = [`${header}\r\n\r\n${text}\r\n`, "Content-Type: text/html\r\n\r\nx"];
        const [, first = "", second] = shorten(mixed(parts)).split("\r\n--b\r\n");
        const body = first.slice(first.indexOf("\r\n\r\n") + 4);
        expect(body.replaceAll("=\r\n", "").replaceAll("=2D", "-").trim()).toBe(text);
        expect(second).toMatch(/^Content-Type: text\/html/);
      }
    }
  });

  it("is found in a nested message and in nested multiparts", async () => {
    const inner =
      "Subject: inner\r\nContent-Type: multipart/alternative; " +
      `boundary=b2\r\n\r\n--b2\r\n\r\n${LONG}\r\n--b2\r\nContent-Type: ` +
      "text/html\r\n\r\nshort\r\n--b2--\r\n";
    const out = shorten(mixed([`Content-Type: message/rfc822\r\n\r\n${inner}`]));
    expect(out).toContain(
      "Content-Type: message/rfc822\r\n\r\nSubject: inner\r\nContent-Type: " +
        "multipart/alternative; boundary=b2\r\n\r\n--b2\r\nContent-Transfer-Encoding: " +
        "quoted-printable\r\n\r\n",
    );
    expect(out).toContain(
      "\r\n--b2\r\nContent-Type: text/html\r\n\r\nshort\r\n--b2--\r\n\r\n--b--\r\n",
    );
    expect(longest(out)).toBeLessThanOrEqual(78);
  });

  it("is found between whole boundaries, even if they are quoted, escaped or begin other text", () => {
    const part = `Content-Type: text/plain\r\n\r\n--b-2 is text\r\n${LONG}`;
    for (const written of ['"b"', "b", '"\\b"', "b ; charset=x"]) {
      const both = mixed([part, "Content-Type: text/html\r\n\r\nx"]);
      const out = shorten(both.replace('boundary="b"', `x=y;\r\n\tBOUNDARY = ${written}`));
      expect(out).toContain(
        "Content-Type: text/plain\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n",
      );
      expect(out).toContain("\r\n--b\r\nContent-Type: text/html\r\n\r\nx\r\n--b--\r\n");
    }
  });

  it.each([
    ["a preamble", `${HEADER}${MIXED}${LONG}\r\n--b\r\n\r\nx\r\n--b--\r\n`],
    ["an epilogue", `${HEADER}${MIXED}--b\r\n\r\nx\r\n--b--\r\n${LONG}\r\n`],
    ["a part's header", mixed([`Content-Type: text/plain\r\nX-A: ${LONG}\r\n\r\nx`])],
    ["a multipart without a boundary", `${HEADER}Content-Type: multipart/mixed\r\n\r\n${LONG}\r\n`],
    ["an unknown encoding", mixed([`Content-Transfer-Encoding: x-uuencode\r\n\r\n${LONG}`])],
    ["a delivery report", mixed([`Content-Type: message/delivery-status\r\n\r\n${LONG}`])],
  ])("in %s is broken without changing a part's encoding", (_, message) => {
    const out = shorten(message);
    expect(longest(out)).toBeLessThanOrEqual(998);
    expect(out.replace(/[\r\n ]/g, "")).toBe(message.replace(/[\r\n ]/g, ""));
  });

  it("leaves parts that decode as before, whatever they contain", async () => {
    const word = fc.constantFrom(
      ..."a|é|=|=3D|.| |--b|--b--|-|From |\r\n".split("|"),
      "x".repeat(997),
      "é".repeat(500),
    );
    const text = fc
      .array(word, { maxLength: 12 })
      .map((words) => `${words.join("").replace(/^--/gm, "-")}!`);
    const part = fc.record({ text, html: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 4 }), async (parts) => {
        const raw = mixed(
          parts.map(
            ({ text: body, html }) =>
              `Content-Type: text/${html ? "html" : "plain"}; ` +
              "charset=utf-8\r\nContent-Disposition: attachment; " +
              `filename=a\r\n\r\n${Buffer.from(body).toString("latin1")}`,
          ),
        );
        const out = shorten(raw);
        expect(longest(out)).toBeLessThanOrEqual(998);
        const contents = async (message: string) => {
          const email = await PostalMime.parse(bytesOf(message), { attachmentEncoding: "utf8" });
          return email.attachments.map(({ content }) => content);
        };
        expect(await contents(out)).toEqual(await contents(raw));
      }),
    );
  });
});

describe("hostile structure", () => {
  it.each([
    [
      "10,000 levels",
      Array.from(
        { length: 10_000 },
        (_, index) => MIXED.replace("=b", `=b${index}`) + `--b${index}\r\n`,
      ).join(""),
    ],
    ["100,000 parts", MIXED + "--b\r\n\r\n\r\n".repeat(100_000)],
    ["boundaries without line ends", MIXED + "--b".repeat(300_000)],
    ["messages in messages", "Content-Type: message/rfc822\r\n\r\n".repeat(20_000)],
    ["one boundary on every level", `${MIXED}--b\r\n`.repeat(20_000)],
    ["a header of a megabyte", `Content-Type:${" a;".repeat(300_000)}\r\n\r\n`],
    ["semicolons, blanks", `Content-Type: multipart/mixed${";  boundary ".repeat(80_000)}\r\n\r\n`],
    ["an open quote", `Content-Type: multipart/mixed; boundary="${"\\a".repeat(400_000)}\r\n\r\n`],
  ])("gets short lines: %s", (_, structure) => {
    const out = shorten(`${HEADER}${structure}${LONG}\r\n${LONG}\r\n`);
    expect(out.split("\r\n").every(({ length }) => length <= 998)).toBe(true);
  });

  it("never makes the composer throw, whatever the octets", () => {
    const piece = fc.constantFrom(
      ...(
        '\r\n|--b|--|Content-Type: |multipart/mixed;|boundary=b|boundary="|message/rfc822|' +
        "Content-Transfer-Encoding: |base64|quoted-printable|=| |\xff"
      ).split("|"),
      "x".repeat(1_100),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        expect(longest(shorten(`${HEADER}${pieces.join("")}\r\n`))).toBeLessThanOrEqual(998);
      }),
    );
  });
});
