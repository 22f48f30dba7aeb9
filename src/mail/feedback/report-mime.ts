// Splits returned mail into MIME parts (RFC 2045, 2046). A general parser does not fit: bounces
// contain very broken MIME, and a general parser takes seconds for a hostile message. This parser
// reads only a few levels of nesting, in linear time for each, for any message. A message that is
// not MIME is one text part. Pure.
import { Buffer } from "node:buffer";
import { type Field, readFields, valueOf } from "./report-fields.ts";

export interface ReportPart {
  /** Media type in lower case, `text/plain` by default. */
  readonly type: string;
  /** Parameters of Content-Type, by their lower-case names. */
  readonly parameters: ReadonlyMap<string, string>;
  readonly fields: readonly Field[];
  /**
   * Lines of the body, one character per octet, still in their transfer encoding. Empty for a
   * multipart.
   */
  readonly lines: readonly string[];
  /** Parts of a multipart. */
  readonly parts: readonly ReportPart[];
}

const NESTING_READ = 6;
const PARTS_READ = 200;
const CONTENT_TYPE_CHARACTERS = 2_048;

const TYPE = /^[ \t]*([!#$%&'*+.^_`|~\w-]+\/[!#$%&'*+.^_`|~\w-]+)/;
const PARAMETER = /;[ \t]*([\w*-]+)[ \t]*=[ \t]*("(?:[^"\\]|\\.)*"|[^\s;]*)/g;
const GUESSED_BOUNDARY = /^--([^\s-][^\s]{0,199})[ \t]*$/;

export function readMessage(raw: Uint8Array): ReportPart {
  const text = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString("latin1");
  return readPart(text.split(/\r\n|\n|\r/), NESTING_READ, { parts: PARTS_READ });
}

/** Reads the message inside a message/rfc822 or message/global part. */
export function readAttachedMessage(part: ReportPart): ReportPart {
  return readPart(part.lines, NESTING_READ, { parts: PARTS_READ });
}

/** Returns the parts that are not multiparts, in order. */
export function leavesOf(part: ReportPart): readonly ReportPart[] {
  return part.parts.length === 0 ? [part] : part.parts.flatMap(leavesOf);
}

function readPart(lines: readonly string[], depth: number, room: { parts: number }): ReportPart {
  const { fields, end } = readFields(lines);
  const { type, parameters } = readContentType(valueOf(fields, "content-type") ?? "");
  const body = lines.slice(end);
  if (type.startsWith("multipart/") && depth > 0) {
    const declared = sectionsOf(body, parameters.get("boundary"));
    const sections = (declared.length > 0 ? declared : sectionsOf(body, guessBoundary(body))).slice(
      0,
      room.parts,
    );
    room.parts -= sections.length;
    const parts = sections.map((section) => readPart(section, depth - 1, room));
    if (parts.length > 0) return { type, parameters, fields, lines: [], parts };
  }
  // A multipart without parts is read as text, because mail programs show it as text.
  return {
    type: type.startsWith("multipart/") ? "text/plain" : type,
    parameters,
    fields,
    lines: body,
    parts: [],
  };
}

export function readContentType(value: string): Pick<ReportPart, "type" | "parameters"> {
  const text = value.slice(0, CONTENT_TYPE_CHARACTERS);
  const parameters = new Map<string, string>();
  for (const [, name = "", given = ""] of text.matchAll(PARAMETER)) {
    const quoted = given.startsWith('"') && given.length > 1;
    parameters.set(name.toLowerCase(), quoted ? given.slice(1, -1).replace(/\\(.)/g, "$1") : given);
  }
  return { type: TYPE.exec(text)?.[1]?.toLowerCase() ?? "text/plain", parameters };
}

/** Splits a multipart's lines at its boundary lines. The last part needs no closing boundary. */
function sectionsOf(lines: readonly string[], boundary: string | undefined): string[][] {
  if (boundary === undefined) return [];
  const sections: string[][] = [];
  let open = false;
  for (const line of lines) {
    const delimiter = line.startsWith("--") ? line.slice(2).trimEnd() : undefined;
    if (delimiter === `${boundary}--`) break;
    if (delimiter === boundary) {
      sections.push([]);
      open = true;
    } else if (open) sections.at(-1)?.push(line);
  }
  return sections;
}

/**
 * Guesses the boundary of a multipart that lost its `boundary` parameter: the first line that looks
 * like a boundary.
 */
function guessBoundary(lines: readonly string[]): string | undefined {
  for (const line of lines) {
    const boundary = GUESSED_BOUNDARY.exec(line)?.[1];
    if (boundary !== undefined) return boundary;
  }
  return undefined;
}
