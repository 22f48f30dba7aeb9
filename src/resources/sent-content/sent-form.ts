// Encodes a message and its content as one object, and decodes it (docs/storage.md §Kept content).
// An object has a line that describes the rest, a line with the message's JSON, and the content.
// Pure, except for the digests of gzip.
import { Buffer } from "node:buffer";
import { gunzipSync, gzipSync } from "node:zlib";

/** A message with its content, as the ledger stores both. */
export interface WholeMessage {
  /** The start of the message's 72 hours, Unix milliseconds. */
  readonly startsAt: number;
  /** The message (mail/message.ts Message) as JSON. */
  readonly meta: string;
  /** The stored content (mail/stored-content.ts): text or bytes. */
  readonly content: string | Uint8Array<ArrayBuffer>;
}

/** The first line of an object. */
interface Head {
  readonly startsAt: number;
  readonly metaBytes: number;
  readonly contentBytes: number;
  readonly isText: boolean;
}

/** Objects up to this size are not compressed, because gzip costs more than it saves. */
const SMALL_BYTES = 4_096;
/**
 * Objects from this size on are not compressed. They consist mostly of files that are already
 * compressed, and gzip would block the isolate for a tenth of a second.
 */
const LARGE_BYTES = 1_048_576;
/** The fastest level of gzip, which compresses 50 KB in less than 3 ms. */
const LEVEL = 1;
/** The maximum size of an object: a message of 5 MB, and its JSON. */
const READ_BYTES = 8 * 1_048_576;
const GZIP = Buffer.from([0x1f, 0x8b]);
const LINE_FEED = 0x0a;

export function packSent({ startsAt, meta, content }: WholeMessage): Uint8Array {
  const [metaBytes, contentBytes] = [Buffer.byteLength(meta), Buffer.byteLength(content)];
  const isText = typeof content === "string";
  const head = JSON.stringify({ startsAt, metaBytes, contentBytes, isText } satisfies Head);
  const bytes = Buffer.concat([
    Buffer.from(`${head}\n${meta}`),
    isText ? Buffer.from(content) : content,
  ]);
  const isPacked = bytes.length > SMALL_BYTES && bytes.length <= LARGE_BYTES;
  return isPacked ? gzipSync(bytes, { level: LEVEL }) : bytes;
}

/** Reads an object. Throws if the object is incomplete. */
export function unpackSent(stored: Uint8Array): WholeMessage {
  const given = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
  const bytes = given.subarray(0, GZIP.length).equals(GZIP)
    ? gunzipSync(given, { maxOutputLength: READ_BYTES })
    : given;
  const end = bytes.indexOf(LINE_FEED) + 1;
  const head = JSON.parse(bytes.toString("utf8", 0, end)) as Head;
  const content = end + head.metaBytes;
  if (bytes.length !== content + head.contentBytes) throw new Error("the object is not whole");
  return {
    startsAt: head.startsAt,
    meta: bytes.toString("utf8", end, content),
    content: head.isText
      ? bytes.toString("utf8", content)
      : new Uint8Array(bytes.subarray(content)),
  };
}
