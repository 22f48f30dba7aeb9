// Turns the content of a send over HTTP into its stored form, and back. Small content without
// attachments is stored as JSON of its texts. Other content is stored as bytes: the JSON, then the
// attachments. The ledger's row and R2 store the same form. Pure.
import { Buffer } from "node:buffer";
import { SMALL_CONTENT_BYTES } from "../limits.ts";
import type { MessageContent, StoredAttachment } from "./message.ts";

/**
 * A message's content as it is stored: the result of encodeContent(), or the bytes of a submitted
 * message. Text is at most SMALL_CONTENT_BYTES long.
 */
export type StoredContent = string | Uint8Array<ArrayBuffer>;

/** The JSON at the beginning of stored content. */
interface ContentHead extends Pick<MessageContent, "text" | "html"> {
  readonly attachments: readonly (Omit<StoredAttachment, "content"> & {
    /**
     * Length of the attachment in bytes. The attachments follow the JSON in the order of this list.
     */
    readonly bytes: number;
  })[];
}

/** A UTF-16 unit takes at most three bytes of UTF-8. */
const BYTES_PER_UNIT = 3;
/** Ends the JSON, which never has a raw line feed. */
const LINE_FEED = 0x0a;

export function encodeContent({ text, html, attachments }: MessageContent): StoredContent {
  const head: ContentHead = {
    text,
    html,
    attachments: attachments.map(({ content, ...about }) => ({ ...about, bytes: content.length })),
  };
  const json = JSON.stringify(head);
  return attachments.length === 0 && isShort(json) ? json : joinBytes(json, attachments);
}

/** Decodes stored content. The attachments share the memory of the stored bytes. */
export function decodeContent(stored: StoredContent): MessageContent {
  if (typeof stored === "string") return JSON.parse(stored) as MessageContent;
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
  const end = bytes.indexOf(LINE_FEED);
  const { attachments, ...texts } = JSON.parse(bytes.toString("utf8", 0, end)) as ContentHead;
  let at = end + 1;
  return {
    ...texts,
    attachments: attachments.map(({ bytes: length, ...about }) => {
      const content = stored.subarray(at, at + length);
      at += length;
      return { ...about, content };
    }),
  };
}

function isShort(json: string): boolean {
  return (
    json.length * BYTES_PER_UNIT <= SMALL_CONTENT_BYTES ||
    (json.length <= SMALL_CONTENT_BYTES && Buffer.byteLength(json) <= SMALL_CONTENT_BYTES)
  );
}

function joinBytes(
  json: string,
  attachments: readonly StoredAttachment[],
): Uint8Array<ArrayBuffer> {
  const headBytes = Buffer.byteLength(json) + 1;
  const length = attachments.reduce((sum, { content }) => sum + content.length, headBytes);
  const joined = new Uint8Array(length);
  const head = Buffer.from(joined.buffer);
  head.write(json, "utf8");
  head[headBytes - 1] = LINE_FEED;
  let at = headBytes;
  for (const { content } of attachments) {
    joined.set(content, at);
    at += content.length;
  }
  return joined;
}
