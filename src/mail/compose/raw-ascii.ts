// Rewrites header fields of a submitted message in ASCII, in the way that each field permits. In
// every copy, rewrites fields with a line that is too long for SMTP. If the copy may go to servers
// without SMTPUTF8, rewrites fields that are not ASCII too (RFC 6532, RFC 6857). All other fields
// keep their octets. Linear. Pure.
import { Buffer } from "node:buffer";
import { decodeWords } from "../../lib/mime/decode-words.ts";
import type { Steps } from "../../lib/step-scheduler.ts";
import { type Edit, applyEdits, toLatin1 } from "../../lib/mime/octet-edits.ts";
import {
  customTokens,
  foldHeader,
  type HeaderTokens,
  subjectTokens,
  UNBROKEN_CHARACTERS,
} from "../../lib/mime/header-folding.ts";
import { textOfOctets } from "../../lib/mime/octets.ts";
import { entitiesOf, type Range } from "../../lib/mime/parts.ts";
import { MAIL_LINE_BYTES } from "../../limits.ts";
import { addressTokens } from "./address-field.ts";
import { parametersInAscii } from "./content-parameters.ts";

const ASCII = /^[\0-\x7f]*$/;
/**
 * Costs of encoding a field, and of encoding one character. A cost is the number of octets that
 * could be written in the same time.
 */
const OCTETS_PER_FIELD = 128;
const OCTETS_PER_CHARACTER = 8;
const COMMENT = /\([^()]*\)/g;

/** Returns whether a header or a field must be rewritten. */
type IsWrong = (text: string) => boolean;

/**
 * Rewrites all headers in ASCII. `raw` must have CRLF line ends and a UTF-8 header. The headers of
 * its parts may have any octets. Returns `raw` itself if all headers are ASCII.
 */
export function* withAsciiHeaders(raw: Uint8Array): Steps<Uint8Array> {
  return yield* rewriteFields(raw, (text) => !ASCII.test(text), false);
}

/**
 * Rewrites fields with a line that is too long. Returns `raw` itself if no header has such a line.
 * `raw` must have CRLF line ends.
 */
export function* withShortFields(raw: Uint8Array): Steps<Uint8Array> {
  return yield* rewriteFields(raw, hasLongLine, true);
}

function hasLongLine(text: string): boolean {
  return text.split("\r\n").some((line) => line.length > MAIL_LINE_BYTES);
}

/**
 * Rewrites each field for which `isWrong` returns true. `sealed` means that fields of signed parts
 * are rewritten too.
 */
function* rewriteFields(raw: Uint8Array, isWrong: IsWrong, sealed: boolean): Steps<Uint8Array> {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const end = bytes.indexOf("\r\n\r\n");
  const edits: Edit[] = [];
  yield* collectEdits(edits, raw, { start: 0, end: end < 0 ? raw.length : end + 2 }, isWrong);
  for (const { headerStart: start, headerEnd, isSigned } of entitiesOf(raw)) {
    if (start > 0 && (sealed || !isSigned))
      yield* collectEdits(edits, raw, { start, end: headerEnd }, isWrong);
  }
  return applyEdits(raw, edits);
}

/** Adds the edits of one header. The header's end includes the line end of its last field. */
function* collectEdits(
  edits: Edit[],
  raw: Uint8Array,
  { start, end }: Range,
  isWrong: IsWrong,
): Steps<void> {
  const header = toLatin1(raw.subarray(start, end));
  yield header.length;
  if (!isWrong(header)) return;
  let at = start;
  for (const field of header.split(/\r\n(?![ \t])/)) {
    if (isWrong(field)) {
      edits.push({ start: at, end: at + field.length + 2, text: fieldInAscii(field) });
      yield OCTETS_PER_FIELD + field.length * OCTETS_PER_CHARACTER;
    }
    at += field.length + 2;
  }
}

/** Returns the field in ASCII with its line end. Returns "" if no part of the field can stay. */
function fieldInAscii(field: string): string {
  const colon = field.indexOf(":");
  const name = field.slice(0, Math.max(colon, 0)).trim();
  const value = textOfOctets(field.slice(colon + 1).replaceAll("\r\n", ""))
    .text.replaceAll("\t", " ")
    .trim();
  if (!/^[!-~]+$/.test(name)) return "";
  const tokens = tokensOf(name, value);
  return tokens.length === 0 ? "" : `${name}: ${foldHeader(name, tokens)}\r\n`;
}

function tokensOf(name: string, value: string): HeaderTokens {
  switch (name.toLowerCase()) {
    case "from":
    case "to":
    case "cc":
    case "reply-to":
      return addressTokens(name, value);
    case "subject":
      return subjectTokens(decodeWords(value).text);
    case "content-type":
    case "content-disposition":
      return parametersInAscii(value);
    case "in-reply-to":
    case "references":
    case "content-id":
      // A rewritten identifier would identify something else, so identifiers that are not ASCII are
      // dropped.
      return splitWords(value).filter((word) => ASCII.test(word));
    case "date":
    case "mime-version":
    case "content-transfer-encoding":
      return splitWords(value.replace(COMMENT, " ").replace(/[^\0-\x7f]/g, ""));
    default:
      return customTokens(name, decodeWords(value).text);
  }
}

function splitWords(text: string): string[] {
  return text.split(/ +/).filter((word) => word !== "" && word.length <= UNBROKEN_CHARACTERS);
}
