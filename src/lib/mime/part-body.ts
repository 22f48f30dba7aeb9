// Decodes a part's body from its transfer encoding, and encodes it again (RFC 2045 §6). Works in
// steps, because a part may be megabytes long. Pure.
import { Buffer } from "node:buffer";
import type { Steps } from "../step-scheduler.ts";
import { wrapBase64 } from "./body-encoding.ts";
import { isIdentity } from "./parts.ts";

const CODED_LINE_CHARACTERS = 75;
/** Number of octets that one step processes. */
const OCTETS_PER_STEP = 262_144;
const HEX_DIGITS = Buffer.from("0123456789ABCDEF", "latin1");
/** Value of each octet as a hexadecimal digit, or -1. */
const DIGIT_VALUES = Int8Array.from({ length: 256 }, (_, octet) => {
  const text = String.fromCharCode(octet);
  return /[0-9A-F]/i.test(text) ? Number.parseInt(text, 16) : -1;
});

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const DASH = 0x2d;
const EQUALS = 0x3d;
const TILDE = 0x7e;

/** Tells whether decodeBody() supports the encoding. */
export function isDecodable(encoding: string): boolean {
  return isIdentity(encoding) || encoding === "quoted-printable" || encoding === "base64";
}

export function* decodeBody(body: Uint8Array, encoding: string): Steps<Uint8Array> {
  if (encoding === "quoted-printable") return yield* decodeQuotedPrintable(body);
  if (encoding !== "base64") return body;
  yield body.length;
  return Buffer.from(
    Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("latin1"),
    "base64",
  );
}

/**
 * Decodes quoted-printable in one pass. Drops trailing blanks of a line, because mail servers may
 * have added them (RFC 2045 §6.7, rule 3).
 */
function* decodeQuotedPrintable(body: Uint8Array): Steps<Uint8Array> {
  const output = new Uint8Array(body.length);
  let length = 0;
  /**
   * Length of the output without the blanks at its end, which are dropped if the line ends there.
   */
  let trimmedLength = 0;
  let isSoft = false;
  let stepEnd = OCTETS_PER_STEP;
  for (let at = 0; at <= body.length; at += 1) {
    if (at >= stepEnd) {
      stepEnd = at + OCTETS_PER_STEP;
      yield OCTETS_PER_STEP;
    }
    const octet = body[at];
    const isEnd = at === body.length;
    if (isEnd || (octet === CR && body[at + 1] === LF)) {
      length = isSoft ? trimmedLength - 1 : trimmedLength;
      if (!isSoft && !isEnd) {
        output[length++] = CR;
        output[length++] = LF;
      }
      at += 1;
      trimmedLength = length;
      isSoft = false;
      continue;
    }
    const value = octet === EQUALS ? readHexOctet(body, at + 1) : -1;
    output[length++] = value < 0 ? (octet ?? 0) : value;
    if (octet === SPACE || octet === TAB) continue;
    if (value >= 0) at += 2;
    trimmedLength = length;
    isSoft = octet === EQUALS && value < 0;
  }
  return output.subarray(0, length);
}

/** Returns the octet that two hexadecimal digits encode, or -1 when they are not digits. */
function readHexOctet(body: Uint8Array, at: number): number {
  const [high, low] = [DIGIT_VALUES[body[at] ?? 0] ?? -1, DIGIT_VALUES[body[at + 1] ?? 0] ?? -1];
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

/**
 * Encodes a body. `isLast`: the body ends the message, and gets a line end. The line end after any
 * other body belongs to the delimiter that follows.
 */
export function* encodeBody(
  octets: Uint8Array,
  encoding: string,
  isLast: boolean,
): Steps<Uint8Array> {
  if (encoding === "base64") {
    yield octets.length;
    return Buffer.from(wrapBase64(octets) + (isLast ? "\r\n" : ""), "latin1");
  }
  const body = encoding === "quoted-printable" ? yield* quoteOctets(octets) : octets;
  const hasLineEnd = body.at(-2) === CR && body.at(-1) === LF;
  return isLast && !hasLineEnd ? Buffer.concat([body, Buffer.from("\r\n")]) : body;
}

/**
 * Encodes in quoted-printable (RFC 2045 §6.7) in one pass. Avoids lines that look like a part's
 * boundary.
 */
export function* quoteOctets(bytes: Uint8Array): Steps<Uint8Array> {
  // The array has room for the worst case. An octet takes at most three characters. A line has at
  // least 72 characters, and three more for its soft break.
  const output = new Uint8Array(bytes.length * 3 + Math.ceil(bytes.length / 24) * 3);
  let length = 0;
  let column = 0;
  let stepEnd = OCTETS_PER_STEP;
  for (let at = 0; at < bytes.length; at += 1) {
    if (at >= stepEnd) {
      stepEnd = at + OCTETS_PER_STEP;
      yield OCTETS_PER_STEP;
    }
    const octet = bytes[at] ?? 0;
    if (octet === CR && bytes[at + 1] === LF) {
      output[length++] = CR;
      output[length++] = LF;
      column = 0;
      at += 1;
      continue;
    }
    let isLiteral = isPlain(bytes, at);
    if (column + (isLiteral ? 1 : 3) > CODED_LINE_CHARACTERS) {
      output[length++] = EQUALS;
      output[length++] = CR;
      output[length++] = LF;
      column = 0;
    }
    if (column === 0 && octet === DASH && bytes[at + 1] === DASH) isLiteral = false;
    column += isLiteral ? 1 : 3;
    output[length++] = isLiteral ? octet : EQUALS;
    if (isLiteral) continue;
    output[length++] = HEX_DIGITS[octet >> 4] ?? 0;
    output[length++] = HEX_DIGITS[octet & 15] ?? 0;
  }
  return output.subarray(0, length);
}

/** Tells whether an octet needs no encoding. A blank at the end of a line does need encoding. */
function isPlain(bytes: Uint8Array, at: number): boolean {
  const octet = bytes[at] ?? 0;
  if (octet === SPACE || octet === TAB)
    return at + 1 < bytes.length && !(bytes[at + 1] === CR && bytes[at + 2] === LF);
  return octet > SPACE && octet <= TILDE && octet !== EQUALS;
}

/**
 * Breaks a line of quoted-printable softly, but never inside an `=XX`. Avoids lines that look like
 * a part's boundary.
 */
export function insertSoftBreaks(line: string): string {
  const pieces: string[] = [];
  let start = 0;
  while (start < line.length) {
    const guard = start > 0 && line.startsWith("--", start) ? "=2D" : "";
    if (guard !== "") start += 1;
    const room = CODED_LINE_CHARACTERS - guard.length;
    const escape =
      line.length - start > room ? line.slice(start + room - 2, start + room).indexOf("=") : -1;
    const end = start + (escape < 0 ? room : room - 2 + escape);
    pieces.push(guard + line.slice(start, end));
    start = end;
  }
  return pieces.join("=\r\n");
}
