// Reads the texts and files of a message for people who look at it. The number of parts and their
// nesting are limited (lib/mime/parts.ts). Pure.
import { Buffer } from "node:buffer";
import { textInCharset } from "./charset-text.ts";
import { toLatin1 } from "./octet-edits.ts";
import { decodeBody, isDecodable } from "./part-body.ts";
import { fileNameIn } from "./part-name.ts";
import { type Entity, entitiesOf, readEntityAt } from "./parts.ts";
import { runInSteps } from "../step-scheduler.ts";

const ATTACHED_MESSAGE = "message/rfc822";
const CONTENT_ID = /(?:^|\r\n)content-id[ \t]*:[ \t]*<?([^<>\r\n]*)/i;
const TEXTS: ReadonlySet<string> = new Set(["text/plain", "text/html"]);

export interface ReadMessage {
  readonly text: string | null;
  readonly html: string | null;
  readonly attachments: readonly ReadFile[];
}

interface ReadFile {
  readonly filename: string;
  readonly contentType: string;
  /** The Content-ID without angle brackets; null: the part has none. */
  readonly contentId: string | null;
  readonly content: Uint8Array;
}

/** Joins several texts of one kind, because mail programs show them one after the other. */
export async function readMessage(raw: Uint8Array): Promise<ReadMessage> {
  const texts: Record<string, string[]> = { "text/plain": [], "text/html": [] };
  const attachments: ReadFile[] = [];
  let end = 0;
  for (const entity of entitiesOf(raw)) {
    const isWhole = entity.type === ATTACHED_MESSAGE || entity.parts.length === 0;
    if (!isWhole || entity.headerStart < end) continue;
    ({ end } = entity);
    const octets = await octetsOf(raw, entity);
    const text = isText(raw, entity) ? textInCharset(octets, entity.charset) : undefined;
    if (text === undefined) attachments.push(fileOf(raw, entity, octets));
    else texts[entity.type]!.push(text);
  }
  const joined = (type: string): string | null =>
    texts[type]!.length === 0 ? null : texts[type]!.join("\r\n");
  return { text: joined("text/plain"), html: joined("text/html"), attachments };
}

/**
 * Tells whether a part is a text that is shown with the message. A part with a file name is a file
 * instead. A signed text is shown too.
 */
function isText(raw: Uint8Array, { type, isNamed, headerStart, end }: Entity): boolean {
  const { isShown } = readEntityAt(raw, { start: headerStart, end });
  return TEXTS.has(type) && !isNamed && isShown;
}

async function octetsOf(
  raw: Uint8Array,
  { bodyStart, end, encoding }: Entity,
): Promise<Uint8Array> {
  const body = raw.subarray(bodyStart, end);
  return isDecodable(encoding) ? runInSteps(decodeBody(body, encoding)) : body;
}

function fileOf(
  raw: Uint8Array,
  { type, headerStart, headerEnd }: Entity,
  content: Uint8Array,
): ReadFile {
  const header = toLatin1(raw.subarray(headerStart, headerEnd));
  const contentId = CONTENT_ID.exec(header)?.[1]?.trim() || null;
  const filename = fileNameIn(header) || (type === ATTACHED_MESSAGE ? "message.eml" : "unnamed");
  return { filename, contentType: type, contentId, content: Buffer.from(content) };
}
