// Base64 in both alphabets, strict: what is not base64 is undefined, never a guess (Buffer.from
// alone skips what it doesn't know).
import { Buffer } from "node:buffer";

const DIGITS = /^[A-Za-z0-9+/_-]*$/;

/**
 * Decodes standard or URL-safe base64, padding optional, line breaks ignored and no other white
 * space (contract.md §Attachments). Undefined when malformed.
 */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  const compact = /[\r\n]/.test(text) ? text.replace(/[\r\n]+/g, "") : text;
  const end = compact.endsWith("==")
    ? compact.length - 2
    : compact.endsWith("=")
      ? compact.length - 1
      : compact.length;
  const digits = compact.slice(0, end);
  if (digits.length % 4 === 1 || !DIGITS.test(digits)) return undefined;
  if (end !== compact.length && compact.length % 4 !== 0) return undefined;
  return new Uint8Array(Buffer.from(digits, "base64"));
}

/** Standard alphabet, padded. */
export function encodeBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

/** URL-safe alphabet, unpadded. */
export function encodeBase64Url(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64url");
}
