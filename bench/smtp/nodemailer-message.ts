// The bench's message as nodemailer composes and signs it, for those who deliver without composing.
import { createTransport } from "nodemailer";
import { MESSAGE, SENDER_DOMAIN } from "../message.ts";
import { SELECTOR } from "../tenant.ts";

export async function signedMessage(dkimKey: string): Promise<Buffer> {
  const transport = createTransport({
    streamTransport: true,
    buffer: true,
    newline: "windows",
    dkim: { domainName: SENDER_DOMAIN, keySelector: SELECTOR, privateKey: dkimKey },
  });
  const { from, to, subject, text, html } = MESSAGE;
  const { message } = await transport.sendMail({ from, to, subject, text, html });
  if (!Buffer.isBuffer(message)) throw new Error("nodemailer made a stream");
  return message;
}
