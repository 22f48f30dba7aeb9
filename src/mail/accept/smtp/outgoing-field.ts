// Writes a field of a submitted message in the form that goes out (contract.md §Submitted header
// section). A field does not change if SMTP and mail readers can take it. Repetitions of a field
// that a message may have only once are removed. A list of message ids that is too long loses its
// middle. An address list loses its empty entries. A line over 998 characters is folded (RFC 5322
// §2.1.1). Pure.
import { isInternational } from "../../../lib/address.ts";
import { foldHeader, type HeaderTokens } from "../../../lib/mime/header-folding.ts";
import { mailboxTokens } from "../../../lib/mime/mailbox-header.ts";
import { utf8Octets } from "../../../lib/mime/octets.ts";
import { CUSTOM_HEADER_VALUE_CHARACTERS, MAIL_LINE_BYTES } from "../../../limits.ts";
import type { Mailbox } from "../../message.ts";
import { mendAddressList } from "./address-list.ts";
import type { HeaderField } from "./header-section.ts";

/**
 * Fields that a message may have only once (RFC 5322 §3.6, RFC 2045 §3). sender-header.ts refuses a
 * second From.
 */
const AT_MOST_ONE = new Set(
  (
    "to cc reply-to subject date message-id mime-version content-type " +
    "content-transfer-encoding in-reply-to references"
  ).split(" "),
);
/** Address fields. Repetitions of such a field are joined into one list (RFC 5322 §4.5.3). */
const LISTS = new Set(["to", "cc"]);
const MESSAGE_IDS = new Set(["in-reply-to", "references"]);
const ADDRESSES = new Set(["to", "cc", "reply-to"]);
const IDS = /<[^<>]*>|[^<> ]+/g;
const ID_CHARACTERS = 900;
const BLANK = /^[ \t]*$/;
const NAME_ALONE = /^[!-9;-~]+:[ \t]*$/;

/**
 * Removes repetitions of fields that a message may have only once, and keeps the order. Joins
 * repeated address lists.
 */
export function mergeRepeatedFields(fields: readonly HeaderField[]): HeaderField[] {
  const single = new Map<string, HeaderField>();
  for (const field of fields) {
    const { lowerName } = field;
    const first = single.get(lowerName);
    if (!first) single.set(lowerName, field);
    else if (LISTS.has(lowerName)) single.set(lowerName, joinAddressLists(first, field));
  }
  const placed = new Set<string>();
  return fields.flatMap((field) => {
    if (!AT_MOST_ONE.has(field.lowerName)) return [field];
    const isFirst = !placed.has(field.lowerName);
    placed.add(field.lowerName);
    return isFirst ? [single.get(field.lowerName) ?? field] : [];
  });
}

/** Writes an address field, with one character per octet and without its last line end. */
export function writeAddresses(name: string, mailboxes: readonly Mailbox[]): string {
  const isUtf8 = mailboxes.some(({ email }) => isInternational(email));
  return utf8Octets(`${name}: ${foldHeader(name, mailboxTokens(name, mailboxes, isUtf8))}`);
}

function joinAddressLists(first: HeaderField, second: HeaderField): HeaderField {
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

/**
 * Writes the field, with one character per octet and without its last line end. Returns an empty
 * text if no part of the field can stay. If a line can't be folded at white space, it stays too
 * long. Then raw-ascii.ts encodes the field when a copy is composed.
 */
export function writeField(field: HeaderField): string {
  const { name, lowerName, lines, value } = field;
  const fits = lines.every((line) => line.length <= MAIL_LINE_BYTES);
  if (MESSAGE_IDS.has(lowerName) && !(fits && value.length <= CUSTOM_HEADER_VALUE_CHARACTERS))
    return rewriteField(name, dropMiddleIds(value));
  const mended = ADDRESSES.has(lowerName) ? mendAddressList(value) : undefined;
  if (mended !== undefined)
    return utf8Octets(
      rewriteField(
        name,
        mended.split(" ").filter((word) => word !== ""),
      ),
    );
  if (fits) return lines.join("\r\n");
  const folded = lines.map(foldLine);
  return (folded.every((line) => line !== undefined) ? folded : lines).join("\r\n");
}

function rewriteField(name: string, tokens: HeaderTokens): string {
  return tokens.length === 0 ? "" : `${name}: ${foldHeader(name, tokens)}`;
}

/**
 * Keeps the first id, which began the thread, and as many of the last ids as fit (RFC 5322 §3.6.4).
 */
function dropMiddleIds(value: string): string[] {
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
 * Folds a line before white space. Undefined means that a word, or the space between two words, is
 * too long for one line.
 */
function foldLine(line: string): string | undefined {
  const pieces: string[] = [];
  let at = 0;
  while (line.length - at > MAIL_LINE_BYTES) {
    const room = line.slice(at, at + MAIL_LINE_BYTES + 1);
    const blank = Math.max(room.lastIndexOf(" "), room.lastIndexOf("\t"));
    if (BLANK.test(room.slice(0, Math.max(blank, 0))) || !isGoodBreak(line, at, at + blank))
      return undefined;
    pieces.push(line.slice(at, at + blank));
    at += blank;
  }
  // Leaves out a last piece of only white space.
  return [...pieces, ...(BLANK.test(line.slice(at)) ? [] : [line.slice(at)])].join("\r\n");
}

/**
 * Returns whether to fold the line at `end`. Several mail programs misread a line that has only the
 * field's name. So the name may stay alone on its line only if every other fold would split the
 * next word.
 */
function isGoodBreak(line: string, start: number, end: number): boolean {
  if (start > 0 || !NAME_ALONE.test(line.slice(0, end))) return true;
  const next = /[ \t]/.exec(line.slice(end + 1, end + MAIL_LINE_BYTES))?.index;
  return next !== undefined || line.length - end <= MAIL_LINE_BYTES;
}
