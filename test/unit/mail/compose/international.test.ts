// Tests copies beyond ASCII (src/mail/compose/copy-header.ts, raw-ascii.ts): a copy has UTF-8 in
// its header only if an address needs it; all other copies are 7-bit.
import { Buffer } from "node:buffer";
import { fc } from "../../../support/properties.ts";
import PostalMime, { decodeWords } from "postal-mime";
import { describe, expect, it } from "vitest";
import { compose } from "../../../../src/mail/compose/compose.ts";
import { runToEnd } from "../../../../src/lib/step-scheduler.ts";
import { composeRaw, prepareRaw } from "../../../../src/mail/compose/raw.ts";
import { withAsciiHeaders } from "../../../../src/mail/compose/raw-ascii.ts";
import type { Message } from "../../../../src/mail/message.ts";
import { pairsOf } from "../../fixture-rows.ts";
import { contentWith, faultsOf, latin1, messageWith, signingKey, verified } from "./fixtures.ts";

const USER = "用户@xn--fiq228c.example";

const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "utf8"));
const encoded = (text: string): string =>
  Buffer.from(runToEnd(withAsciiHeaders(bytesOf(text)))).toString("utf8");
const headerOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes).toString("utf8").split("\r\n\r\n")[0] ?? "";

/** Encodes a header field in ASCII, and decodes it as a mail reader does. */
const readField = (text: string): string => {
  const out = encoded(`A: b\r\n${text}\r\n\r\nbody é\r\n`);
  expect(out.startsWith("A: b\r\n")).toBe(true);
  expect(out.endsWith("\r\n\r\nbody é\r\n")).toBe(true);
  const header = (out.split("\r\n\r\n")[0] ?? "").replace(/^A: b(?:\r\n)?/, "");
  expect(header).toMatch(/^[\r\n -~]*$/);
  for (const line of header.split("\r\n")) expect(line.length).toBeLessThanOrEqual(78);
  return decodeWords(header.replaceAll("\r\n", ""));
};

describe("a composed copy", () => {
  const message: Partial<Message> = {
    from: { email: "news@example.com", name: "Zoë" },
    to: [
      { email: USER, name: "李雷" },
      { email: "ann@example.org", name: "Ann" },
    ],
    recipients: [USER, "ann@example.org"],
    subject: "Grüße",
  };
  const copyTo = async (recipientIndex: number, changes: Partial<Message> = {}) => {
    const { dkim } = await signingKey();
    return compose({
      message: messageWith({ ...message, ...changes }),
      content: contentWith({ text: "é" }),
      recipientIndex,
      dkim,
    });
  };

  it("to a non-ASCII address has the address unencoded in its header, and all other text encoded", async () => {
    const copy = await copyTo(0);
    expect(headerOf(copy)).toContain(
      `\r\nTo: =?utf-8?B?5p2O6Zu3?= <${USER}>, Ann <ann@example.org>\r\n`,
    );
    expect(headerOf(copy).replaceAll(USER, "")).toMatch(/^[\r\n -~]*$/);
    expect(await verified(copy, (await signingKey()).publicKey)).toBeInstanceOf(Map);
    expect((await PostalMime.parse(copy)).to).toEqual([
      { address: USER, name: "李雷" },
      { address: "ann@example.org", name: "Ann" },
    ]);
  });

  it("to an ASCII address is 7-bit and shows the other recipient as a name", async () => {
    const copy = await copyTo(1);
    expect(faultsOf(copy)).toEqual([]);
    expect((await PostalMime.parse(copy)).to).toEqual([
      { name: `李雷 ${USER}`, group: [] },
      { address: "ann@example.org", name: "Ann" },
    ]);
  });

  it.each<[string, Partial<Message>]>([
    ["from", { from: { email: "zoë@example.com", name: null } }],
    ["reply-to", { replyTo: [{ email: "zoë@example.com", name: "Zoë" }] }],
  ])("keeps a %s beyond ASCII in every copy, since it has no ASCII form", async (name, changes) => {
    const copy = await copyTo(1, changes);
    expect(headerOf(copy)).toMatch(new RegExp(`^${name}: .*zoë@example\\.com`, "im"));
    expect(headerOf(copy)).toContain(`<${USER}>`);
  });
});

