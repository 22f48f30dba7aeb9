// Decides which addresses the links and images of Markdown may have: addresses with a scheme that
// mail programs can open, and addresses that begin with a template tag. Any other link stays plain
// text. Also normalizes the spelling of addresses. Pure.
import type { MarkdownIt } from "markdown-it";
import { changeBetween, hasMarker, isOneMarker } from "./markdown-markers.ts";

/** `cid:` names an attachment of the same message. */
const SCHEMES = new Set(["http", "https", "mailto", "tel", "cid"]);
/** Matches the text before a colon, which mail programs may treat as a scheme. */
const SCHEME = /^([^/?#:]*):/;
const UNSAFE = /%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9_\-.~:/?#[\]@!$&'()*+,;=%]/gu;

export function restrictLinks(markdown: MarkdownIt): void {
  const normalizeWhole = markdown.normalizeLink.bind(markdown);
  markdown.validateLink = (url) => {
    const scheme = SCHEME.exec(url.trim())?.[1];
    return scheme === undefined || SCHEMES.has(scheme.toLowerCase()) || isOneMarker(scheme);
  };
  markdown.normalizeLink = (url) =>
    hasMarker(url)
      ? changeBetween(url, (piece) => piece.replace(UNSAFE, encodeURIComponent))
      : normalizeWhole(url);
}
