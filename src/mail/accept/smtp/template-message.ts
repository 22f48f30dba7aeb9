// Puts a template's words in the place of a submitted message's own (contract.md §Option headers):
// its header, attachments, inline parts and calendars stay as they were written, around the
// template's text and HTML, in the same structure as over HTTP.
import { Buffer } from "node:buffer";
import { encodeTextBody } from "../../../lib/mime/body-encoding.ts";
import { toLatin1 } from "../../../lib/mime/edits.ts";
import { readEntityAt, type Leaf, partsOf, type Range } from "../../../lib/mime/parts.ts";
import type { KeptField } from "./read-submission.ts";

interface Words {
  readonly text: string | null;
  readonly html: string | null;
}

type Place = "alternative" | "related" | "mixed";

/**
 * A part of the message's that stays, and beside what: another form of the words, what the HTML
 * shows, or an attachment.
 */
interface KeptPart {
  readonly place: Place;
  /** Header and body, one character an octet. */
  readonly text: string;
}

const DEPTH = 20;
const PARTS = 1_000;
const PLACES: ReadonlyMap<string, Place> = new Map([
  ["multipart/alternative", "alternative"],
  ["multipart/related", "related"],
  ["multipart/mixed", "mixed"],
]);
const BODIES = new Set(["text/plain", "text/html"]);
const BEYOND_ASCII = /[^\0-\x7f]/;

/**
 * `fields` are the header that goes out, `raw` the whole message as it was submitted, with CRLF
 * line ends.
 */
export function templateMessage(
  fields: readonly KeptField[],
  raw: Uint8Array,
  words: Words,
): Uint8Array {
  const header = fields.filter(
    ({ lowerName }) => lowerName !== "mime-version" && !isOfContent(lowerName),
  );
  const entity = entityOf(words, keptParts(raw), crypto.randomUUID().replaceAll("-", ""));
  return Buffer.from(
    `${header.map(({ text }) => `${text}\r\n`).join("")}MIME-Version: 1.0\r\n${entity}`,
    "latin1",
  );
}

/** What says how the body is made; the language that it is in is the sender's to say. */
function isOfContent(lowerName: string): boolean {
  return lowerName.startsWith("content-") && lowerName !== "content-language";
}

function keptParts(raw: Uint8Array): KeptPart[] {
  const kept: KeptPart[] = [];
  walk(raw, { start: 0, end: raw.length }, "mixed", 0, kept);
  return kept;
}

function walk(raw: Uint8Array, range: Range, place: Place, depth: number, kept: KeptPart[]): void {
  const entity = readEntityAt(raw, range);
  const inside = PLACES.get(entity.type);
  const parts = inside && depth < DEPTH ? partsOf(raw, entity) : [];
  if (inside && parts.length > 0)
    for (const part of parts) walk(raw, part, inside, depth + 1, kept);
  else if (kept.length < PARTS && !isWords(entity, place))
    kept.push({ place, text: depth === 0 ? asPart(raw, entity) : textIn(raw, range) });
}

/**
 * What the template takes the place of: text that is shown, and in other forms of it what is no
 * calendar.
 */
function isWords({ type, isShown, isNamed }: Leaf, place: Place): boolean {
  if (place === "alternative" && type.startsWith("text/") && type !== "text/calendar") return true;
  return BODIES.has(type) && isShown && !isNamed;
}

function textIn(raw: Uint8Array, { start, end }: Range): string {
  return toLatin1(raw.subarray(start, end));
}

/** A message that is one file by itself: of its header, what is about the file. */
function asPart(raw: Uint8Array, { headerStart, headerEnd, bodyStart, end }: Leaf): string {
  const fields = textIn(raw, { start: headerStart, end: headerEnd }).split(/\r\n(?![ \t])/);
  const own = fields.filter((field) =>
    isOfContent(
      field
        .slice(0, Math.max(field.indexOf(":"), 0))
        .trim()
        .toLowerCase(),
    ),
  );
  return `${own.map((field) => `${field}\r\n`).join("")}\r\n${textIn(raw, { start: bodyStart, end })}`.replace(
    /\r\n$/,
    "",
  );
}

/**
 * mixed(alternative(text, related(html, inline...), others...), attachments...), with the levels
 * that it needs, content headers first.
 */
function entityOf({ text, html }: Words, kept: readonly KeptPart[], seed: string): string {
  const at = (place: Place): string[] =>
    kept.filter((part) => part.place === place).map((part) => part.text);
  const join = (kind: Place, parts: readonly string[]): string => multipart(kind, parts, seed);
  const inline = at("related");
  const bodies: string[] = [];
  if (text !== null || html === null) bodies.push(textPart("text/plain", text ?? ""));
  if (html !== null)
    bodies.push(
      inline.length === 0
        ? textPart("text/html", html)
        : join("related", [textPart("text/html", html), ...inline]),
    );
  bodies.push(...at("alternative"));
  const [first = ""] = bodies;
  const readable = bodies.length === 1 ? first : join("alternative", bodies);
  const attached = [...(html === null ? inline : []), ...at("mixed")];
  const entity = attached.length === 0 ? readable : join("mixed", [readable, ...attached]);
  return entity.endsWith("\r\n") ? entity : `${entity}\r\n`;
}

function textPart(type: string, text: string): string {
  const { encoding, data } = encodeTextBody(text);
  return `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n\r\n${data}`;
}

/** What holds octets beyond ASCII says so (RFC 2045 section 6.4). */
function multipart(kind: Place, parts: readonly string[], seed: string): string {
  const boundary = `=_${seed}_${kind}`;
  const body = `${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join("")}--${boundary}--`;
  const type = `Content-Type: multipart/${kind};${kind === "related" ? ' type="text/html";' : ""}\r\n boundary="${boundary}"\r\n`;
  const encoding = parts.some((part) => BEYOND_ASCII.test(part))
    ? "Content-Transfer-Encoding: 8bit\r\n"
    : "";
  return `${type}${encoding}\r\n${body}`;
}
