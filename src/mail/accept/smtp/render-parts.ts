// Renders variables in the text and HTML of a submitted message (contract.md §Variables). A part
// that a reader sees and that has a variable's marker is rendered and rewritten in UTF-8.
// Attachments, signed parts and all other parts keep their octets.
import { Buffer } from "node:buffer";
import { encodeTextBody } from "../../../lib/mime/body-encoding.ts";
import type { Steps } from "../../../lib/step-scheduler.ts";
import { type Edit, applyEdits, toLatin1 } from "../../../lib/mime/edits.ts";
import { decodeBody, isDecodable } from "../../../lib/mime/part-body.ts";
import { type Leaf, leavesOf } from "../../../lib/mime/parts.ts";
import { type SendRenderer, renderBody } from "../render/render-send.ts";

const NAMES: ReadonlyMap<string, "text" | "html"> = new Map([
  ["text/plain", "text"],
  ["text/html", "html"],
]);
const MARKER = "{{";
/** Charsets in which an octet of ASCII can mean another character. */
const NOT_ON_ASCII = /^(?:utf-?(?:7|16|32)|ucs|unicode|iso-2022|csiso2022|hz-)/;
const CHARSET = /;\s*charset\s*=\s*(?:"[^"]*"|[^\s;"]*)/gi;

/**
 * Renders a message with CRLF line ends. Returns the same array if no part has a variable's marker.
 * Adds the errors to the findings of `send`.
 */
export function* renderParts(raw: Uint8Array, send: SendRenderer): Steps<Uint8Array> {
  const edits: Edit[] = [];
  for (const leaf of leavesOf(raw)) edits.push(...(yield* partEdits(raw, leaf, send)));
  return applyEdits(raw, addMimeVersion(raw, edits));
}

function* partEdits(raw: Uint8Array, leaf: Leaf, send: SendRenderer): Steps<Edit[]> {
  const name = NAMES.get(leaf.type);
  if (!name || !leaf.isShown || leaf.isNamed || !isDecodable(leaf.encoding)) return [];
  const octets = yield* decodeBody(raw.subarray(leaf.bodyStart, leaf.end), leaf.encoding);
  const bytes = Buffer.from(octets.buffer, octets.byteOffset, octets.byteLength);
  const text = textOf(bytes, leaf.charset);
  if (text === undefined && bytes.includes(MARKER))
    send.findings.invalid(name, `is in a charset that can't be read: ${leaf.charset}`);
  if (text === undefined || !text.includes(MARKER)) return [];
  const { encoding, data } = encodeTextBody(renderBody(name, text, send) ?? "");
  yield send.renderer.takeOctets() + data.length;
  const end = leaf.end === raw.length && !data.endsWith("\r\n") ? "\r\n" : "";
  return [
    ...headerEdits(raw, leaf, encoding),
    { start: leaf.bodyStart, end: leaf.end, text: data + end },
  ];
}

/**
 * Decodes the octets of a part. Octets that are valid UTF-8 are read as UTF-8, whatever charset the
 * part declares. Undefined: the charset is unknown.
 */
function textOf(bytes: Uint8Array, charset: string | null): string | undefined {
  const isAsciiBased = !NOT_ON_ASCII.test(charset ?? "");
  return (
    (isAsciiBased ? decodeText(bytes, "utf-8") : undefined) ??
    decodeText(bytes, charset ?? "windows-1252")
  );
}

function decodeText(bytes: Uint8Array, charset: string): string | undefined {
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Returns the edits that declare the new charset and encoding of a part. Existing fields are
 * replaced. Missing fields are added at the end of the part's header, which may be empty.
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

/**
 * Adds MIME-Version if it is missing, because readers otherwise ignore the charset and the
 * encoding.
 */
function addMimeVersion(raw: Uint8Array, edits: readonly Edit[]): readonly Edit[] {
  const end = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).indexOf("\r\n\r\n") + 2;
  if (
    edits.length === 0 ||
    end < 2 ||
    /^mime-version[ \t]*:/im.test(toLatin1(raw.subarray(0, end)))
  )
    return edits;
  return [{ start: end, end, text: "MIME-Version: 1.0\r\n" }, ...edits];
}
