// Breaks lines of a submitted message that SMTP cannot carry (over 998 octets, RFC 5321
// §4.5.3.1.6). Re-encodes only a part with such a line, and changes only the header of that part.
// Encodes a header field with such a line, because a line break adds white space to the field's
// value. All other octets stay. Pure.
import { Buffer } from "node:buffer";
import { MAIL_LINE_BYTES } from "../../limits.ts";
import { rewrapBase64, wrapBase64 } from "../../lib/mime/body-encoding.ts";
import { type Edit, applyEdits, toLatin1 } from "../../lib/mime/octet-edits.ts";
import type { Steps } from "../../lib/step-scheduler.ts";
import { quoteOctets, insertSoftBreaks } from "../../lib/mime/part-body.ts";
import { encodingEdit, declareMime } from "../../lib/mime/part-header.ts";
import { entitiesOf, isIdentity, type Leaf } from "../../lib/mime/parts.ts";
import { withShortFields } from "./raw-ascii.ts";

const LF = 0x0a;

/**
 * Breaks the lines. Returns `written` itself if none of its lines is too long. `written` must have
 * CRLF line ends.
 */
export function* withShortLines(written: Uint8Array): Steps<Uint8Array> {
  if (!hasLongLine(written)) return written;
  const raw = yield* withShortFields(written);
  const entities = entitiesOf(raw);
  const leaves = entities.filter(
    ({ parts, bodyStart, end }) => parts.length === 0 && hasLongLine(raw.subarray(bodyStart, end)),
  );
  yield raw.length;
  const edits: Edit[] = [];
  for (const leaf of leaves) {
    edits.push(...(yield* editsOf(raw, leaf)));
    yield leaf.end - leaf.bodyStart;
  }
  return breakHard(applyEdits(raw, declareMime(raw, entities.slice(0, 1), edits)));
}

export function hasLongLine(bytes: Uint8Array): boolean {
  let start = 0;
  while (bytes.length - start > MAIL_LINE_BYTES) {
    // The search jumps to the last line end within the permitted length, so the lines before it
    // need no check. The CR before the LF does not count for the length.
    const end = bytes.lastIndexOf(LF, start + MAIL_LINE_BYTES + 1);
    if (end < start) return true;
    start = end + 1;
  }
  return false;
}

function* editsOf(raw: Uint8Array, leaf: Leaf): Steps<Edit[]> {
  const { bodyStart: start, end, type, encoding } = leaf;
  const body = raw.subarray(start, end);
  // Inside a multipart, the last line end belongs to the boundary line that follows.
  const lineEnd = end === raw.length ? "\r\n" : "";
  if (encoding === "quoted-printable") return [{ start, end, text: breakSoftly(toLatin1(body)) }];
  if (encoding === "base64") return [{ start, end, text: rewrapBase64(toLatin1(body)) + lineEnd }];
  // A composite type must not be encoded. Only its parts may be (RFC 2045 §6.4).
  if (!isIdentity(encoding) || /^(?:multipart|message)\//.test(type)) return [];
  if (type.startsWith("text/"))
    return [encodingEdit(leaf, "quoted-printable"), { start, end, text: yield* quoteOctets(body) }];
  return [encodingEdit(leaf, "base64"), { start, end, text: wrapBase64(body) + lineEnd }];
}

/** Breaks the long lines of a quoted-printable body, and changes no other line. */
function breakSoftly(text: string): string {
  return text
    .split("\r\n")
    .map((line) => (line.length > MAIL_LINE_BYTES ? insertSoftBreaks(line) : line))
    .join("\r\n");
}

/**
 * Breaks long lines outside the leaf parts and their headers, such as in the text around the parts.
 * Mail servers also break such lines, as the last resort.
 */
function breakHard(message: Uint8Array): Uint8Array {
  if (!hasLongLine(message)) return message;
  const lines = toLatin1(message).split("\r\n");
  const broken = lines.map((line) =>
    line.length <= MAIL_LINE_BYTES ? line : piecesOf(line).join("\r\n "),
  );
  return Buffer.from(broken.join("\r\n"), "latin1");
}

function piecesOf(line: string): string[] {
  const width = MAIL_LINE_BYTES - 1;
  return Array.from({ length: Math.ceil(line.length / width) }, (_, index) =>
    line.slice(index * width, (index + 1) * width),
  );
}
