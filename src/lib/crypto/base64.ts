// Strict base64 in both alphabets: malformed text is undefined, whereas Buffer.from alone skips
// unknown characters. Pure.
import { Buffer } from "node:buffer";

const DIGITS = /^[A-Za-z0-9+/_-]*$/;

/**
 * Decodes standard or URL-safe base64. Padding is optional, line breaks are ignored, and other
 * white space is an error (contract.md §Attachments). Returns undefined when malformed.
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

/** Encodes with the standard alphabet and padding. */
export function encodeBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

/** Encodes with the URL-safe alphabet, without padding. */
export function encodeBase64Url(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64url");
}
