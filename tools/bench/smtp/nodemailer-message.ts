// The bench's message as nodemailer composes it: signed, for the senders that deliver without
// composing, or as a client would submit it.
import { createTransport, type SendMailOptions } from "nodemailer";
import { MESSAGE, SENDER_DOMAIN } from "../../harness/sample-message.ts";
import { SELECTOR } from "../../harness/tenant.ts";

/**
 * Placeholder in the Message-ID of messageOf(). A number with the same number of digits overwrites
 * it.
 */
export const PLACE_OF_NUMBER = "NUMBER-GOES-HERE";

/** Content per byte of base64 in lines of 76 characters, line ends included. */
const BASE64_YIELD = (0.75 * 76) / 78;

const { from, to, subject, text, html } = MESSAGE;

export async function signedMessage(dkimKey: string): Promise<Buffer> {
  return compose(
    { from, to, subject, text, html },
    { dkim: { domainName: SENDER_DOMAIN, keySelector: SELECTOR, privateKey: dkimKey } },
  );
}

/**
 * Makes a message of about this many bytes: text and HTML, plus an attachment if more is needed.
 */
export async function messageOf(bytes: number): Promise<Buffer> {
  const messageId = `<${PLACE_OF_NUMBER}@${SENDER_DOMAIN}>`;
  const plain = await compose({ from, to, subject, text, html, messageId });
  const missing = Math.floor((bytes - plain.length) * BASE64_YIELD);
  if (missing < plain.length) return plain;
  const attachments = [{ filename: "receipt.pdf", content: Buffer.alloc(missing, "%PDF") }];
  return compose({ from, to, subject, text, html, messageId, attachments });
}

async function compose(mail: SendMailOptions, options: object = {}): Promise<Buffer> {
  const transport = createTransport({
    streamTransport: true,
    buffer: true,
    newline: "windows",
    ...options,
  });
  const { message } = await transport.sendMail(mail);
  if (!Buffer.isBuffer(message)) throw new Error("nodemailer made a stream");
  return message;
}
