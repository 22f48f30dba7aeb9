// A field of a submitted message as it goes out (contract.md §Submitted header section): as it was
// written, but for what SMTP or its readers can't hold. Of several where one may stand, the first
// stays; a list of message ids that is too long loses its middle; a line over 998 characters is
// folded (RFC 5322 §2.1.1). Pure.
import { decodeWords } from "../../../lib/mime/decode-words.ts";
import {
  customTokens,
  foldHeader,
  type HeaderTokens,
  subjectTokens,
} from "../../../lib/mime/header-folding.ts";
import { CUSTOM_HEADER_VALUE_CHARACTERS, MAIL_LINE_BYTES } from "../../../limits.ts";
import type { HeaderField } from "./header-section.ts";

/** RFC 5322 §3.6, RFC 2045 §3. A second From is sender-header.ts's to refuse. */
const AT_MOST_ONE = new Set(
  "to cc reply-to subject date message-id mime-version content-type content-transfer-encoding in-reply-to references".split(
    " ",
  ),
);
/** Several of them mean one list (RFC 5322 §4.5.3). */
const LISTS = new Set(["to", "cc"]);
const MESSAGE_IDS = new Set(["in-reply-to", "references"]);
const ADDRESSES = new Set(["from", "to", "cc", "reply-to"]);
const IDS = /<[^<>]*>|[^<> ]+/g;
const ID_CHARACTERS = 900;
const BLANK = /^[ \t]*$/;
const NAME_ALONE = /^[!-9;-~]+:[ \t]*$/;

/** The fields with one of each name that may stand once, in order. */
export function firstOfEach(fields: readonly HeaderField[]): HeaderField[] {
  const single = new Map<string, HeaderField>();
  for (const field of fields) {
    const { lowerName } = field;
    const first = single.get(lowerName);
    if (!first) single.set(lowerName, field);
    else if (LISTS.has(lowerName)) single.set(lowerName, joinLists(first, field));
  }
  const placed = new Set<string>();
  return fields.flatMap((field) => {
    if (!AT_MOST_ONE.has(field.lowerName)) return [field];
    const isFirst = !placed.has(field.lowerName);
    placed.add(field.lowerName);
    return isFirst ? [single.get(field.lowerName) ?? field] : [];
  });
}

function joinLists(first: HeaderField, second: HeaderField): HeaderField {
  if (second.value === "") return first;
  if (first.value === "") return second;
  const last = (first.lines.at(-1) ?? "").trimEnd();
  const [head = "", ...more] = second.lines;
  const separator = last.endsWith(",") ? "" : ",";
  const continuation = ` ${head.slice(second.name.length + 1).trimStart()}`;
  const lines = [
    ...first.lines.slice(0, -1),
    last + separator,
    ...[continuation, ...more].filter((line) => !BLANK.test(line)),
  ];
  return { ...first, lines, value: `${first.value}${separator} ${second.value}` };
}

/** One character an octet, without a line end; empty where nothing of the field can stay. */
export function fieldText(field: HeaderField): string {
  const { name, lowerName, lines, value } = field;
  const fits = lines.every((line) => line.length <= MAIL_LINE_BYTES);
  if (MESSAGE_IDS.has(lowerName) && !(fits && value.length <= CUSTOM_HEADER_VALUE_CHARACTERS))
    return writtenAnew(name, cutInTheMiddle(value));
  if (fits) return lines.join("\r\n");
  const tokens = lines.some(hasUnbreakableWord) ? tokensOf(field) : undefined;
  return tokens ? writtenAnew(name, tokens) : lines.map(foldLine).join("\r\n");
}

function writtenAnew(name: string, tokens: HeaderTokens): string {
  return tokens.length === 0 ? "" : `${name}: ${foldHeader(name, tokens)}`;
}

/** The first id, which began the thread, and as many of the last as fit (RFC 5322 §3.6.4). */
function cutInTheMiddle(value: string): string[] {
  const [first, ...rest] = (value.match(IDS) ?? []).filter((id) => id.length <= ID_CHARACTERS);
  if (first === undefined) return [];
  const kept: string[] = [];
  let length = first.length;
  for (const id of rest.toReversed()) {
    length += 1 + id.length;
    if (length > CUSTOM_HEADER_VALUE_CHARACTERS) break;
    kept.push(id);
  }
  return [first, ...kept.toReversed()];
}

/**
 * Whether a line holds an encoded word that can't stay on one line: a fold inside would leave it
 * unreadable.
 */
function hasUnbreakableWord(line: string): boolean {
  return (
    line.length > MAIL_LINE_BYTES &&
    line.split(/[ \t]+/).some((word) => word.length > MAIL_LINE_BYTES - 1 && word.includes("=?"))
  );
}

/**
 * The field's text in encoded words of ordinary length; undefined where they are not its text
 * alone, or can't be read.
 */
function tokensOf({ name, lowerName, value }: HeaderField): HeaderTokens | undefined {
  const { text, complete } = decodeWords(value);
  if (!complete || ADDRESSES.has(lowerName) || lowerName.startsWith("content-")) return undefined;
  return lowerName === "subject" ? subjectTokens(text) : customTokens(name, text);
}

/**
 * Breaks a line before white space where it can, else behind a comma or a semicolon, else wherever
 * it must, but never inside a character.
 */
function foldLine(line: string): string {
  const pieces: string[] = [];
  let at = 0;
  while (at < line.length) {
    const isOpen = at > 0 && line.charAt(at) !== " " && line.charAt(at) !== "\t";
    const room = MAIL_LINE_BYTES - (isOpen ? 1 : 0);
    const end = line.length - at <= room ? line.length : breakOf(line, at, at + room);
    const piece = line.slice(at, end);
    // White space alone is left of a long line's end, or of many blanks.
    if (!BLANK.test(piece)) pieces.push((isOpen ? " " : "") + piece);
    at = end;
  }
  return pieces.join("\r\n");
}

/** Where the piece from `start` ends, `limit` at the latest. */
function breakOf(line: string, start: number, limit: number): number {
  const piece = line.slice(start, limit + 1);
  const blank = Math.max(piece.lastIndexOf(" "), piece.lastIndexOf("\t"));
  if (blank > 0 && !BLANK.test(piece.slice(0, blank)) && isWorthwhile(line, start, start + blank))
    return start + blank;
  const mark = Math.max(
    piece.lastIndexOf(",", piece.length - 2),
    piece.lastIndexOf(";", piece.length - 2),
  );
  if (mark > 0) return start + mark + 1;
  let end = limit;
  while (end > limit - 3 && /[\x80-\xbf]/.test(line.charAt(end))) end -= 1;
  return end;
}

/**
 * A field's name stands alone on its line only where that saves the word behind it: several mail
 * programs misread it.
 */
function isWorthwhile(line: string, start: number, end: number): boolean {
  if (start > 0 || !NAME_ALONE.test(line.slice(0, end))) return true;
  const next = /[ \t]/.exec(line.slice(end + 1, end + MAIL_LINE_BYTES))?.index;
  return next !== undefined || line.length - end <= MAIL_LINE_BYTES;
}
