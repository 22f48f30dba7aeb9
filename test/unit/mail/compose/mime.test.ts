// Tests the body of a composed message: it has only the parts and levels that it needs, and every
// text, file and file name is read back as it was given.
import { Buffer } from "node:buffer";
import { fc } from "../../../support/properties.ts";
import PostalMime from "postal-mime";
import { describe, expect, it } from "vitest";
import type { StoredAttachment } from "../../../../src/mail/message.ts";
import { composed, faultsOf, latin1 } from "./fixtures.ts";

const TEXTS: Record<string, string> = {
  plain: "Hello,\n\nyour order has shipped.\n",
  "without a final line end": "Hello",
  "old Macintosh and mixed line ends": "a\rb\nc\r\nd\r\r\ne",
  "a line of 2,000 letters": "x".repeat(2_000),
  "a line of 79": "y".repeat(79),
  "a line of 10,000 words": "word ".repeat(10_000),
  accented: "Grüße aus Köln, à bientôt\nÀ l'année prochaine",
  Chinese: "您的订单已发货，请注意查收。\n".repeat(50),
  "emoji across soft breaks": `${"a".repeat(60)}${"👩‍👩‍👧‍👦".repeat(40)}`,
  "spaces and tabs at line ends": "a \nb\t\nc  \t \n d",
  "blank lines of spaces": "a\n   \n\t\n\nb",
  "lines that are a dot": ".\n..\n.a\nb\n.",
  "From at a line start": "x\nFrom here on\n>From there\nFrom",
  "From after a soft break": `${"z".repeat(75)}From here and ${"=".repeat(80)}.`,
  "equals signs": "a=b\n=3D\n=\n==",
  "a line like a boundary":
    "--=_0197e3a05b1f7c2d8e4f112233445566_mixed\n--=_0197e3a05b1f7c2d8e4f112233445566_alternative--\n--",
  "a signature's dashes": "bye\n-- \nAnn",
  "NUL and other controls": "a\u0000b\u0007c\u000bd\fe\u007f",
  "no-break space, zero width, byte order mark": "a\u00a0b\u200bc\ufeff\n",
  "line and paragraph separators": "a\u2028b\u2029c\u0085d",
  "many empty lines at the end": "a\n\n\n\n\n",
  empty: "",
};

/** Normalises line ends and removes those at the end, as a reader would. */
function normalizeLines(text: string | undefined): string {
  return (text ?? "").replace(/\r\n?/g, "\n").replace(/\n+$/, "");
}

describe("a text", () => {
  for (const [name, text] of Object.entries(TEXTS)) {
    it(`comes back as it was given, as text and as HTML: ${name}`, async () => {
      const alone = await composed({}, { text });
      const both = await composed({}, { text, html: text });
      for (const bytes of [alone, both]) expect(faultsOf(bytes)).toEqual([]);
      expect(normalizeLines(contentOf(latin1(alone)))).toBe(normalizeLines(text));
      const parts = partsOf(latin1(both));
      expect(parts.map((part) => contentOf(part).replaceAll("\r\n", "\n"))).toEqual(
        [text, text].map((one) => one.replace(/\r\n?/g, "\n")),
      );
      expect(normalizeLines((await PostalMime.parse(both)).text)).toBe(normalizeLines(text));
    });
  }

  it("is encoded only when it must be, and then in the shorter encoding", async () => {
    const encodingOf = async (text: string) =>
      /Content-Transfer-Encoding: (\S+)/.exec(latin1(await composed({}, { text })))?.[1];
    expect(await encodingOf("Hello\n")).toBe("7bit");
    expect(await encodingOf("Hellö\n")).toBe("quoted-printable");
    expect(await encodingOf("您的订单已发货")).toBe("base64");
  });

  it("of any Unicode characters is read back as it was given", async () => {
    const unit = fc.constantFrom(" ", "\t", "\n", "\r", ".", "=", "F", "From ", "é", "😀", "x");
    const anything = fc.oneof(
      fc.string({ unit: "binary", maxLength: 2_000 }),
      fc.string({ unit, maxLength: 600 }),
    );
    await fc.assert(
      fc.asyncProperty(anything, anything, async (text, html) => {
        const bytes = await composed({}, { text, html });
        expect(faultsOf(bytes)).toEqual([]);
        const given = [text, html].map((one) => one.toWellFormed().replace(/\r\n?|\n/g, "\r\n"));
        expect(partsOf(latin1(bytes)).map(contentOf)).toEqual(given);
      }),
    );
  });
});

