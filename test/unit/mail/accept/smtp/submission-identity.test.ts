// Tests which messages by SMTP are the same under one idempotency key (docs/smtp.md §Repetitions).
import { Buffer } from "node:buffer";
import { fc } from "../../../../support/properties.ts";
import { describe, expect, it } from "vitest";
import { identityOfMessage, OWNED } from "./submissions.ts";

const latin1 = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));
const utf8 = (text: string) => Buffer.from(text, "utf8").toString("latin1");
const base64 = (text: string) =>
  Buffer.from(text, "latin1")
    .toString("base64")
    .replace(/.{76}(?=.)/g, "$&\r\n");
const quoted = (text: string) =>
  Array.from(text, (one) =>
    one === "\r" || one === "\n"
      ? one
      : `=${one.charCodeAt(0).toString(16).padStart(2, "0").toUpperCase()}`,
  ).join("");

type Way = (text: string) => [charset: string, encoding: string, body: string];
const WAYS: readonly Way[] = [
  (text) => ["utf-8", "8bit", utf8(text)],
  (text) => ["utf-8", "base64", base64(utf8(text))],
  (text) => ["UTF-8", "quoted-printable", quoted(utf8(text))],
  (text) => ["iso-8859-1", "quoted-printable", quoted(text)],
];

interface Written {
  readonly text: string;
  readonly file: string;
  readonly boundary: string;
  readonly way: Way;
  readonly from?: string;
  readonly subject?: string;
  readonly header?: string;
  readonly name?: string;
}

function write({ text, file, boundary, way, header = "", ...given }: Written): Uint8Array {
  const { from = "Me", subject = "x", name = "name=a" } = given;
  const [charset, encoding, body] = way(text);
  return latin1(
    `From: ${from} <me@${OWNED}>\r\nSubject: ${subject}\r\n${header}` +
      `Content-Type: multipart/mixed; boundary="${boundary}"\r\n\r\n--${boundary}\r\n` +
      `Content-Type: text/plain; charset=${charset}\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n` +
      `${body}\r\n--${boundary}\r\nContent-Type: application/x; ${name}\r\n` +
      `Content-Transfer-Encoding: base64\r\n\r\n${base64(file)}\r\n--${boundary}--\r\n`,
  );
}

const contentOf = async (message: Uint8Array, ...envelope: [string?, string[]?]) =>
  (await identityOfMessage(message, ...envelope)).content;

describe("the content of a message", () => {
  const letters = fc.string({
    unit: fc.constantFrom(..."ab\u00e9\u00df = ".split("")),
    maxLength: 60,
  });
  const file = fc.string({ unit: fc.constantFrom("a", "\xff", "\0", "\r\n"), maxLength: 20 });

  it("is the same in each encoding, charset and boundary, and differs for another text", async () => {
    const ways = fc.tuple(fc.constantFrom(...WAYS), fc.constantFrom(...WAYS));
    await fc.assert(
      fc.asyncProperty(letters, file, ways, async (given, bytes, [one, other]) => {
        const text = `x${given}x`;
        const first = await contentOf(write({ text, file: bytes, boundary: "b1", way: one }));
        const coded = { from: "=?utf-8?Q?Me?=", subject: "=?utf-8?B?eA==?=" };
        const fields = { ...coded, header: "Date: today\r\n" };
        const again = { text, file: bytes, boundary: "b2", way: other, ...fields };
        expect(await contentOf(write(again))).toBe(first);
        expect(await contentOf(write({ ...again, text: `${text}!` }))).not.toBe(first);
        expect(await contentOf(write({ ...again, file: `${bytes}!` }))).not.toBe(first);
      }),
    );
  });

  const plain = { text: "a", file: "b", boundary: "b", way: WAYS[0]! };

  it.each([
    ["name=a.pdf", "name*=utf-8'en'a%2Epdf"],
    [`name="${utf8("\u00fc.pdf")}"`, 'name="=?iso-8859-1?Q?=FC?=.pdf"'],
    ['name="a;\\"b"', "name*0*=''a%3B%22; name*1=b"],
    [
      "name=x\r\nContent-Disposition: inline; filename=a",
      "x=y\r\nContent-Disposition: attachment;\r\n filename=a",
    ],
  ])("includes a file's name, however the name is written: %j", async (name, same) => {
    const first = await contentOf(write({ ...plain, name }));
    expect(await contentOf(write({ ...plain, name: same }))).toBe(first);
    expect(await contentOf(write({ ...plain, name: "name=other" }))).not.toBe(first);
  });

  it.each<[string, Partial<Written>, sender?: string, recipient?: string]>([
    ["the sender", {}, "b@example.com"],
    ["a recipient", {}, "a@example.com", "d@example.com"],
    ["From", { from: "You" }],
    ["Subject", { subject: "y" }],
    ["an option", { header: "X-Service-Tags: a\r\n" }],
  ])("differs with another value of %s", async (_, change, ...envelope) => {
    const [sender = "a@example.com", recipient = "c@example.com"] = envelope;
    const first = await contentOf(write(plain), "a@example.com", ["c@example.com"]);
    expect(await contentOf(write({ ...plain, ...change }), sender, [recipient])).not.toBe(first);
  });

  it("is the same with more fields, a company's own too, and with the recipients in another order", async () => {
    const header = "X-Service-Region: eu\r\nX-A: b\r\nX-Service-Idempotency-Key: k\r\n";
    const envelope = [
      "a@example.com",
      ["d@example.com", "C@example.com", "c@example.com"],
    ] as const;
    expect(await contentOf(write({ ...plain, header }), envelope[0], [...envelope[1]])).toBe(
      await contentOf(write(plain), "a@example.com", ["c@example.com", "d@example.com"]),
    );
  });
});

describe("the octets of a message", () => {
  it("are compared without trace fields", async () => {
    const header = "Received: by a\r\n\tfor b\r\nReturn-Path: <a@b>\r\n";
    const plain = { text: "a", file: "b", boundary: "b", way: WAYS[0]! };
    const [first, traced, other] = await Promise.all(
      [write(plain), write({ ...plain, header }), write({ ...plain, header: "X-A: b\r\n" })].map(
        async (message) => (await identityOfMessage(message)).octets,
      ),
    );
    expect(traced).toBe(first);
    expect(other).not.toBe(first);
  });
});