describe("a submitted copy", () => {
  const raw =
    `From: Zoë <news@example.com>\r\nTo: ${USER}, Ann <ann@example.org>\r\nSubject: ` +
    "Grüße\r\n\r\nbody é\r\n";
  const copyTo = async (recipientIndex: number) => {
    const message = messageWith({ source: "raw", recipients: [USER, "ann@example.org"] });
    const prepared = await prepareRaw(bytesOf(raw));
    return composeRaw({ message, prepared, recipientIndex, dkim: (await signingKey()).dkim });
  };

  it("has its header as it was written if the recipient needs UTF-8", async () => {
    const copy = await copyTo(0);
    const [header = ""] = raw.split("\r\n\r\n");
    expect(Buffer.from(copy).toString("utf8")).toContain(`\r\n${header}\r\n`);
    expect(await verified(copy, (await signingKey()).publicKey)).toBeInstanceOf(Map);
  });

  it("has an encoded header for other recipients, and decodes to the same text", async () => {
    const copy = await copyTo(1);
    expect(latin1(copy)).toMatch(/^[\r\n -~]*$/);
    expect(await verified(copy, (await signingKey()).publicKey)).toBeInstanceOf(Map);
    expect(await PostalMime.parse(copy)).toMatchObject({
      from: { name: "Zoë", address: "news@example.com" },
      to: [{ name: USER, group: [] }, { address: "ann@example.org" }],
      subject: "Grüße",
      text: "body é\r\n",
    });
  });
});

describe("a header in ASCII", () => {
  it("keeps its octets and folds next to a field that is encoded", () => {
    const kept = 'From:  "A,  B" <a@b.example> (c)\r\nX-A: a\r\n\tb\r\n';
    expect(encoded(`${kept}X-B: é\r\n\r\n`)).toBe(`${kept}X-B: =?utf-8?B?w6k=?=\r\n\r\n`);
    const ascii = bytesOf(`${kept}\r\né\r\n`);
    expect(runToEnd(withAsciiHeaders(ascii))).toBe(ascii);
  });

  it.each(pairsOf("composed-headers", "headers in ASCII"))(
    "writes %j as %j",
    (written, expected) => {
      expect(readField(written)).toBe(expected);
    },
  );

  it("also replaces the headers of parts and attached messages, but not of signed parts", async () => {
    const part = (text: string) =>
      "Content-Type: application/pdf\r\nContent-Disposition: attachment; " +
      `filename="${text}"\r\n\r\n%PDF`;
    const inside = `Content-Type: message/rfc822\r\n\r\nSubject: é\r\n\r\nx`;
    const signed =
      "Content-Type: multipart/signed; " +
      `boundary=s\r\n\r\n--s\r\n${part("ß.pdf")}\r\n--s\r\n\r\nx\r\n--s--`;
    const raw =
      "Content-Type: multipart/mixed; " +
      `boundary=b\r\n\r\n--b\r\n${[part("ü.pdf"), inside, signed].join("\r\n--b\r\n")}\r\n--b--\r\n`;
    const out = encoded(raw);
    expect(out).toBe(
      raw
        .replace('filename="ü.pdf"', "filename*=utf-8''%C3%BC.pdf")
        .replace("Subject: é", "Subject: =?utf-8?B?w6k=?="),
    );
    expect((await PostalMime.parse(out)).attachments[0]?.filename).toBe("ü.pdf");
  });

  it("is the result for any octets", () => {
    const piece = fc.constantFrom(
      ..."From: |To: |Content-Type: |é|用户|\r\n|\r\n |a| |name=".split("|"),
      ...Array.from('<>"(),:;@\\=['),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const out = runToEnd(withAsciiHeaders(bytesOf(`A: b\r\n${pieces.join("")}\r\n\r\n`)));
        const [header = ""] = latin1(out).split("\r\n\r\n");
        expect(header).toMatch(/^[\r\n -~]*$/);
      }),
    );
  });
});