const FILES: Record<string, string> = {
  plain: "report.pdf",
  "with spaces and an apostrophe": "Ann's annual report (final).pdf",
  "with quotes": 'the "best" one.pdf',
  "with a semicolon and equals": "a; filename=b.exe",
  accented: "Übersicht für Köln.pdf",
  Japanese: "四半期の報告書と添付資料、最終版、修正済み.pdf",
  emoji: `${"👩‍👩‍👧‍👦".repeat(10)}.png`,
  "255 letters": `${"n".repeat(251)}.pdf`,
  "percent signs": "100%25 sure.txt",
  "without an extension": "README",
};

function file(changes: Partial<StoredAttachment> = {}): StoredAttachment {
  return {
    filename: "a.bin",
    contentType: "application/octet-stream",
    contentId: null,
    content: Buffer.from("file"),
    ...changes,
  };
}

const composedWith = (...attachments: StoredAttachment[]) => composed({}, { attachments });

describe("an attachment", () => {
  for (const [name, filename] of Object.entries(FILES)) {
    it(`keeps its file name: ${name}`, async () => {
      const bytes = await composedWith(file({ filename, contentType: "application/pdf" }));
      expect(faultsOf(bytes)).toEqual([]);
      const [attachment] = (await PostalMime.parse(bytes)).attachments;
      expect(attachment?.filename).toBe(filename);
      expect(attachment?.mimeType).toBe("application/pdf");
      const withoutDisposition = latin1(bytes).replace(
        /\r\nContent-Disposition: [^\r]*(?:\r\n [^\r]*)*/,
        "\r\nContent-Disposition: attachment",
      );
      expect((await PostalMime.parse(withoutDisposition)).attachments[0]?.filename).toBe(filename);
    });
  }

  it("keeps its bytes, whatever its size", async () => {
    const contents = [0, 1, 2, 3, 56, 57, 58, 5_000, 100_000].map((size) =>
      Uint8Array.from({ length: size }, (_, index) => (index * 31 + size) % 256),
    );
    const bytes = await composedWith(...contents.map((content) => file({ content })));
    const { attachments } = await PostalMime.parse(bytes);
    expect(attachments).toHaveLength(contents.length);
    for (const [index, { content }] of attachments.entries())
      expect(Buffer.from(content as ArrayBuffer).equals(contents[index]!)).toBe(true);
  });

  it("keeps the parameters of its type except `name`", async () => {
    const contentType =
      'Text/Calendar; method=REQUEST; name="other.ics"; Name*0=x; charset="utf-8"; bad; also=';
    const text = latin1(await composedWith(file({ filename: "invite.ics", contentType })));
    expect(text).toContain(
      'Content-Type: text/calendar; method=REQUEST; charset="utf-8";\r\n name="invite.ics"\r\n',
    );
  });

  it("is application/octet-stream when its type is invalid or composite", async () => {
    const long = `text/x; a=${"b".repeat(600)}`;
    for (const contentType of ["", "pdf", "a b/c", "multipart/mixed; boundary=x", long]) {
      const email = await PostalMime.parse(await composedWith(file({ contentType })));
      expect(email.attachments[0]?.mimeType).toBe("application/octet-stream");
    }
  });

  it("that is a message is unencoded if SMTP can carry it, else octet-stream", async () => {
    const inner = "From: a@example.com\nSubject: inner\n\nHello\n";
    const attached = (text: string) => {
      const content = Buffer.from(text);
      return composedWith(file({ filename: "inner.eml", contentType: "message/rfc822", content }));
    };
    const safe = await attached(inner);
    expect(faultsOf(safe).filter((fault) => !fault.startsWith("at risk"))).toEqual([]);
    expect(latin1(safe)).toContain(
      "Content-Transfer-Encoding: 7bit\r\nContent-Disposition: attachment; " +
        `filename="inner.eml"\r\n\r\n${inner.replaceAll("\n", "\r\n")}`,
    );
    for (const text of [`${inner}é`, `${inner}${"x".repeat(999)}`, `${inner}\0`]) {
      const bytes = await attached(text);
      expect(faultsOf(bytes)).toEqual([]);
      const [attachment] = (await PostalMime.parse(bytes)).attachments;
      expect(attachment?.filename).toBe("inner.eml");
      expect(attachment?.mimeType).toBe("application/octet-stream");
      expect(Buffer.from(attachment?.content as ArrayBuffer).equals(Buffer.from(text))).toBe(true);
    }
  });
});

