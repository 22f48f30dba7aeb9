// Reads the header section of a submitted message as fields (contract.md §Submitted header
// section). Real mail has faulty headers, which this file repairs so that all other code finds the
// same fields. It removes a line that is not a field, and white space before a colon. It replaces a
// character that some programs read as a line end with a space. It reads octets that are not UTF-8
// as Windows-1252. It does not repair From, because sender-header.ts judges the original field.
// Pure.
import { Buffer } from "node:buffer";
import { textOfOctets, utf8Octets } from "../../../lib/mime/octets.ts";
import { SUBMITTED_HEADER_BYTES, SUBMITTED_HEADER_FIELDS } from "../../../limits.ts";

export interface HeaderField {
  /** The field's name as it was written. */
  readonly name: string;
  readonly lowerName: string;
  /** True if white space was before the colon. */
  readonly isSpaced: boolean;
  /** The lines of the field, with one character per octet. No line is blank. */
  readonly lines: readonly string[];
  /** The field's value as text: unfolded, trimmed, and with spaces in place of tabs. */
  readonly value: string;
  /**
   * False if the field is From and its octets are not UTF-8. All other fields are repaired, so they
   * are UTF-8.
   */
  readonly isUtf8: boolean;
}

/**
 * The fields and the body, or the problem. `problem` is the rest of a sentence that begins with
 * "headers".
 */
export type HeaderSection =
  | { readonly kind: "header"; readonly fields: readonly HeaderField[]; readonly body: Uint8Array }
  | { readonly kind: "malformed"; readonly problem: string };

const FIELD = /^([!-9;-~]+)[ \t]*:/;
/** A byte order mark before the first field, as the octets of its UTF-8 form. */
const BYTE_ORDER_MARK = /^\xef\xbb\xbf/;
const BLANK = /^[ \t]*$/;
/** The control characters FS, GS and RS. */
const SEPARATORS = "\x1c-\x1e";
/**
 * Matches the characters besides CR and LF that programs treat as a line end: VT, FF, NEL, the line
 * and paragraph separators, and FS, GS and RS.
 */
const LINE_ENDER = new RegExp(`[\v\f\u0085\u2028\u2029${SEPARATORS}]`);
const LINE_ENDERS = new RegExp(`[\v\f\u0085\u2028\u2029${SEPARATORS}]`, "g");

/** Returns the values of the fields with this name (lower case), in order. */
export function valuesOf(fields: readonly HeaderField[], lowerName: string): string[] {
  return fields.filter((field) => field.lowerName === lowerName).map(({ value }) => value);
}

/** Reads a message whose lines all end in CRLF. */
export function readHeaderSection(message: Uint8Array): HeaderSection {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  const startsEmpty = bytes.toString("latin1", 0, 2) === "\r\n";
  const found = startsEmpty ? 0 : bytes.indexOf("\r\n\r\n");
  const end = found < 0 ? bytes.length : found;
  if (end > SUBMITTED_HEADER_BYTES)
    return toMalformed(`are larger than ${SUBMITTED_HEADER_BYTES} bytes`);
  const groups = groupLines(
    bytes.toString("latin1", 0, end).replace(BYTE_ORDER_MARK, "").split("\r\n"),
  );
  if (groups.length > SUBMITTED_HEADER_FIELDS)
    return toMalformed(`are more than ${SUBMITTED_HEADER_FIELDS} fields`);
  const body = message.subarray(Math.min(end + (startsEmpty ? 2 : 4), message.length));
  return { kind: "header", fields: groups.map(readField), body };
}

/**
 * Groups the lines into fields. A line that is not a field is removed together with its
 * continuation lines.
 */
function groupLines(lines: readonly string[]): string[][] {
  const groups: string[][] = [];
  let open: string[] | null = null;
  for (const line of lines) {
    if (line.startsWith(" ") || line.startsWith("\t")) {
      open?.push(line);
      continue;
    }
    open = FIELD.test(line) ? [line] : null;
    if (open) groups.push(open);
  }
  return groups;
}

function readField([first = "", ...more]: readonly string[]): HeaderField {
  const [start = "", name = ""] = FIELD.exec(first) ?? [];
  const lowerName = name.toLowerCase();
  const written = [first.slice(start.length), ...more];
  const { text, isUtf8 } = textOfOctets(written.join(""));
  const isFrom = lowerName === "from";
  const [head = "", ...continuations] =
    isFrom || (isUtf8 && !LINE_ENDER.test(text))
      ? written
      : written.map((line) => mendLine(line, isUtf8));
  const lines = [`${name}:${head}`, ...continuations.filter((line) => !BLANK.test(line))];
  const value = (isFrom ? text : text.replace(LINE_ENDERS, " ")).replaceAll("\t", " ").trim();
  return {
    name,
    lowerName,
    isSpaced: start.length > name.length + 1,
    lines,
    value,
    isUtf8: isUtf8 || !isFrom,
  };
}

function mendLine(octets: string, isUtf8: boolean): string {
  const text = isUtf8
    ? Buffer.from(octets, "latin1").toString("utf8")
    : new TextDecoder("windows-1252").decode(Buffer.from(octets, "latin1"));
  return utf8Octets(text.replace(LINE_ENDERS, " "));
}

function toMalformed(problem: string): HeaderSection {
  return { kind: "malformed", problem };
}
