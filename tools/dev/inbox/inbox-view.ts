// Renders a message for the inbox's page: headers, text, HTML and attachments. Messages are not
// trusted. So their HTML is served as a sandboxed document without scripts, and their attachments
// only as downloads.
import { decodeHTML as decodeEntities } from "entities";
import PostalMime, { type Attachment, type Email } from "postal-mime";
import { type LocalReply, Problem } from "../http-server.ts";

/**
 * The Content-Security-Policy of a message's HTML. It forbids scripts, forms and plugins. It
 * permits pictures, as mail programs do, so that open tracking can be observed.
 */
const HTML_POLICY =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; img-src data: " +
  "http: https:; style-src 'unsafe-inline' http: https:; font-src data: http: https:";
const INLINE_IMAGE = /^image\/(?:png|jpeg|gif|webp|avif|bmp|svg\+xml)$/;
/** The address at which the service accepts answers (contract.md §Replies). */
const REPLY_ADDRESS = /^r\+[a-z2-7]{61}@/i;

export interface MessageView {
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly text: string | null;
  readonly has_html: boolean;
  /** True: the service accepts an answer to this message (`reply_tracking`). */
  readonly takes_answers: boolean;
  readonly attachments: readonly {
    readonly filename: string;
    readonly content_type: string;
    readonly size: number;
    readonly content_id: string | null;
  }[];
}

export async function viewMessage(raw: Buffer): Promise<MessageView> {
  const email = await parse(raw);
  return {
    headers: email.headers.map(({ originalKey, value }) => ({ name: originalKey, value })),
    text: email.text ?? null,
    has_html: email.html !== undefined,
    takes_answers: REPLY_ADDRESS.test(email.replyTo?.[0]?.address ?? ""),
    attachments: email.attachments.map((attachment, index) => ({
      filename: fileName(attachment, index),
      content_type: attachment.mimeType,
      size: bytesOf(attachment).length,
      content_id: attachment.contentId ?? null,
    })),
  };
}

/** Returns a message's text and the words of its HTML, or "" if it can't be parsed. */
export async function textOf(raw: Buffer): Promise<string> {
  try {
    const { text = "", html = "" } = await parse(raw);
    return `${text}\n${decodeEntities(html.replace(/<[^<>]*>/g, " "))}`;
  } catch (error) {
    if (error instanceof Problem) return "";
    throw error;
  }
}

/**
 * Returns a message's HTML part as a document for a sandboxed frame. In this document, each `cid:`
 * reference is replaced by the part of the message that it names.
 */
export async function htmlDocument(raw: Buffer): Promise<LocalReply> {
  const email = await parse(raw);
  if (email.html === undefined) throw new Problem(404, "the message has no HTML part");
  const parts = new Map(
    email.attachments.map((attachment) => [
      attachment.contentId?.replace(/^<|>$/g, ""),
      attachment,
    ]),
  );
  const html = email.html.replace(/cid:([^\s"'<>()]+)/gi, (reference, id: string) => {
    const part = parts.get(id) ?? parts.get(decodeText(id));
    if (!part || !INLINE_IMAGE.test(part.mimeType)) return reference;
    return `data:${part.mimeType};base64,${bytesOf(part).toString("base64")}`;
  });
  const headers = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": HTML_POLICY,
    "referrer-policy": "no-referrer",
  };
  return { status: 200, headers, body: `<!doctype html><base target="_blank">${html}` };
}

export async function attachmentDownload(raw: Buffer, index: number): Promise<LocalReply> {
  const attachment = (await parse(raw)).attachments[index];
  if (!attachment) throw new Problem(404, "the message has no such attachment");
  const name = encodeURIComponent(fileName(attachment, index)).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );
  const headers = {
    "content-type": "application/octet-stream",
    "content-disposition": `attachment; filename*=UTF-8''${name}`,
    "x-content-type-options": "nosniff",
  };
  return { status: 200, headers, body: bytesOf(attachment) };
}

async function parse(raw: Buffer): Promise<Email> {
  try {
    return await PostalMime.parse(raw, { rfc822Attachments: true });
  } catch (error) {
    throw new Problem(
      422,
      `the message can't be parsed (${(error as Error).message}); its source can still be read`,
    );
  }
}

function bytesOf(attachment: Attachment): Buffer {
  const { content } = attachment;
  if (typeof content === "string") return Buffer.from(content, attachment.encoding ?? "utf8");
  return content instanceof Uint8Array
    ? Buffer.from(content)
    : Buffer.from(new Uint8Array(content));
}

function fileName(attachment: Attachment, index: number): string {
  return (
    attachment.filename ??
    `part-${index + 1}.${attachment.mimeType === "message/rfc822" ? "eml" : "bin"}`
  );
}

function decodeText(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
