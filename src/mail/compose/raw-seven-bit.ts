// Converts the 8-bit parts of a submitted message before it is signed. A server on the way could
// convert them later, and so break the signature (RFC 6376 §5.3). Each part is converted
// separately, even inside an attached message. Inside multipart/signed the sender has signed every
// octet, so nothing changes there. All other octets stay. raw-ascii.ts converts the headers.
// Linear. Pure.
import { isAscii, isUtf8 } from "node:buffer";
import { rewrapBase64, wrapBase64 } from "../../lib/mime/body-encoding.ts";
import { type Edit, applyEdits, toLatin1 } from "../../lib/mime/octet-edits.ts";
import { decodeBody, quoteOctets } from "../../lib/mime/part-body.ts";
import { declareMime, encodingEdit, utf8Edit } from "../../lib/mime/part-header.ts";
import { type Entity, entitiesOf, type Range } from "../../lib/mime/parts.ts";
import type { Steps } from "../../lib/step-scheduler.ts";

/** The encodings that announce octets outside ASCII (RFC 2045 §6.2). */
const EIGHT_BIT = new Set(["8bit", "binary"]);
/** Types whose bodies must not be encoded (RFC 2045 §6.4, RFC 2046 §5.2). */
const COMPOSITE = /^(?:multipart\/|message\/(?:rfc822|partial|external-body)$)/;
/** Encodings that this code can't write, such as x-uuencode. */
const PRIVATE_ENCODING = /^x-/;
const QUESTION_MARK = 0x3f;

/**
 * Converts the parts. `raw` must have CRLF line ends. Returns `raw` itself if nothing has to
 * change. The bodies of the result are 7-bit, except inside multipart/signed and in parts whose
 * structure can't be read.
 */
export function* withSevenBitParts(raw: Uint8Array): Steps<Uint8Array> {
  const entities = entitiesOf(raw);
  yield raw.length;
  const edits: Edit[] = [];
  /** The ranges that stay 8-bit. */
  const kept: Range[] = [];
  for (const entity of entities) {
    const { type, isSigned, parts } = entity;
    if (isSigned) continue;
    const isOpaque = type === "multipart/signed";
    const own = isOpaque || parts.length > 0 ? [] : yield* leafEdits(raw, entity);
    const isKept = (isOpaque || parts.length === 0) && own.length === 0 && !isSevenBit(raw, entity);
    if (isKept) kept.push({ start: entity.bodyStart, end: entity.end });
    edits.push(...own);
  }
  for (const entity of entities)
    if (entity.parts.length > 0 && !entity.isSigned && entity.type !== "multipart/signed")
      edits.push(...compositeEdits(raw, entity, kept));
  const messages = entities.filter(({ isMessage, isSigned }) => isMessage && !isSigned);
  return applyEdits(raw, declareMime(raw, messages, edits));
}

/**
 * Returns the edits of a part. Returns no edits if the part is already 7-bit or can't be converted.
 */
function* leafEdits(raw: Uint8Array, leaf: Entity): Steps<Edit[]> {
  const { bodyStart: start, end, type, encoding } = leaf;
  if (isSevenBit(raw, leaf)) return EIGHT_BIT.has(encoding) ? [encodingEdit(leaf, "7bit")] : [];
  if (COMPOSITE.test(type) || PRIVATE_ENCODING.test(encoding)) return [];
  const body = raw.subarray(start, end);
  yield body.length;
  if (encoding === "quoted-printable") {
    const octets = yield* decodeBody(body, encoding);
    return [{ start, end, text: yield* quoteOctets(octets) }];
  }
  // Inside a multipart, the last line end belongs to the boundary line that follows.
  const lineEnd = end === raw.length ? "\r\n" : "";
  if (encoding === "base64") return [{ start, end, text: rewrapBase64(toLatin1(body)) + lineEnd }];
  const isQuoted = type.startsWith("text/") && isShorterQuoted(body);
  return [
    ...(lacksCharset(leaf, body) ? [utf8Edit(raw, leaf)] : []),
    encodingEdit(leaf, isQuoted ? "quoted-printable" : "base64"),
    { start, end, text: isQuoted ? yield* quoteOctets(body) : wrapBase64(body) + lineEnd },
  ];
}

/**
 * Returns whether a plain text has UTF-8 and names no charset. After the encoding it would count as
 * US-ASCII (RFC 2045 §5.2), so the charset must be named. HTML may name its charset itself.
 */
function lacksCharset({ type, charset }: Entity, body: Uint8Array): boolean {
  return type === "text/plain" && charset === null && isUtf8(body);
}

/** Returns whether quoted-printable, which people can read, is not longer than base64. */
function isShorterQuoted(body: Uint8Array): boolean {
  let quoted = 0;
  for (let at = 0; at < body.length; at += 1) if ((body[at] as number) > 0x7e) quoted += 1;
  return quoted * 6 <= body.length;
}

/**
 * Declares a multipart or attached message as 7-bit, unless a part inside it stays 8-bit. Replaces
 * octets outside ASCII in the text around the parts, because programs never show that text.
 */
function compositeEdits(raw: Uint8Array, entity: Entity, kept: readonly Range[]): Edit[] {
  const { bodyStart, end, encoding, type, typeField } = entity;
  const isSevenBitInside = !kept.some((range) => range.start >= bodyStart && range.end <= end);
  const edits = EIGHT_BIT.has(encoding) && isSevenBitInside ? [encodingEdit(entity, "7bit")] : [];
  const isReadable = typeField && isAscii(raw.subarray(typeField.start, typeField.end));
  if (!type.startsWith("multipart/") || !isReadable) return edits;
  return [...edits, ...gapsOf(entity).flatMap((gap) => replaceOctets(raw, gap))];
}

/** Returns the ranges of a multipart's body outside its parts. */
function gapsOf({ bodyStart, end, parts }: Entity): Range[] {
  const starts = [bodyStart, ...parts.map((part) => part.end)];
  return starts.map((start, index) => ({ start, end: parts[index]?.start ?? end }));
}

function replaceOctets(raw: Uint8Array, { start, end }: Range): Edit[] {
  const octets = raw.subarray(start, end);
  if (isAscii(octets)) return [];
  return [{ start, end, text: octets.map((octet) => (octet > 0x7f ? QUESTION_MARK : octet)) }];
}

function isSevenBit(raw: Uint8Array, { bodyStart, end }: Entity): boolean {
  return isAscii(raw.subarray(bodyStart, end));
}
