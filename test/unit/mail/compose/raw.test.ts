// Tests submitted messages as they are sent: unchanged and signed if SMTP can carry them, and
// changed in one part only if that part has a line that is too long.
import { Buffer } from "node:buffer";
import * as fc from "fast-check";
import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import { runToEnd } from "../../../../src/lib/step-scheduler.ts";
import { composeRaw, prepareRaw } from "../../../../src/mail/compose/raw.ts";
import { withShortLines } from "../../../../src/mail/compose/raw-lines.ts";
import { latin1, messageWith, signingKey, verified } from "./fixtures.ts";

const HEADER = "From: news@example.com\r\nSubject: x\r\n";
const LONG = "0123456789 ".repeat(150).trim();
const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "latin1"));
const shorten = (text: string): string => latin1(runToEnd(withShortLines(bytesOf(text))));
const longest = (text: string): number =>
  Math.max(...text.split("\r\n").map(({ length }) => length));

function mixed(parts: readonly string[], boundary = "b"): string {
  return `${HEADER}MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="${boundary}"\r\n\r\npreamble\r\n${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join("")}--${boundary}--\r\nepilogue\r\n`;
}

describe("a copy", () => {
  it("is the stored message after a valid signature", async () => {
    const { dkim, publicKey } = await signingKey();
    const raw =
      `${HEADER}X-A:  b \r\n\tc\r\nContent-Type: text/plain; ` +
      "charset=utf-8\r\n\r\n.\r\n\xc3\xa9 \xff\r\n\r\n";
    const copy = await composeRaw({
      message: messageWith({ source: "raw" }),
      prepared: await prepareRaw(bytesOf(raw)),
      recipientIndex: 0,
      dkim,
    });
    expect(latin1(copy)).toMatch(/^DKIM-Signature: /);
    expect(latin1(copy).endsWith(`\r\n${raw}`)).toBe(true);
    expect(await verified(copy, publicKey)).toBeInstanceOf(Map);
  });

  it("has the same octets on every attempt", async () => {
    const { dkim } = await signingKey();
    const compose = async () =>
      composeRaw({
        message: messageWith({ source: "raw" }),
        prepared: await prepareRaw(bytesOf(`${HEADER}\r\n${LONG}\r\n`)),
        recipientIndex: 0,
        dkim,
      });
    expect(latin1(await compose())).toBe(latin1(await compose()));
  });
});

