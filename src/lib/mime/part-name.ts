// Reads the file name of a part (RFC 2183, RFC 2231), as leniently as mail programs. Linear. Pure.
import { Buffer } from "node:buffer";
import { decodeWords } from "./decode-words.ts";
import { textOfOctets } from "./octets.ts";

const FIELD = /^content-(?:disposition|type)[ \t]*:/i;
const ATTRIBUTE = /^(filename|name)(?:\*(\d{1,3}))?(\*?)$/;
const PERCENT_CODED = /%([0-9A-Fa-f]{2})/g;

interface Segment {
  readonly place: number;
  readonly isCoded: boolean;
  readonly text: string;
}

/**
 * Returns the name that `filename` of Content-Disposition gives, or else `name` of Content-Type, or
 * else "". `header`: the part's header, with one character per octet.
 */
export function fileNameIn(header: string): string {
  const segments: Record<string, Segment[]> = { filename: [], name: [] };
  for (const field of header.split(/\r\n(?![ \t])/)) {
    if (!FIELD.test(field)) continue;
    for (const parameter of parametersOf(field.replaceAll("\r\n", ""))) {
      const at = parameter.indexOf("=");
      const attribute = parameter.slice(0, Math.max(at, 0)).trim().toLowerCase();
      const [, name = "", place = "0", star] = ATTRIBUTE.exec(attribute) ?? [];
      const text = unquote(parameter.slice(at + 1).trim());
      segments[name]?.push({ place: Number(place), isCoded: star === "*", text });
    }
  }
  return nameOf(segments["filename"] ?? []) || nameOf(segments["name"] ?? []);
}

/** Joins the segments in their order. Ignores the charset that coded segments name. */
function nameOf(segments: readonly Segment[]): string {
  const octets = segments
    .toSorted((left, right) => left.place - right.place)
    .map(({ place, isCoded, text }) => (isCoded ? decodeSegment(text, place === 0) : text))
    .join("");
  return decodeWords(textOfOctets(octets).text).text.trim();
}

function decodeSegment(text: string, isFirst: boolean): string {
  const coded = isFirst ? text.slice(text.indexOf("'", text.indexOf("'") + 1) + 1) : text;
  return coded.replace(PERCENT_CODED, (_, digits: string) =>
    Buffer.from(digits, "hex").toString("latin1"),
  );
}

/** Splits a field at its semicolons, except in quoted strings. */
function parametersOf(field: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at < field.length; at += 1) {
    const character = field[at];
    if (character === "\\" && isQuoted) at += 1;
    else if (character === '"') isQuoted = !isQuoted;
    else if (character === ";" && !isQuoted) {
      pieces.push(field.slice(start, at));
      start = at + 1;
    }
  }
  return [...pieces, field.slice(start)];
}

function unquote(text: string): string {
  return text.startsWith('"') ? text.replace(/^"|"$/g, "").replace(/\\(.)/g, "$1") : text;
}
