// Declares in a part's header how its body is encoded and in which charset it is (RFC 2045 §5, §6).
// Existing fields are replaced. Missing fields are added at the end of the header, which may be
// empty. Pure.
import { type Edit, toLatin1 } from "./octet-edits.ts";
import type { Entity, Leaf } from "./parts.ts";

const CHARSET = /;\s*charset\s*=\s*(?:"[^"]*"|[^\s;"]*)/gi;
const MIME_VERSION = /^mime-version[ \t]*:/im;

export function encodingEdit({ encodingField, headerEnd }: Leaf, encoding: string): Edit {
  const field = `Content-Transfer-Encoding: ${encoding}`;
  return encodingField
    ? { ...encodingField, text: field }
    : { start: headerEnd, end: headerEnd, text: `${field}\r\n` };
}

/** Declares that the part is in UTF-8. */
export function utf8Edit(raw: Uint8Array, { typeField, headerEnd, type }: Leaf): Edit {
  const written = typeField
    ? toLatin1(raw.subarray(typeField.start, typeField.end))
    : `Content-Type: ${type}`;
  const field = `${written.replace(CHARSET, "").trimEnd().replace(/;$/, "")};\r\n charset=utf-8`;
  return typeField
    ? { ...typeField, text: field }
    : { start: headerEnd, end: headerEnd, text: `${field}\r\n` };
}

/**
 * Adds MIME-Version to each message that has edits and lacks this field, because without it readers
 * ignore the encoding. `messages`: the whole message, and the attached messages in it.
 */
export function declareMime(
  raw: Uint8Array,
  messages: readonly Pick<Entity, "headerStart" | "headerEnd" | "end">[],
  edits: readonly Edit[],
): readonly Edit[] {
  const added = messages
    .filter(
      ({ headerStart, headerEnd, end }) =>
        edits.some((edit) => edit.start >= headerStart && edit.end <= end) &&
        !MIME_VERSION.test(toLatin1(raw.subarray(headerStart, headerEnd))),
    )
    .map(({ headerEnd }) => ({ start: headerEnd, end: headerEnd, text: "MIME-Version: 1.0\r\n" }));
  return [...added, ...edits];
}
