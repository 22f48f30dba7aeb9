// Encodes a text body for transport (RFC 2045 §6): unchanged if no mail software could alter it,
// else in quoted-printable or base64, whichever is smaller. The output is 7-bit, with CRLF line
// ends and at most 78 characters per line. Pure.
import { Buffer } from "node:buffer";
import { encodeBase64 } from "../crypto/base64.ts";

interface EncodedBody {
  readonly encoding: "7bit" | "quoted-printable" | "base64";
  /**
   * The encoded body, in ASCII with CRLF line ends. The last line has a line end only if the last
   * line of the text has one.
   */
  readonly data: string;
}

const PLAIN_LINE_CHARACTERS = 78;
const ENCODED_LINE_CHARACTERS = 76;

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const DASH = 0x2d;
const DOT = 0x2e;
const EQUALS = 0x3d;
const UPPER_F = 0x46;
const DELETE = 0x7f;
const HEX_DIGITS = "0123456789ABCDEF";
const HEX = Uint8Array.from(HEX_DIGITS, (digit) => digit.codePointAt(0) ?? 0);

/**
 * Output width of each octet in quoted-printable. The first octet of a character counts for the
 * whole character. A blank at the end of a line takes more octets than its entry here.
 */
const WIDTHS = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0xc0) return byte >= 0xf0 ? 12 : byte >= 0xe0 ? 9 : 6;
  return isLiteral(byte) ? 1 : 3;
});

const ASCII = /^[\0-\x7f]*$/;
const DIGITS = /^[A-Za-z0-9+/=]*$/;
const IS_DIGIT = Uint8Array.from({ length: 256 }, (_, byte) =>
  DIGITS.test(String.fromCharCode(byte)) ? 1 : 0,
);
const LINE_END = /\r\n?|\n/g;

const encoder = new TextEncoder();

export function encodeTextBody(text: string): EncodedBody {
  const normalized = text.replace(LINE_END, "\r\n");
  const bytes = ASCII.test(normalized)
    ? Buffer.from(normalized, "latin1")
    : encoder.encode(normalized);
  const { plain, quotedBytes, lines } = survey(bytes);
  if (plain) return { encoding: "7bit", data: normalized };
  if (quotedBytes <= Math.ceil(bytes.length / 3) * 4)
    return { encoding: "quoted-printable", data: encodeQuotedPrintable(bytes, quotedBytes, lines) };
  return { encoding: "base64", data: wrapBase64(bytes) };
}

/** Encodes in base64, in lines of 76 characters. The last line has no line end. */
export function wrapBase64(bytes: Uint8Array): string {
  return breakLines(encodeBase64(bytes));
}

/** Breaks base64 text into lines of 76 characters. Other characters are dropped. */
export function rewrapBase64(text: string): string {
  return breakLines(DIGITS.test(text) ? text : dropNonBase64(text));
}

function breakLines(digits: string): string {
  const lines: string[] = [];
  for (let start = 0; start < digits.length; start += ENCODED_LINE_CHARACTERS)
    lines.push(digits.slice(start, start + ENCODED_LINE_CHARACTERS));
  return lines.join("\r\n");
}

/**
 * Drops characters that are not base64. A loop over the octets is much faster than millions of
 * regular-expression replacements.
 */
function dropNonBase64(text: string): string {
  const bytes = Buffer.from(text, "latin1");
  let length = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] as number;
    if (IS_DIGIT[byte] === 1) bytes[length++] = byte;
  }
  return bytes.toString("latin1", 0, length);
}

/**
 * Examines every octet once. Finds whether the text can stay unchanged, and its size in
 * quoted-printable without soft line breaks.
 */
function survey(bytes: Uint8Array): { plain: boolean; quotedBytes: number; lines: number } {
  let plain = true;
  let quotedBytes = 0;
  let lines = 1;
  let lineStart = 0;
  const { length } = bytes;
  for (let index = 0; index <= length; index += 1) {
    const byte = index < length ? (bytes[index] as number) : CR;
    if (byte !== CR) {
      if (WIDTHS[byte] === 1) quotedBytes += 1;
      else {
        plain &&= byte === EQUALS;
        quotedBytes += 3;
      }
      continue;
    }
    if (plain) {
      const previous = index > lineStart ? bytes[index - 1] : undefined;
      plain =
        index - lineStart <= PLAIN_LINE_CHARACTERS &&
        previous !== SPACE &&
        previous !== TAB &&
        !isFragile(bytes, lineStart);
    }
    if (index === length) break;
    index += 1;
    lineStart = index + 1;
    lines += 1;
    quotedBytes += 2;
  }
  return { plain, quotedBytes, lines };
}

/**
 * Tells whether a line that starts here begins with a dot, with "From ", or like one of our
 * boundaries. Mail software may change or misread such a line.
 */
function isFragile(bytes: Uint8Array, start: number): boolean {
  const first = bytes[start];
  if (first === DOT) return true;
  if (first === UPPER_F) return isFromLine(bytes, start);
  return first === DASH && bytes[start + 1] === DASH && bytes[start + 2] === EQUALS;
}

function isFromLine(bytes: Uint8Array, start: number): boolean {
  return (
    bytes[start + 1] === 0x72 &&
    bytes[start + 2] === 0x6f &&
    bytes[start + 3] === 0x6d &&
    bytes[start + 4] === SPACE
  );
}

function isLiteral(byte: number): boolean {
  return (byte >= SPACE && byte < DELETE && byte !== EQUALS) || byte === TAB;
}

/**
 * Encodes in quoted-printable (RFC 2045 §6.7). A soft line break never splits a character.
 * `quotedBytes` and `lines` are the counts from survey().
 */
function encodeQuotedPrintable(bytes: Uint8Array, quotedBytes: number, lines: number): string {
  // The array has room for the worst case. Each output line, of at least 60 octets, may need a soft
  // break (3 octets) and an encoded first octet (2 more). Each input line may need an encoded last
  // octet (2 more).
  const output = new Uint8Array(quotedBytes + 5 * Math.ceil(quotedBytes / 60) + 4 * lines + 8);
  let length = 0;
  let column = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index] as number;
    if (byte === CR) {
      output[length++] = CR;
      output[length++] = LF;
      column = 0;
      index += 1;
      continue;
    }
    const width =
      (byte === SPACE || byte === TAB) && endsLine(bytes, index + 1) ? 3 : (WIDTHS[byte] as number);
    if (column + width > ENCODED_LINE_CHARACTERS - 1) {
      output[length++] = EQUALS;
      output[length++] = CR;
      output[length++] = LF;
      column = 0;
    }
    if (width === 1 && (column > 0 || !isFragile(bytes, index))) {
      output[length++] = byte;
      column += 1;
    } else {
      output[length++] = EQUALS;
      output[length++] = HEX[byte >> 4] as number;
      output[length++] = HEX[byte & 15] as number;
      column += 3;
    }
  }
  return toAscii(output.subarray(0, length));
}

function endsLine(bytes: Uint8Array, index: number): boolean {
  return index === bytes.length || bytes[index] === CR;
}

function toAscii(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}
