// Tests composed messages as a whole: no string injects a header, all copies of a message have the
// same bytes, and any Unicode text is read as it was given.
import { fc } from "../../../support/properties.ts";
import PostalMime, { decodeWords } from "postal-mime";
import { describe, expect, it } from "vitest";
import { compose } from "../../../../src/mail/compose/compose.ts";
import {
  composed,
  contentWith,
  faultsOf,
  fieldsOf,
  messageWith,
  namesOf,
  signingKey,
  verified,
} from "./fixtures.ts";

describe("header injection", () => {
  const hostile = [
    "x\r\nBcc: evil@example.net",
    "x\nBcc: evil@example.net\n\n<b>",
    "x\rBcc: evil@example.net",
    "x\u0000\u0085\u2028Bcc: evil@example.net",
    'x">, <evil@example.net',
  ];

  for (const text of hostile) {
    it(`is not possible through any string: ${JSON.stringify(text)}`, async () => {
      const mailbox = { email: `${text.replace(">", "")}@example.org`, name: text };
      const attachment = {
        filename: text,
        contentType: `application/pdf; a=${text}`,
        contentId: text,
        content: new TextEncoder().encode(text),
      };
      const bytes = await composed(
        {
          from: mailbox,
          to: [mailbox],
          cc: [mailbox],
          replyTo: [mailbox],
          subject: text,
          messageId: text,
          id: text,
          headers: [["X-A", text]],
        },
        { html: "<p>x</p>", attachments: [attachment, { ...attachment, contentId: null }] },
      );
      expect(faultsOf(bytes)).toEqual([]);
      expect(namesOf(bytes)).toBe(
        "DKIM-Signature From To Cc Reply-To Subject Date Message-ID MIME-Version X-A Content-Type",
      );
      const { to, cc, replyTo, attachments } = await PostalMime.parse(bytes);
      expect([to, cc, replyTo, attachments].map((list) => list?.length)).toEqual([1, 1, 1, 2]);
    });
  }
});

describe("the copies of a message", () => {
  it("are the same bytes for every recipient, on every attempt", async () => {
    const { dkim } = await signingKey();
    const message = messageWith({ recipients: ["a@example.org", "b@example.org"] });
    const file = { filename: "a.bin", contentType: "application/pdf", contentId: null };
    const attachments = [{ ...file, content: new Uint8Array(3) }];
    const content = contentWith({ html: "<p>é</p>", attachments });
    const first = await compose({ message, content, recipientIndex: 0, dkim });
    expect(await compose({ message, content, recipientIndex: 1, dkim })).toEqual(first);
  });

  it("are composed only for its recipients", async () => {
    const { dkim } = await signingKey();
    await expect(
      compose({ message: messageWith(), content: contentWith(), recipientIndex: 1, dkim }),
    ).rejects.toThrow("has no recipient 1");
  });
});

describe("any Unicode text", () => {
  const anything = fc.string({ unit: "binary", maxLength: 300 });

  it("is read back from the header as it was given", async () => {
    const { publicKey } = await signingKey();
    await fc.assert(
      fc.asyncProperty(anything, anything, anything, async (subject, name, value) => {
        const bytes = await composed({
          subject,
          from: { email: "a@example.com", name },
          headers: [["X-Any", value]],
        });
        expect(faultsOf(bytes)).toEqual([]);
        const fields = new Map(fieldsOf(bytes));
        expect(decodeWords(fields.get("Subject") ?? "")).toBe(oneLine(subject));
        expect(decodeWords(fields.get("X-Any") ?? "")).toBe(oneLine(value).trim());
        expect((await PostalMime.parse(bytes)).from?.address).toBe("a@example.com");
        expect(typeof (await verified(bytes, publicKey))).toBe("object");
      }),
    );
  });

  function oneLine(text: string): string {
    return Array.from(text.toWellFormed(), (character) =>
      character === "\t" ? " " : /\p{Cc}/u.test(character) ? "" : character,
    ).join("");
  }
});
