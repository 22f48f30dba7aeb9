// Puts the service's own links into one copy of a submitted message (docs/architecture.md
// §Compose): unsubscribe headers at the top, tracked links, and the recipient's own link instead of
// the message's placeholder. All parts and fields that need no link keep their octets. Pure.
import { Buffer } from "node:buffer";
import { decodeWords } from "../../lib/mime/decode-words.ts";
import { yieldAfter, runInSteps } from "../../lib/step-scheduler.ts";
import { type Edit, applyEdits, toLatin1 } from "../../lib/mime/octet-edits.ts";
import { customTokens, foldHeader, subjectTokens } from "../../lib/mime/header-folding.ts";
import { encodeBody } from "../../lib/mime/part-body.ts";
import { escapeHtml } from "../../lib/template/text.ts";
import type { ReadablePart, SharedMessage } from "./readable-parts.ts";
import { type CopyTracking, type LinkFill, trackHtml, trackSurveyed } from "./track.ts";
import { listUnsubscribeTargets, withListUnsubscribe } from "./unsubscribe-headers.ts";

export interface RawLinks {
  /**
   * The recipient's unsubscribe link, an absolute URL. Null means that the message has no generated
   * link.
   */
  readonly unsubscribeUrl: string | null;
  readonly tracking: CopyTracking | null;
}

/** The links that one copy adds to a part. */
interface Changes {
  readonly tracking: CopyTracking | null;
  readonly fill: LinkFill | null;
  /** The message's placeholder for the recipient's link, which the survey of each part needs. */
  readonly mark: string | undefined;
  /** Links in the message's own List-Unsubscribe, which are not tracked. */
  readonly targets: readonly string[];
}

const ABOUT_UNSUBSCRIBING = /^list-unsubscribe(?:-post)?[ \t]*:/i;

/**
 * Adds the links. Returns `shared.raw` itself if nothing has to change. The recipient's unsubscribe
 * link replaces the placeholder `mark`.
 */
export async function withLinks(
  shared: SharedMessage,
  links: RawLinks,
  mark?: string,
): Promise<Uint8Array> {
  const { unsubscribeUrl: link, tracking } = links;
  const { raw } = shared;
  const fill = mark !== undefined && link !== null ? { mark, link } : null;
  const { edits, targets } = headerEdits(raw, link, fill);
  const parts = tracking || fill ? await shared.parts({ plain: fill !== null }) : [];
  const firstHtml = parts.find(({ isHtml }) => isHtml);
  for (const part of parts) {
    const opens = tracking !== null && tracking.opens && part === firstHtml;
    const text = await linkPart(part, {
      tracking: tracking && part.isHtml ? { ...tracking, opens } : null,
      fill,
      mark,
      targets,
    });
    if (text === part.text) continue;
    const { bodyStart: start, end, encoding } = part.leaf;
    edits.push({
      start,
      end,
      text: await runInSteps(encodeBody(part.octetsOf(text), encoding, end === raw.length)),
    });
    await yieldAfter(text.length);
  }
  return applyEdits(raw, edits);
}

/**
 * Returns the edits of the header. Removes the message's own unsubscribe headers if they are not
 * valid, and puts corrected or generated headers at the top.
 */
function headerEdits(
  raw: Uint8Array,
  url: string | null,
  fill: LinkFill | null,
): { edits: Edit[]; targets: readonly string[] } {
  const edits: Edit[] = [];
  const filled: Edit[] = [];
  const own: [name: string, value: string][] = [];
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const end = bytes.indexOf("\r\n\r\n");
  let at = 0;
  for (const field of toLatin1(raw.subarray(0, Math.max(end, 0))).split(/\r\n(?![ \t])/)) {
    const text = fill && fillField(field, fill);
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
  const text = right
    .map(([name, value]) => `${name}: ${foldHeader(name, customTokens(name, value))}\r\n`)
    .join("");
  const others = filled.filter(({ start }) => !edits.some((edit) => edit.start === start));
  return { edits: [{ start: 0, end: 0, text }, ...edits, ...others], targets };
}

/**
 * Returns the field with the link instead of the placeholder. Null means that the field has no
 * placeholder.
 */
function fillField(field: string, { mark, link }: LinkFill): string | null {
  const [name, value] = pairOf(field);
  const text = decodeWords(value).text;
  if (!text.includes(mark)) return null;
  const filled = text.replaceAll(mark, () => link);
  const isSubject = name.toLowerCase() === "subject";
  const tokens = isSubject ? subjectTokens(filled) : customTokens(name, filled);
  return `${name}: ${foldHeader(name, tokens)}`;
}

function pairOf(field: string): [name: string, value: string] {
  const colon = field.indexOf(":");
  const value = field.slice(colon + 1).replaceAll("\r\n", "");
  return [field.slice(0, colon).trim(), Buffer.from(value, "latin1").toString("utf8").trim()];
}

/** Returns a part's text with the links of one copy. */
async function linkPart(
  part: ReadablePart,
  { tracking, fill, mark, targets }: Changes,
): Promise<string> {
  const { text, isHtml } = part;
  const own =
    fill && text.includes(fill.mark)
      ? { mark: fill.mark, link: isHtml ? escapeHtml(fill.link) : fill.link }
      : null;
  const filled = (): string => (own ? text.replaceAll(own.mark, () => own.link) : text);
  if (!tracking || (!tracking.opens && !tracking.clicks)) return filled();
  const untracked = { targets, beyondAscii: !part.isUtf8 };
  const survey = await part.survey(mark);
  return survey.isFillable
    ? trackSurveyed(text, survey, own, tracking, untracked)
    : trackHtml(filled(), tracking, untracked);
}
