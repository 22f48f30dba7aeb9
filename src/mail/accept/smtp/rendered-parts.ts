// Renders variables in the text and HTML of a submitted message (contract.md §Variables): the parts
// that a reader sees and that hold a marker are rendered and written anew, in UTF-8; attachments,
// signed parts and everything else keep their octets.
import { Buffer } from "node:buffer";
import { encodeTextBody } from "../../../lib/mime/body-encoding.ts";
import type { Steps } from "../../../lib/step-scheduler.ts";
import { type Edit, applyEdits, toLatin1 } from "../../../lib/mime/edits.ts";
import { decodeBody, isDecodable } from "../../../lib/mime/part-body.ts";
import { type Leaf, leavesOf } from "../../../lib/mime/parts.ts";
import { type SendRenderer, renderBody } from "../words.ts";

const NAMES: ReadonlyMap<string, "text" | "html"> = new Map([
  ["text/plain", "text"],
  ["text/html", "html"],
]);
const MARKER = "{{";
/** In these an octet of ASCII does not stand for itself. */
const NOT_ON_ASCII = /^(?:utf-?(?:7|16|32)|ucs|unicode|iso-2022|csiso2022|hz-)/;
const CHARSET = /;\s*charset\s*=\s*(?:"[^"]*"|[^\s;"]*)/gi;

/**
 * `raw` has CRLF line ends; the same array when no part holds a marker. What can't be rendered is
 * told to the pen's findings.
 */
export function* renderedParts(raw: Uint8Array, pen: SendRenderer): Steps<Uint8Array> {
  const edits: Edit[] = [];
  for (const leaf of leavesOf(raw)) edits.push(...(yield* partEdits(raw, leaf, pen)));
  return applyEdits(raw, withVersion(raw, edits));
}

function* partEdits(raw: Uint8Array, leaf: Leaf, pen: SendRenderer): Steps<Edit[]> {
  const name = NAMES.get(leaf.type);
  if (!name || !leaf.isShown || leaf.isNamed || !isDecodable(leaf.encoding)) return [];
  const octets = yield* decodeBody(raw.subarray(leaf.bodyStart, leaf.end), leaf.encoding);
  const bytes = Buffer.from(octets.buffer, octets.byteOffset, octets.byteLength);
  const text = textOf(bytes, leaf.charset);
  if (text === undefined && bytes.includes(MARKER))
    pen.findings.invalid(name, `is in a charset that can't be read: ${leaf.charset}`);
  if (text === undefined || !text.includes(MARKER)) return [];
  const { encoding, data } = encodeTextBody(renderBody(name, text, pen) ?? "");
  yield pen.renderer.takeOctets() + data.length;
  const end = leaf.end === raw.length && !data.endsWith("\r\n") ? "\r\n" : "";
  return [
    ...headerEdits(raw, leaf, encoding),
    { start: leaf.bodyStart, end: leaf.end, text: data + end },
  ];
}

/**
 * Undefined: nobody knows what the octets stand for. Octets that are UTF-8 are that, whatever the
 * part says.
 */
function textOf(bytes: Uint8Array, charset: string | null): string | undefined {
  const isAsciiBased = !NOT_ON_ASCII.test(charset ?? "");
  return (
    (isAsciiBased ? decoded(bytes, "utf-8") : undefined) ??
    decoded(bytes, charset ?? "windows-1252")
  );
}

function decoded(bytes: Uint8Array, charset: string): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * A part with a header of its own says its new charset and encoding there; one without had the
 * defaults, and begins with a blank line.
 */
function headerEdits(
  raw: Uint8Array,
  { typeField, encodingField, headerEnd, type }: Leaf,
  encoding: string,
): Edit[] {
  const written = typeField
    ? toLatin1(raw.subarray(typeField.start, typeField.end))
    : `Content-Type: ${type}`;
  const typeText = `${written.replace(CHARSET, "").trimEnd().replace(/;$/, "")};\r\n charset=utf-8`;
  const encodingText = `Content-Transfer-Encoding: ${encoding}`;
  const atEnd = { start: headerEnd, end: headerEnd };
  return [
    typeField ? { ...typeField, text: typeText } : { ...atEnd, text: `${typeText}\r\n` },
    encodingField
      ? { ...encodingField, text: encodingText }
      : { ...atEnd, text: `${encodingText}\r\n` },
  ];
}

/** Both mean something only to a message that says it is MIME. */
function withVersion(raw: Uint8Array, edits: readonly Edit[]): readonly Edit[] {
  const end = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).indexOf("\r\n\r\n") + 2;
  if (
    edits.length === 0 ||
    end < 2 ||
    /^mime-version[ \t]*:/im.test(toLatin1(raw.subarray(0, end)))
  )
    return edits;
  return [{ start: end, end, text: "MIME-Version: 1.0\r\n" }, ...edits];
}
