// The bench's message as nodemailer composes it. It is signed for senders that deliver without
// composing, and unsigned for a client that submits it.
import { createTransport, type SendMailOptions } from "nodemailer";
import type { Cleanup } from "../../harness/cleanup.ts";
import { MESSAGE, SENDER_DOMAIN } from "../../harness/sample-message.ts";
import { SELECTOR } from "../../harness/tenant.ts";

/** Placeholder in the Message-ID of messageOf(). A number with equally many digits replaces it. */
export const NUMBER_PLACEHOLDER = "NUMBER-GOES-HERE";

/**
 * Bytes of content that one byte of base64 text carries, if each line has 76 characters and CRLF.
 */
const BASE64_YIELD = (0.75 * 76) / 78;

const { from, to, subject, text, html } = MESSAGE;

/** The number of connections over which nodemailer submits to Postfix. */
export const POOLED_CONNECTIONS = 16;

/**
 * Makes a sender without TLS to a server on this machine. It has POOLED_CONNECTIONS connections.
 */
export function pooledTransport(cleanup: Cleanup, port: number) {
  const transport = createTransport({
    pool: true,
    host: "127.0.0.1",
    port,
    ignoreTLS: true,
    maxConnections: POOLED_CONNECTIONS,
    maxMessages: Number.POSITIVE_INFINITY,
  });
  cleanup.add(() => transport.close());
  return transport;
}

export async function signedMessage(dkimKey: string): Promise<Buffer> {
  return compose(
    { from, to, subject, text, html },
    { dkim: { domainName: SENDER_DOMAIN, keySelector: SELECTOR, privateKey: dkimKey } },
  );
}

/**
 * Makes a message of about this many bytes: text and HTML, and an attachment if more bytes are
 * needed.
 */
export async function messageOf(bytes: number): Promise<Buffer> {
  const messageId = `<${NUMBER_PLACEHOLDER}@${SENDER_DOMAIN}>`;
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
