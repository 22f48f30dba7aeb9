// Converts the non-ASCII octets of a header, which declares no charset (RFC 6532 §3). Octets that
// are valid UTF-8 are read as UTF-8, others as Windows-1252, which most old programs write. Pure.
import { Buffer } from "node:buffer";

const ASCII = /^[\0-\x7f]*$/;

export interface OctetText {
  readonly text: string;
  readonly isUtf8: boolean;
}

/** Decodes `octets`, a string with one character per octet. */
export function textOfOctets(octets: string): OctetText {
  if (ASCII.test(octets)) return { text: octets, isUtf8: true };
  const bytes = Buffer.from(octets, "latin1");
  const text = bytes.toString("utf8");
  if (Buffer.from(text, "utf8").equals(bytes)) return { text, isUtf8: true };
  return { text: new TextDecoder("windows-1252").decode(bytes), isUtf8: false };
}

/** Returns the octets of a text in UTF-8, as a string with one character per octet. */
export function utf8Octets(text: string): string {
  return ASCII.test(text) ? text : Buffer.from(text, "utf8").toString("latin1");
}
