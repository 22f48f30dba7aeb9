// The service's own links in one copy of a submitted message (docs/architecture.md §Compose): headers about unsubscribing as text at its top, tracked links and
// the recipient's own link wherever the message's mark stands for it. A part that needs none of it keeps its octets, and so does all the rest. Pure.
import { Buffer } from "node:buffer";
import { decodeWords } from "../../lib/encoded-words.ts";
import { type Edit, edited, latin1 } from "../../lib/mime/edits.ts";
import { customTokens, foldHeader, subjectTokens } from "../../lib/mime/header-folding.ts";
import { decodedBody, encodedBody, isDecodable } from "../../lib/mime/part-body.ts";
import { type Leaf, leavesOf } from "../../lib/mime/parts.ts";
import { endTurnAfter } from "../../lib/end-turn.ts";
import { escapeHtml } from "../../lib/template/text.ts";
import { type CopyTracking, trackHtml } from "./track.ts";
import { listUnsubscribeTargets, withListUnsubscribe } from "./unsubscribe.ts";

export interface RawLinks {
  /** This recipient's own, absolute; null: the message asks for none. */
  readonly unsubscribeUrl: string | null;
  readonly tracking: CopyTracking | null;
}

/** What stands for the recipient's link in this message (mail/message.ts), and the link. */
interface Fill {
  readonly mark: string;
  readonly link: string;
}

/** A part's text, and what makes octets of it again. */
interface Words {
  readonly text: string;
  readonly isUtf8: boolean;
}

const ABOUT_UNSUBSCRIBING = /^list-unsubscribe(?:-post)?[ \t]*:/i;
/** In these an octet of ASCII does not stand for itself. */
const NOT_ON_ASCII = /^(?:utf-?(?:7|16|32)|ucs|unicode|iso-2022|csiso2022|hz-)/;

/** `raw` has CRLF line ends; the same bytes come back when there is nothing to change. `mark`: the message's. */
export async function withLinks(raw: Uint8Array, links: RawLinks, mark?: string): Promise<Uint8Array> {
  const { unsubscribeUrl: link, tracking } = links;
  const fill = mark !== undefined && link !== null ? { mark, link } : null;
  const { edits, targets } = headerEdits(raw, link, fill);
  const parts = tracking || fill ? leavesOf(raw).filter(isReadable) : [];
  const firstHtml = parts.find(({ type }) => type === "text/html");
  for (const part of parts) {
    edits.push(...(await partEdits(raw, part, part === firstHtml, { tracking, fill, targets })));
    await endTurnAfter(part.end - part.bodyStart);
  }
  return edited(raw, edits);
}

/** What is wrong with the header's own words about unsubscribing goes, and what is right or the service's own stands at the top. */
function headerEdits(raw: Uint8Array, url: string | null, fill: Fill | null): { edits: Edit[]; targets: readonly string[] } {
  const edits: Edit[] = [];
  const filled: Edit[] = [];
  const own: [name: string, value: string][] = [];
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const end = bytes.indexOf("\r\n\r\n");
  let at = 0;
  for (const field of latin1(raw.subarray(0, Math.max(end, 0))).split(/\r\n(?![ \t])/)) {
    const text = fill && filledField(field, fill);
    if (ABOUT_UNSUBSCRIBING.test(field)) {
      own.push(pairOf(text ?? field));
      edits.push({ start: at, end: at + field.length + 2, text: "" });
    }
    if (text !== null) filled.push({ start: at, end: at + field.length, text });
    at += field.length + 2;
  }
  const right = withListUnsubscribe(own, url);
  const targets = listUnsubscribeTargets(right);
  if (JSON.stringify(right) === JSON.stringify(own)) return { edits: filled, targets };
  const text = right.map(([name, value]) => `${name}: ${foldHeader(name, customTokens(name, value))}\r\n`).join("");
  const others = filled.filter(({ start }) => !edits.some((edit) => edit.start === start));
  return { edits: [{ start: 0, end: 0, text }, ...edits, ...others], targets };
}

/** The field with the link in it; null: the mark is not there. */
function filledField(field: string, { mark, link }: Fill): string | null {
  const [name, value] = pairOf(field);
  const text = decodeWords(value).text;
  if (!text.includes(mark)) return null;
  const filled = text.replaceAll(mark, () => link);
  return `${name}: ${foldHeader(name, name.toLowerCase() === "subject" ? subjectTokens(filled) : customTokens(name, filled))}`;
}

function pairOf(field: string): [name: string, value: string] {
  const colon = field.indexOf(":");
  const value = field.slice(colon + 1).replaceAll("\r\n", "");
  return [field.slice(0, colon).trim(), Buffer.from(value, "latin1").toString("utf8").trim()];
}

function isReadable({ type, isShown, charset, encoding }: Leaf): boolean {
  const isText = type === "text/html" || type === "text/plain";
  return isText && isShown && isDecodable(encoding) && !NOT_ON_ASCII.test(charset ?? "");
}

async function partEdits(
  raw: Uint8Array,
  { type, encoding, bodyStart: start, end }: Leaf,
  isFirstHtml: boolean,
  { tracking, fill, targets }: { tracking: CopyTracking | null; fill: Fill | null; targets: readonly string[] },
): Promise<Edit[]> {
  const isHtml = type === "text/html";
  if (!fill && !isHtml) return [];
  const written = decodedBody(latin1(raw.subarray(start, end)), encoding);
  if (!(tracking && isHtml) && !(fill && written.includes(fill.mark))) return [];
  const words = wordsOf(written);
  const filled = fill ? words.text.replaceAll(fill.mark, () => (isHtml ? escapeHtml(fill.link) : fill.link)) : words.text;
  const tracked =
    tracking && isHtml
      ? await trackHtml(filled, { ...tracking, opens: tracking.opens && isFirstHtml }, { targets, beyondAscii: !words.isUtf8 })
      : filled;
  if (tracked === words.text) return [];
  const octets = words.isUtf8 ? Buffer.from(tracked, "utf8").toString("latin1") : tracked;
  return [{ start, end, text: encodedBody(octets, encoding, end === raw.length) }];
}

/** UTF-8 where the octets are that, whatever the part says; else each octet is a character. */
function wordsOf(octets: string): Words {
  const text = Buffer.from(octets, "latin1").toString("utf8");
  return Buffer.from(text, "utf8").toString("latin1") === octets ? { text, isUtf8: true } : { text: octets, isUtf8: false };
}