describe("the structure of a message", () => {
  const inline = file({
    filename: "logo.png",
    contentType: "image/png",
    contentId: "logo@x.example",
  });
  const attached = file({ filename: "a.pdf", contentType: "application/pdf" });
  const html = "<p>Hi</p>";
  const cases: [string, Parameters<typeof composed>[1], string][] = [
    ["text", {}, "text/plain"],
    ["html", { text: null, html }, "text/html"],
    ["both", { html }, "multipart/alternative text/plain text/html"],
    ["text and a file", { attachments: [attached] }, "multipart/mixed text/plain application/pdf"],
    [
      "html and an inline image",
      { text: null, html, attachments: [inline] },
      "multipart/related text/html image/png",
    ],
    ["text and an inline image", { attachments: [inline] }, "multipart/mixed text/plain image/png"],
    [
      "a file alone",
      { text: null, attachments: [attached] },
      "multipart/mixed text/plain application/pdf",
    ],
    [
      "everything",
      { html, attachments: [attached, inline, attached] },
      "multipart/mixed multipart/alternative text/plain multipart/related text/html image/png " +
        "application/pdf application/pdf",
    ],
  ];

  for (const [name, content, types] of cases) {
    it(`has the levels that it needs and no other: ${name}`, async () => {
      const bytes = await composed({}, content);
      expect(faultsOf(bytes)).toEqual([]);
      const found = latin1(bytes).matchAll(/^Content-Type: ([a-z/]+)/gm);
      expect(Array.from(found, ([, type]) => type).join(" ")).toBe(types);
      const email = await PostalMime.parse(bytes);
      expect(email.attachments.length).toBe(content?.attachments?.length ?? 0);
    });
  }

  it("ties an inline image to the HTML by its Content-ID", async () => {
    const email = await PostalMime.parse(
      await composed({}, { html: '<img src="cid:logo@x.example">', attachments: [inline] }),
    );
    expect(email.attachments[0]).toMatchObject({
      contentId: "<logo@x.example>",
      disposition: "inline",
      related: true,
      filename: "logo.png",
    });
    expect(email.html?.trim()).toBe('<img src="cid:logo@x.example">');
  });
});

/** Returns the two parts of a multipart/alternative message, each with its headers. */
function partsOf(message: string): string[] {
  const boundary = /boundary="([^"]+)"/.exec(message)?.[1] ?? "";
  const [, ...parts] = message.split(`--${boundary}`);
  return parts.slice(0, -1).map((part) => part.slice(2, -2));
}

/** Decodes the body of a MIME part by the part's Content-Transfer-Encoding. */
function contentOf(part: string): string {
  const split = part.indexOf("\r\n\r\n");
  const body = part.slice(split + 4);
  const encoding = /Content-Transfer-Encoding: (\S+)/.exec(part.slice(0, split))?.[1];
  if (encoding === "7bit") return body;
  if (encoding === "base64") return Buffer.from(body, "base64").toString("utf8");
  for (const line of body.split("\r\n")) expect(line.length).toBeLessThanOrEqual(76);
  const octets = body
    .replaceAll("=\r\n", "")
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(octets, "latin1").toString("utf8");
}