describe("lines that SMTP can carry", () => {
  it("are not changed, whatever they contain", () => {
    const body = fc.array(
      fc.string({
        unit: fc.integer({ min: 1, max: 255 }).map((code) => String.fromCharCode(code)),
        maxLength: 998,
      }),
      {
        maxLength: 8,
      },
    );
    fc.assert(
      fc.property(body, (lines) => {
        const raw = bytesOf(
          `${HEADER}\r\n${lines.map((line) => `${line.replace(/[\r\n]/g, "")}\r\n`).join("")}`,
        );
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
    expect(
      out.startsWith(
        `${HEADER}MIME-Version: 1.0\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n`,
      ),
    ).toBe(true);
    expect(longest(out)).toBeLessThanOrEqual(78);
    expect((await PostalMime.parse(out)).text?.trim()).toMatch(new RegExp(`^${LONG}`));
  });

  it("replaces the encoding that a part names, wherever it stands and however it is folded", () => {
    const header = `Content-transfer-ENCODING:\r\n 8bit\r\nMIME-Version: 1.0\r\n${HEADER}`;
    expect(
      shorten(`${header}\r\n${LONG}\r\n`).startsWith(
        `Content-Transfer-Encoding: quoted-printable\r\nMIME-Version: 1.0\r\n${HEADER}\r\n`,
      ),
    ).toBe(true);
  });

  it("changes only its own part", async () => {
    const others = [
      "Content-Type: text/plain\r\nContent-Transfer-Encoding: 8bit\r\n\r\n.\r\n\xe9\xff \t\r\n",
      "Content-Type: application/x\r\n\r\n=C3=A9 =\r\n",
    ];
    const out = shorten(
      mixed([
        others[0] ?? "",
        `Content-Type: text/html; charset=utf-8\r\nX-A: b\r\n\r\n<p>${LONG}\xc3\xa9</p>`,
        others[1] ?? "",
      ]),
    );
    const [before = "", after = ""] = out.split(
      "Content-Type: text/html; charset=utf-8\r\nX-A: b\r\nContent-Transfer-Encoding: " +
        "quoted-printable\r\n\r\n",
    );
    expect(before).toBe(mixed([others[0] ?? "", "#"]).split("#")[0]);
    expect(after.endsWith(`\r\n--b\r\n${others[1]}\r\n--b--\r\nepilogue\r\n`)).toBe(true);
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
        const [first, second] = shorten(
          mixed([`${header}\r\n\r\n${text}\r\n`, "Content-Type: text/html\r\n\r\nx"]),
        )
          .split("\r\n--b\r\n")
          .slice(1);
        expect(
          first
            ?.slice(first.indexOf("\r\n\r\n") + 4)
            .replaceAll("=\r\n", "")
            .replaceAll("=2D", "-")
            .trim(),
        ).toBe(text);
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

  it("finds its part by the whole boundary, quoted, escaped, folded or a prefix of another", () => {
    const part = `Content-Type: text/plain\r\n\r\n--b-2 is text\r\n${LONG}`;
    for (const written of ['"b"', "b", '"\\b"', "b ; charset=x"]) {
      const out = shorten(
        mixed([part, "Content-Type: text/html\r\n\r\nx"]).replace(
          'boundary="b"',
          `x=y;\r\n\tBOUNDARY = ${written}`,
        ),
      );
      expect(out).toContain(
        "Content-Type: text/plain\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n",
      );
      expect(out).toContain("\r\n--b\r\nContent-Type: text/html\r\n\r\nx\r\n--b--\r\n");
    }
  });

  it.each([
    [
      "a preamble",
      `${HEADER}Content-Type: multipart/mixed; ` +
        `boundary=b\r\n\r\n${LONG}\r\n--b\r\n\r\nx\r\n--b--\r\n`,
    ],
    [
      "an epilogue",
      `${HEADER}Content-Type: multipart/mixed; ` +
        `boundary=b\r\n\r\n--b\r\n\r\nx\r\n--b--\r\n${LONG}\r\n`,
    ],
    ["a part's header", mixed([`Content-Type: text/plain\r\nX-A: ${LONG}\r\n\r\nx`])],
    ["a multipart without a boundary", `${HEADER}Content-Type: multipart/mixed\r\n\r\n${LONG}\r\n`],
    ["an unknown encoding", mixed([`Content-Transfer-Encoding: x-uuencode\r\n\r\n${LONG}`])],
    ["a delivery report", mixed([`Content-Type: message/delivery-status\r\n\r\n${LONG}`])],
  ])("in %s is broken without changing a part's encoding", (_, message) => {
    const out = shorten(message);
    expect(longest(out)).toBeLessThanOrEqual(998);
    expect(out.replaceAll("\r\n", "").replaceAll(" ", "")).toBe(
      message.replaceAll("\r\n", "").replaceAll(" ", ""),
    );
  });

  it("leaves parts that decode as before, whatever they contain", async () => {
    const word = fc.constantFrom(
      "a",
      "é",
      "=",
      "=3D",
      ".",
      " ",
      "--b",
      "--b--",
      "-",
      "From ",
      "\r\n",
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
        const contents = async (message: string) =>
          (
            await PostalMime.parse(bytesOf(message), { attachmentEncoding: "utf8" })
          ).attachments.map(({ content }) => content);
        expect(await contents(out)).toEqual(await contents(raw));
      }),
      { numRuns: 600 },
    );
  });
});

describe("hostile structure", () => {
  it.each([
    [
      "10,000 levels",
      Array.from(
        { length: 10_000 },
        (_, index) => `Content-Type: multipart/mixed; boundary=b${index}\r\n\r\n--b${index}\r\n`,
      ).join(""),
    ],
    [
      "100,000 parts",
      `Content-Type: multipart/mixed; boundary=b\r\n\r\n${"--b\r\n\r\n\r\n".repeat(100_000)}`,
    ],
    [
      "marks without line ends",
      `Content-Type: multipart/mixed; boundary=b\r\n\r\n${"--b".repeat(300_000)}`,
    ],
    ["messages in messages", "Content-Type: message/rfc822\r\n\r\n".repeat(20_000)],
    [
      "one boundary on every level",
      "Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n".repeat(20_000),
    ],
    ["a header of a megabyte", `Content-Type:${" a;".repeat(300_000)}\r\n\r\n`],
    [
      "semicolons and blanks",
      `Content-Type: multipart/mixed${";  boundary ".repeat(80_000)}\r\n\r\n`,
    ],
    [
      "a quote without an end",
      `Content-Type: multipart/mixed; boundary="${"\\a".repeat(400_000)}\r\n\r\n`,
    ],
  ])("gets short lines: %s", (_, structure) => {
    const out = shorten(`${HEADER}${structure}${LONG}\r\n${LONG}\r\n`);
    expect(out.split("\r\n").every(({ length }) => length <= 998)).toBe(true);
  });

  it("never makes the composer throw, whatever the octets", () => {
    const piece = fc.constantFrom(
      "\r\n",
      "--b",
      "--",
      "Content-Type: ",
      "multipart/mixed;",
      "boundary=b",
      'boundary="',
      "message/rfc822",
      "Content-Transfer-Encoding: ",
      "base64",
      "quoted-printable",
      "=",
      " ",
      "x".repeat(1_100),
      "\xff",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        expect(longest(shorten(`${HEADER}${pieces.join("")}\r\n`))).toBeLessThanOrEqual(998);
      }),
      { numRuns: 1_500 },
    );
  });
});
