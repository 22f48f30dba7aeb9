// Makes the `cid:` URLs in a send's HTML agree with the content ids of its attachments, so that
// each picture is shown (RFC 2392). sanitize.ts changes a content id that has characters which a
// URL must encode. This file changes the URLs of that content id in the same way. Pure, linear.
import { decodeHTMLAttribute } from "entities/decode";
import type { NameInWarning } from "../../../endpoint.ts";
import type { StoredAttachment } from "../../message.ts";
import { decodePercents, toContentId } from "../sanitize.ts";

interface Pictured {
  readonly html: string | null;
  readonly attachments: readonly StoredAttachment[];
}

interface Connected {
  readonly html: string | null;
  /** The `cid:` URLs without an attachment, and the content ids without a URL. */
  readonly unmatched: readonly NameInWarning[];
}

/** The text after `cid:` in the HTML, as it was written. */
interface Reference {
  readonly start: number;
  readonly end: number;
}

const CID = /cid:/gi;
const SPACE = /\s/;
/** Matches a quote at the end of the text before a URL. */
const OPENING_QUOTE = /(?:["']|&(?:quot|apos|#34|#39);)$/;
const LONGEST_QUOTE = "&quot;".length;
const UNQUOTED_END = /[\s>]/;
const REFERENCE_CHARACTERS = 4_000;
/** Maximum number of references that are read, because an attacker may write millions. */
const REFERENCES = 1_000;

/**
 * Makes the `cid:` URLs agree with the content ids. `place` is the entry of a batch, such as
 * `emails.3`, or empty for a single send.
 */
export function connectPictures({ html, attachments }: Pictured, place: string): Connected {
  const ids = attachments.map(({ contentId }) => contentId);
  const known = ids.filter((id) => id !== null);
  const used = new Set<string>();
  const missing = new Set<string>();
  let connected = "";
  let at = 0;
  for (const { start, end } of html === null ? [] : referencesIn(html)) {
    const written = decodeHTMLAttribute(html!.slice(start, end));
    const id = [written, decodePercents(written)]
      .map(toContentId)
      .find((one) => known.includes(one));
    if (id === undefined) missing.add(written);
    else used.add(id);
    if (id === undefined || decodePercents(written) === id) continue;
    connected += html!.slice(at, start) + id;
    at = end;
  }
  const path = (...names: string[]): string[] => (place === "" ? names : [place, ...names]);
  const unmatched = [
    ...Array.from(missing, (name) => ({ path: path("html", name), known })),
    ...ids.flatMap((id, index) =>
      id === null || used.has(id)
        ? []
        : [{ path: path("attachments", String(index), "content_id"), known: [] }],
    ),
  ];
  return { html: at === 0 ? html : connected + html!.slice(at), unmatched };
}

function* referencesIn(html: string): Generator<Reference> {
  let read = 0;
  for (const { index } of html.matchAll(CID)) {
    const reference = referenceAt(html, index);
    if (reference) yield reference;
    read += 1;
    if (read === REFERENCES) return;
  }
}

/**
 * Returns the reference at an index. Undefined means that the text there is not a URL in an
 * attribute or a style.
 */
function referenceAt(html: string, at: number): Reference | undefined {
  let before = at;
  while (before > 0 && SPACE.test(html.charAt(before - 1))) before -= 1;
  const start = at + "cid:".length;
  const opening = html.slice(Math.max(before - LONGEST_QUOTE, 0), before);
  const length = lengthOf(html.slice(start, start + REFERENCE_CHARACTERS), opening);
  return length > 0 ? { start, end: start + length } : undefined;
}

/**
 * Returns the length of the URL at the start of the text, or -1. `opening` is the text before it.
 */
function lengthOf(text: string, opening: string): number {
  const [quote] = OPENING_QUOTE.exec(opening) ?? [];
  if (quote !== undefined) return text.indexOf(quote);
  if (opening.endsWith("(")) return text.indexOf(")");
  return opening.endsWith("=") ? text.search(UNQUOTED_END) : -1;
}
