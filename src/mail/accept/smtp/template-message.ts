// Replaces the text and HTML of a submitted message with the text and HTML of a template
// (contract.md §Option headers). The message's header, attachments, inline parts and calendars stay
// as written. The structure is the same as over HTTP. Pure, except for a random boundary.
import { Buffer } from "node:buffer";
import { encodeTextBody } from "../../../lib/mime/body-encoding.ts";
import { toLatin1 } from "../../../lib/mime/octet-edits.ts";
import { readEntityAt, type Leaf, partsOf, type Range } from "../../../lib/mime/parts.ts";
import type { ForwardedField } from "./validate-submission.ts";

interface TemplateBodies {
  readonly text: string | null;
  readonly html: string | null;
}

type Place = "alternative" | "related" | "mixed";

/**
 * A part of the submitted message that stays. `place` is its level in the new message: another form
 * of the text (alternative), content that the HTML shows (related), or an attachment (mixed).
 */
interface KeptPart {
  readonly place: Place;
  /** The part's header and body, with one character per octet. */
  readonly text: string;
}

const NESTING_READ = 20;
const PARTS_KEPT = 1_000;
const PLACES: ReadonlyMap<string, Place> = new Map([
  ["multipart/alternative", "alternative"],
  ["multipart/related", "related"],
  ["multipart/mixed", "mixed"],
]);
const BODIES = new Set(["text/plain", "text/html"]);
const BEYOND_ASCII = /[^\0-\x7f]/;

/**
 * Returns the message with the template's text and HTML. `fields` are the header fields that go
 * out. `raw` is the whole message as it was submitted, with CRLF line ends.
 */
export function applyTemplate(
  fields: readonly ForwardedField[],
  raw: Uint8Array,
  bodies: TemplateBodies,
): Uint8Array {
  const header = fields.filter(
    ({ lowerName }) => lowerName !== "mime-version" && !isContentField(lowerName),
  );
  const kept: KeptPart[] = [];
  collectPart(raw, { start: 0, end: raw.length }, "mixed", 0, kept);
  const entity = buildEntity(bodies, kept, crypto.randomUUID().replaceAll("-", ""));
  return Buffer.from(
    `${header.map(({ text }) => `${text}\r\n`).join("")}MIME-Version: 1.0\r\n${entity}`,
    "latin1",
  );
}

/**
 * Returns whether a field describes the format of the body. Content-Language is not such a field:
 * the sender declares the language, so this field stays.
 */
function isContentField(lowerName: string): boolean {
  return lowerName.startsWith("content-") && lowerName !== "content-language";
}

function collectPart(
  raw: Uint8Array,
  range: Range,
  place: Place,
  depth: number,
  kept: KeptPart[],
): void {
  const entity = readEntityAt(raw, range);
  const inside = PLACES.get(entity.type);
  const parts = inside && depth < NESTING_READ ? partsOf(raw, entity) : [];
  if (inside && parts.length > 0)
    for (const part of parts) collectPart(raw, part, inside, depth + 1, kept);
  else if (kept.length < PARTS_KEPT && !isReplaced(entity, place))
    kept.push({ place, text: depth === 0 ? toPart(raw, entity) : textIn(raw, range) });
}

/**
 * Returns whether the template replaces a part. It replaces displayed text, and other forms of the
 * text except a calendar.
 */
function isReplaced({ type, isShown, isNamed }: Leaf, place: Place): boolean {
  if (place === "alternative" && type.startsWith("text/") && type !== "text/calendar") return true;
  return BODIES.has(type) && isShown && !isNamed;
}

function textIn(raw: Uint8Array, { start, end }: Range): string {
  return toLatin1(raw.subarray(start, end));
}

/**
 * Turns a message that is a single file into a part. Only the header fields that describe the file
 * stay.
 */
function toPart(raw: Uint8Array, { headerStart, headerEnd, bodyStart, end }: Leaf): string {
  const fields = textIn(raw, { start: headerStart, end: headerEnd }).split(/\r\n(?![ \t])/);
  const own = fields.filter((field) =>
    isContentField(
      field
        .slice(0, Math.max(field.indexOf(":"), 0))
        .trim()
        .toLowerCase(),
    ),
  );
  const header = own.map((field) => `${field}\r\n`).join("");
  const body = textIn(raw, { start: bodyStart, end });
  return `${header}\r\n${body}`.replace(/\r\n$/, "");
}

/**
 * Builds mixed(alternative(text, related(html, inline...), others...), attachments...), with only
 * those levels that have more than one part. Content headers come first.
 */
function buildEntity(
  { text, html }: TemplateBodies,
  kept: readonly KeptPart[],
  seed: string,
): string {
  const at = (place: Place): string[] =>
    kept.filter((part) => part.place === place).map((part) => part.text);
  const join = (kind: Place, parts: readonly string[]): string => buildMultipart(kind, parts, seed);
  const inline = at("related");
  const bodies: string[] = [];
  if (text !== null || html === null) bodies.push(buildTextPart("text/plain", text ?? ""));
  if (html !== null)
    bodies.push(
      inline.length === 0
        ? buildTextPart("text/html", html)
        : join("related", [buildTextPart("text/html", html), ...inline]),
    );
  bodies.push(...at("alternative"));
  const [first = ""] = bodies;
  const readable = bodies.length === 1 ? first : join("alternative", bodies);
  const attached = [...(html === null ? inline : []), ...at("mixed")];
  const entity = attached.length === 0 ? readable : join("mixed", [readable, ...attached]);
  return entity.endsWith("\r\n") ? entity : `${entity}\r\n`;
}

function buildTextPart(type: string, text: string): string {
  const { encoding, data } = encodeTextBody(text);
  const header = `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}`;
  return `${header}\r\n\r\n${data}`;
}

/** Builds a multipart. A multipart with octets that are not ASCII declares 8bit (RFC 2045 §6.4). */
function buildMultipart(kind: Place, parts: readonly string[], seed: string): string {
  const boundary = `=_${seed}_${kind}`;
  const body = `${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join("")}--${boundary}--`;
  const root = kind === "related" ? ' type="text/html";' : "";
  const type = `Content-Type: multipart/${kind};${root}\r\n boundary="${boundary}"\r\n`;
  const encoding = parts.some((part) => BEYOND_ASCII.test(part))
    ? "Content-Transfer-Encoding: 8bit\r\n"
    : "";
  return `${type}${encoding}\r\n${body}`;
}
