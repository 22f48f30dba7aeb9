// Renders variables in the text and HTML of a submitted message (contract.md §Variables). A part
// that readers see and that has a variable's marker is rendered and written in UTF-8. Attachments,
// signed parts and all other parts keep their octets.
import { Buffer } from "node:buffer";
import { textInCharset } from "../../../lib/mime/charset-text.ts";
import { encodeTextBody } from "../../../lib/mime/body-encoding.ts";
import type { Steps } from "../../../lib/step-scheduler.ts";
import { type Edit, applyEdits } from "../../../lib/mime/octet-edits.ts";
import { decodeBody, isDecodable } from "../../../lib/mime/part-body.ts";
import { declareMime, encodingEdit, utf8Edit } from "../../../lib/mime/part-header.ts";
import { entitiesOf, type Leaf } from "../../../lib/mime/parts.ts";
import { type SendRenderer, renderBody } from "../render/render-send.ts";

const NAMES: ReadonlyMap<string, "text" | "html"> = new Map([
  ["text/plain", "text"],
  ["text/html", "html"],
]);
const MARKER = "{{";

/**
 * Renders a message with CRLF line ends. Returns the same array if no part has a variable's marker.
 * Adds the errors to the problems of `send`.
 */
export function* renderParts(raw: Uint8Array, send: SendRenderer): Steps<Uint8Array> {
  const edits: Edit[] = [];
  const entities = entitiesOf(raw);
  for (const entity of entities)
    if (entity.parts.length === 0) edits.push(...(yield* partEdits(raw, entity, send)));
  return applyEdits(raw, declareMime(raw, entities.slice(0, 1), edits));
}

function* partEdits(raw: Uint8Array, leaf: Leaf, send: SendRenderer): Steps<Edit[]> {
  const name = NAMES.get(leaf.type);
  if (!name || !leaf.isShown || leaf.isNamed || !isDecodable(leaf.encoding)) return [];
  const octets = yield* decodeBody(raw.subarray(leaf.bodyStart, leaf.end), leaf.encoding);
  const bytes = Buffer.from(octets.buffer, octets.byteOffset, octets.byteLength);
  const text = textInCharset(bytes, leaf.charset);
  if (text === undefined && bytes.includes(MARKER))
    send.problems.invalid(name, `is in a charset that can't be read: ${leaf.charset}`);
  if (text === undefined || !text.includes(MARKER)) return [];
  const { encoding, data } = encodeTextBody(renderBody(name, text, send) ?? "");
  yield send.renderer.takeOctets() + data.length;
  const end = leaf.end === raw.length && !data.endsWith("\r\n") ? "\r\n" : "";
  return [
    utf8Edit(raw, leaf),
    encodingEdit(leaf, encoding),
    { start: leaf.bodyStart, end: leaf.end, text: data + end },
  ];
}
