// The service's own links in one copy of a submitted message (design.md section 4 "Raw"): headers about unsubscribing as text at its top, tracked links and
// the recipient's own link inside the parts that a reader sees. A part that needs none of it keeps its octets, and so does all the rest. Pure.
import { Buffer } from "node:buffer";
import { encodeBase64 } from "../../lib/base64.ts";
import { wrapBase64 } from "./body-encoding.ts";
import { customTokens, foldHeader } from "./header-folding.ts";
import { type Edit, edited, latin1, quoted } from "./raw-lines.ts";
import { isIdentity, type Leaf, leavesOf } from "./raw-parts.ts";
import { type CopyTracking, trackHtml } from "./track.ts";
import { listUnsubscribeTargets, withListUnsubscribe } from "./unsubscribe.ts";

export interface RawLinks {
  /** This recipient's own, absolute; null: the message asks for none. */
  readonly unsubscribeUrl: string | null;
  readonly tracking: CopyTracking | null;
}

/** A part's text, and what makes octets of it again. */
interface Words {
  readonly text: string;
  readonly isUtf8: boolean;
}

const ABOUT_UNSUBSCRIBING = /^list-unsubscribe(?:-post)?[ \t]*:/i;
const LINK_VARIABLE = /\{\{\{?[ \t]*unsubscribe_url[ \t]*\}?\}\}/g;
/** In these an octet of ASCII does not stand for itself. */
const NOT_ON_ASCII = /^(?:utf-?(?:7|16|32)|ucs|unicode|iso-2022|csiso2022|hz-)/;

/** `raw` has CRLF line ends; the same bytes come back when there is nothing to change. */
export async function withLinks(raw: Uint8Array, links: RawLinks): Promise<Uint8Array> {
  const { edits, targets } = headerEdits(raw, links.unsubscribeUrl);
  const parts = links.tracking || links.unsubscribeUrl !== null ? leavesOf(raw).filter(isReadable) : [];
  const firstHtml = parts.find(({ type }) => type === "text/html");
  for (const part of parts) edits.push(...(await partEdits(raw, part, links, targets, part === firstHtml)));
  return edits.length === 0 ? raw : edited(raw, edits);
}

/** What is wrong with the header's own words about unsubscribing goes, and what is right or the service's own stands at the top. */
function headerEdits(raw: Uint8Array, url: string | null): { edits: Edit[]; targets: readonly string[] } {
  const edits: Edit[] = [];
  const own: [name: string, value: string][] = [];
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const end = bytes.indexOf("\r\n\r\n");
  let at = 0;
  for (const field of latin1(raw.subarray(0, Math.max(end, 0))).split(/\r\n(?![ \t])/)) {
    if (ABOUT_UNSUBSCRIBING.test(field)) {
      own.push(pairOf(field));
      edits.push({ start: at, end: at + field.length + 2, text: "" });
    }
    at += field.length + 2;
  }
  const right = withListUnsubscribe(own, url);
  const targets = listUnsubscribeTargets(right);
  if (JSON.stringify(right) === JSON.stringify(own)) return { edits: [], targets };
  const text = right.map(([name, value]) => `${name}: ${foldHeader(name, customTokens(name, value))}\r\n`).join("");
  return { edits: [{ start: 0, end: 0, text }, ...edits], targets };
}

function pairOf(field: string): [name: string, value: string] {
  const colon = field.indexOf(":");
  const value = field.slice(colon + 1).replaceAll("\r\n", "");
  return [field.slice(0, colon).trim(), Buffer.from(value, "latin1").toString("utf8").trim()];
}

function isReadable({ type, isShown, charset, encoding }: Leaf): boolean {
  const isText = type === "text/html" || type === "text/plain";
  const isDecodable = isIdentity(encoding) || encoding === "quoted-printable" || encoding === "base64";
  return isText && isShown && isDecodable && !NOT_ON_ASCII.test(charset ?? "");
}

async function partEdits(
  raw: Uint8Array,
  { type, encoding, bodyStart: start, end }: Leaf,
  { unsubscribeUrl, tracking }: RawLinks,
  targets: readonly string[],
  isFirstHtml: boolean,
): Promise<Edit[]> {
  const words = wordsOf(decoded(latin1(raw.subarray(start, end)), encoding));
  const filled = unsubscribeUrl === null ? words.text : words.text.replace(LINK_VARIABLE, () => unsubscribeUrl);
  const tracked =
    tracking && type === "text/html"
      ? await trackHtml(filled, { ...tracking, opens: tracking.opens && isFirstHtml }, { targets, beyondAscii: !words.isUtf8 })
      : filled;
  if (tracked === words.text) return [];
  const octets = words.isUtf8 ? Buffer.from(tracked, "utf8").toString("latin1") : tracked;
  return [{ start, end, text: encoded(octets, encoding, end === raw.length) }];
}

/** UTF-8 where the octets are that, whatever the part says; else each octet is a character. */
function wordsOf(octets: string): Words {
  const text = Buffer.from(octets, "latin1").toString("utf8");
  return Buffer.from(text, "utf8").toString("latin1") === octets ? { text, isUtf8: true } : { text: octets, isUtf8: false };
}

function decoded(body: string, encoding: string): string {
  if (encoding === "base64") return Buffer.from(body, "base64").toString("latin1");
  if (encoding !== "quoted-printable") return body;
  const lines = body.split("\r\n").map(withoutBlanksAtEnd);
  const joined = lines.map((line, index) => (line.endsWith("=") ? line.slice(0, -1) : index === lines.length - 1 ? line : `${line}\r\n`));
  return joined.join("").replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** What mail servers have put there (RFC 2045 section 6.7, rule 3). */
function withoutBlanksAtEnd(line: string): string {
  let end = line.length;
  while (end > 0 && (line[end - 1] === " " || line[end - 1] === "\t")) end -= 1;
  return line.slice(0, end);
}

/** Inside a multipart the line end belongs to the delimiter that follows. */
function encoded(octets: string, encoding: string, isLast: boolean): string {
  const lineEnd = isLast ? "\r\n" : "";
  if (encoding === "base64") return wrapBase64(encodeBase64(Buffer.from(octets, "latin1"))) + lineEnd;
  const text = encoding === "quoted-printable" ? quoted(octets) : octets;
  return text.endsWith("\r\n") ? text : text + lineEnd;
}
