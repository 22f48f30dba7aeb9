// The header of a submitted message, read so strictly that no reader after us can find another header in it (RFC 5322 section 2.2): what one program
// takes for a field and the next for its continuation, or for the body, is refused here. Pure.
import { Buffer } from "node:buffer";
import { MAIL_LINE_BYTES, SUBMITTED_HEADER_BYTES, SUBMITTED_HEADER_FIELDS } from "../../limits.ts";

export interface HeaderField {
  /** As written. */
  readonly name: string;
  readonly lowerName: string;
  /** As they came, one character an octet; none is white space alone. */
  readonly lines: readonly string[];
  /** Unfolded and trimmed, as text; tabs are spaces. */
  readonly value: string;
  /** False: its octets are no UTF-8 (RFC 6532), and stand in `value` one character each. */
  readonly isUtf8: boolean;
}

/** `problem` goes on from "headers". */
export type HeaderSection =
  | { readonly kind: "header"; readonly fields: readonly HeaderField[]; readonly body: Uint8Array }
  | { readonly kind: "malformed"; readonly problem: string };

const FIELD = /^([!-9;-~]+):/;
const SPACED_NAME = /^[!-9;-~]+[ \t]+:/;
const BLANK = /^[ \t]*$/;
const ASCII = /^[\t -~]*$/;
const BEYOND_ASCII = /[^\0-\x7f]/g;
// Tabs are spaces by then.
const CONTROL = /[\p{Cc}\u2028\u2029]/u;

/** Reads a message whose lines end in CRLF alone. */
export function readHeaderSection(message: Uint8Array): HeaderSection {
  const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
  const startsEmpty = bytes.toString("latin1", 0, 2) === "\r\n";
  const found = startsEmpty ? 0 : bytes.indexOf("\r\n\r\n");
  const end = found < 0 ? bytes.length : found;
  if (end > SUBMITTED_HEADER_BYTES) return malformed(`are more than ${SUBMITTED_HEADER_BYTES} bytes`);
  const body = message.subarray(Math.min(end + (startsEmpty ? 2 : 4), message.length));
  const lines = bytes.toString("latin1", 0, end).split("\r\n");
  const groups = fieldLines(lines);
  if (typeof groups === "string") return malformed(groups);
  const fields: HeaderField[] = [];
  for (const group of groups) {
    const field = readField(group);
    if (typeof field === "string") return malformed(field);
    fields.push(field);
  }
  return { kind: "header", fields, body };
}

/** The lines of each field; a problem where there is one. Continuations of white space alone, which some readers take for the header's end, go. */
function fieldLines(lines: readonly string[]): string[][] | string {
  const groups: string[][] = [];
  for (const [index, line] of lines.entries()) {
    if (line === "" && index === lines.length - 1) break;
    if (line.startsWith(" ") || line.startsWith("\t")) {
      const group = groups.at(-1);
      if (!group) return "begin with white space";
      if (!BLANK.test(line)) group.push(line);
    } else if (FIELD.test(line)) {
      if (groups.length === SUBMITTED_HEADER_FIELDS) return `are more than ${SUBMITTED_HEADER_FIELDS}`;
      groups.push([line]);
    } else {
      return SPACED_NAME.test(line)
        ? `hold white space before the colon in line ${index + 1}`
        : `hold something that is no header in line ${index + 1}`;
    }
  }
  return groups;
}

function readField(lines: readonly string[]): HeaderField | string {
  const name = FIELD.exec(lines[0] ?? "")?.[1] ?? "";
  const octets = lines.join("").slice(name.length + 1);
  const text = ASCII.test(octets) ? octets : utf8Text(octets);
  const value = (text ?? octets).replaceAll("\t", " ");
  if (CONTROL.test(text === undefined ? value.replace(BEYOND_ASCII, "") : value)) return `hold a control character in ${name}`;
  return { name, lowerName: name.toLowerCase(), lines, value: value.trim(), isUtf8: text !== undefined };
}

/** Undefined for octets that are none. */
function utf8Text(octets: string): string | undefined {
  const bytes = Buffer.from(octets, "latin1");
  const text = bytes.toString("utf8");
  return Buffer.from(text, "utf8").equals(bytes) ? text : undefined;
}

/** The field as it goes out, without a line end: lines too long for SMTP are broken before white space. Undefined: one can't be. */
export function foldedField({ lines }: HeaderField): string | undefined {
  const folded = lines.map(foldedLine);
  return folded.includes(undefined) ? undefined : folded.join("\r\n");
}

function foldedLine(line: string): string | undefined {
  const pieces: string[] = [];
  let rest = line;
  while (rest.length > MAIL_LINE_BYTES) {
    const at = Math.max(rest.lastIndexOf(" ", MAIL_LINE_BYTES), rest.lastIndexOf("\t", MAIL_LINE_BYTES));
    if (at <= 0 || BLANK.test(rest.slice(0, at))) return undefined;
    pieces.push(rest.slice(0, at));
    rest = rest.slice(at);
  }
  // White space alone is what was left of a long line's end.
  return (BLANK.test(rest) ? pieces : [...pieces, rest]).join("\r\n");
}

function malformed(problem: string): HeaderSection {
  return { kind: "malformed", problem };
}
