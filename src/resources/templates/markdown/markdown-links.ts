// Which addresses Markdown may link to and load images from, and how they are written: what a mail
// client can follow, and whatever begins with a tag of the template language. Anything else stays
// the text that it was.
import type { MarkdownIt } from "markdown-it";
import { changeAround, holdsMarker, isOneMarker } from "./markdown-markers.ts";

/** `cid:` names an attachment of the same message. */
const SCHEMES = new Set(["http", "https", "mailto", "tel", "cid"]);
/**
 * What stands before the colon of a scheme, or of something that a careless reader takes for one.
 */
const SCHEME = /^([^/?#:]*):/;
const UNSAFE = /%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9_\-.~:/?#[\]@!$&'()*+,;=%]/gu;

export function safeLinks(markdown: MarkdownIt): void {
  const normalizeWhole = markdown.normalizeLink.bind(markdown);
  markdown.validateLink = (url) => {
    const scheme = SCHEME.exec(url.trim())?.[1];
    return scheme === undefined || SCHEMES.has(scheme.toLowerCase()) || isOneMarker(scheme);
  };
  markdown.normalizeLink = (url) =>
    holdsMarker(url)
      ? changeAround(url, (piece) => piece.replace(UNSAFE, encodeURIComponent))
      : normalizeWhole(url);
}
