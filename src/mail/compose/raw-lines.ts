// Lines that SMTP can't carry (RFC 5321 section 4.5.3.1.6: over 998 octets) in a submitted message: only the part that has one is re-encoded, and
// only in that part's header does it show. Everything else keeps its octets.
import { Buffer } from "node:buffer";
import { MAIL_LINE_BYTES } from "../../limits.ts";
import { encodeBase64 } from "../../lib/base64.ts";
import { wrapBase64 } from "./body-encoding.ts";
import { isIdentity, type Leaf, leavesOf } from "./raw-parts.ts";

/** What to put in the place of the octets from `start` to `end`. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const CODED_LINE_CHARACTERS = 75;
const LF = 0x0a;
/** `=XX` for every octet. */
const ESCAPES = Array.from({ length: 256 }, (_, octet) => `=${octet.toString(16).toUpperCase().padStart(2, "0")}`);

/** The message, `raw` itself when none of its lines is too long. `raw` has CRLF line ends. */
export function withShortLines(raw: Uint8Array): Uint8Array {
  if (!hasLongLine(raw)) return raw;
  const leaves = leavesOf(raw).filter(({ bodyStart, end }) => hasLongLine(raw.subarray(bodyStart, end)));
  const edits = leaves.flatMap((leaf) => editsOf(raw, leaf));
  return hardBroken(edited(raw, versioned(raw, edits)));
}

function hasLongLine(bytes: Uint8Array): boolean {
  let start = 0;
  while (bytes.length - start > MAIL_LINE_BYTES) {
    const end = bytes.indexOf(LF, start);
    // The CR before the LF is no part of the line.
    if (end < 0 || end - 1 - start > MAIL_LINE_BYTES) return true;
    start = end + 1;
  }
  return false;
}

function editsOf(raw: Uint8Array, leaf: Leaf): Edit[] {
  const { bodyStart: start, end, type, encoding } = leaf;
  const body = raw.subarray(start, end);
  // Inside a multipart the line end belongs to the delimiter that follows.
  const lineEnd = end === raw.length ? "\r\n" : "";
  if (encoding === "quoted-printable") return [{ start, end, text: softBroken(latin1(body)) }];
  if (encoding === "base64") return [{ start, end, text: wrapBase64(latin1(body)) + lineEnd }];
  // Of a composite type nothing but its own parts may be encoded (RFC 2045 section 6.4).
  if (!isIdentity(encoding) || /^(?:multipart|message)\//.test(type)) return [];
  if (type.startsWith("text/")) return [encodingEdit(leaf, "quoted-printable"), { start, end, text: quoted(latin1(body)) }];
  return [encodingEdit(leaf, "base64"), { start, end, text: wrapBase64(encodeBase64(body)) + lineEnd }];
}

function encodingEdit({ encodingField, headerEnd }: Leaf, encoding: string): Edit {
  const field = `Content-Transfer-Encoding: ${encoding}`;
  return encodingField ? { ...encodingField, text: field } : { start: headerEnd, end: headerEnd, text: `${field}\r\n` };
}

/** An encoding means something only to a message that says it is MIME. */
function versioned(raw: Uint8Array, edits: readonly Edit[]): readonly Edit[] {
  const end = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).indexOf("\r\n\r\n") + 2;
  const header = latin1(raw.subarray(0, end));
  if (edits.length === 0 || end < 2 || /^mime-version[ \t]*:/im.test(header)) return edits;
  return [{ start: end, end, text: "MIME-Version: 1.0\r\n" }, ...edits];
}

export function edited(raw: Uint8Array, edits: readonly Edit[]): Uint8Array {
  const pieces: Uint8Array[] = [];
  let from = 0;
  for (const { start, end, text } of edits.toSorted((left, right) => left.start - right.start)) {
    pieces.push(raw.subarray(from, start), Buffer.from(text, "latin1"));
    from = end;
  }
  return Buffer.concat([...pieces, raw.subarray(from)]);
}

/** Quoted-printable of text that stands for octets (RFC 2045 section 6.7). */
export function quoted(text: string): string {
  const lines = text.split("\r\n").map((line) => {
    const escaped = line.replace(/[^\t -<>-~]|[\t ]$/g, (octet) => ESCAPES[octet.charCodeAt(0)] ?? octet);
    return escaped.length > CODED_LINE_CHARACTERS ? softlyBroken(escaped) : escaped;
  });
  return lines.join("\r\n");
}

/** Quoted-printable already: only the lines that are too long change. */
function softBroken(text: string): string {
  return text
    .split("\r\n")
    .map((line) => (line.length > MAIL_LINE_BYTES ? softlyBroken(line) : line))
    .join("\r\n");
}

/** Soft line breaks outside of a line's `=XX`. None may make a line that looks like a part's boundary. */
function softlyBroken(line: string): string {
  const pieces: string[] = [];
  let start = 0;
  while (start < line.length) {
    const guard = start > 0 && line.startsWith("--", start) ? "=2D" : "";
    if (guard !== "") start += 1;
    const room = CODED_LINE_CHARACTERS - guard.length;
    const escape = line.length - start > room ? line.slice(start + room - 2, start + room).indexOf("=") : -1;
    const end = start + (escape < 0 ? room : room - 2 + escape);
    pieces.push(guard + line.slice(start, end));
    start = end;
  }
  return pieces.join("=\r\n");
}

/** The last resort, as mail servers do it, for what stands in no leaf: a part's header, or the text around the parts. */
function hardBroken(message: Uint8Array): Uint8Array {
  if (!hasLongLine(message)) return message;
  const lines = latin1(message).split("\r\n");
  const broken = lines.map((line) => (line.length <= MAIL_LINE_BYTES ? line : piecesOf(line).join("\r\n ")));
  return Buffer.from(broken.join("\r\n"), "latin1");
}

function piecesOf(line: string): string[] {
  const width = MAIL_LINE_BYTES - 1;
  return Array.from({ length: Math.ceil(line.length / width) }, (_, index) => line.slice(index * width, (index + 1) * width));
}

/** The octets, one character each. */
export function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}
