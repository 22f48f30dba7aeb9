// Compares composed messages with those of another implementation: a message of nodemailer with the
// same input has the same content when it is parsed.
import { Buffer } from "node:buffer";
import MailComposer from "nodemailer/lib/mail-composer";
import PostalMime, { type Email } from "postal-mime";
import { describe, expect, it } from "vitest";
import { contentWith, faultsOf, messageWith } from "../unit/mail/compose/fixtures.ts";
import { COMPOSED_CASES, type ComposedCase, composeNow } from "./composed-cases.ts";

describe("nodemailer", () => {
  for (const [name, one] of Object.entries(COMPOSED_CASES)) {
    it(`composes a message that parses to the same content: ${name}`, async () => {
      const ours = await composeNow(one);
      expect(faultsOf(ours)).toEqual([]);
      expect(essence(await PostalMime.parse(ours))).toEqual(
        essence(await PostalMime.parse(await nodemailerBytes(one))),
      );
    });
  }
});

async function nodemailerBytes({ message, content }: ComposedCase): Promise<Uint8Array> {
  const full = messageWith(message);
  const { text, html, attachments } = contentWith(content);
  const mailbox = ({ email, name }: { email: string; name: string | null }) => ({
    address: email,
    name: name ?? "",
  });
  const mail = new MailComposer({
    from: mailbox(full.from),
    to: full.to.map(mailbox),
    cc: full.cc.map(mailbox),
    replyTo: full.replyTo.map(mailbox),
    subject: full.subject,
    ...(text !== null && { text }),
    ...(html !== null && { html }),
    messageId: full.messageId,
    attachments: attachments.map(({ filename, contentType, contentId, content: bytes }) => ({
      filename,
      contentType,
      content: Buffer.from(bytes),
      cid: contentId ?? undefined,
    })),
  });
  return mail.compile().build();
}

function essence({
  from,
  to,
  cc,
  replyTo,
  subject,
  messageId,
  text,
  html,
  attachments,
}: Email): unknown {
  return {
    addresses: { from, to, cc, replyTo },
    subject,
    messageId,
    text: text?.replaceAll("\r\n", "\n").trimEnd(),
    html: html?.replaceAll("\r\n", "\n").trimEnd(),
    files: attachments.map(({ filename, mimeType, contentId, related, content }) => [
      filename,
      mimeType,
      contentId,
      related,
      Buffer.from(content as ArrayBuffer).toString("hex"),
    ]),
  };
}
