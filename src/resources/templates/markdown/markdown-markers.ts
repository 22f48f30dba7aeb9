// Hides template tags from the Markdown parser (docs/markdown.md §Tags in Markdown). A placeholder
// replaces each tag until the HTML is complete. So the parser does not interpret quotes, bars,
// underscores and brackets in a tag, and a link's address may contain a tag. Pure.
import { Markers, roleOf } from "../../../lib/html/html-markers.ts";

/**
 * Noncharacters that mark placeholders. Unicode reserves them for internal use. replaceMarkers()
 * removes them from the source.
 */
const VALUE = "\ufdd0";
/**
 * Begins the placeholder of a tag that may be between Markdown blocks: a block tag such as
 * `{{#if}}`, a comment, or a tag with an HTML value.
 */
const BETWEEN_BLOCKS = "\ufdd1";
const END = "\ufdd2";
const RESERVED = /[\ufdd0-\ufdd2]/g;
const REPLACEMENT = "\ufffd";

const PLACEHOLDER = /[\ufdd0\ufdd1](\d+)\ufdd2/g;
const BETWEEN_BLOCKS_ONLY = /^(?:[\t ]*\ufdd1\d+\ufdd2)+[\t ]*$/;

export interface MarkedText {
  readonly text: string;
  readonly markers: readonly string[];
}

/** Replaces every tag by a placeholder. Backslashes before a tag are part of the tag. */
export function replaceMarkers(source: string): MarkedText {
  const clean = source.toWellFormed().replace(RESERVED, REPLACEMENT);
  const found = new Markers(clean);
  const markers: string[] = [];
  let text = "";
  let at = 0;
  for (let start = clean.indexOf("{{"); start >= 0;) {
    const end = found.endAt(start);
    if (end !== undefined) {
      const from = start - backslashesBefore(clean, start, at);
      const marker = clean.slice(from, end);
      text += `${clean.slice(at, from)}${mayBeBetweenBlocks(marker) ? BETWEEN_BLOCKS : VALUE}${markers.length}${END}`;
      markers.push(marker);
      at = end;
    }
    start = clean.indexOf("{{", end ?? start + 2);
  }
  return { text: text + clean.slice(at), markers };
}

/** Replaces each placeholder by its tag. */
export function restoreMarkers(text: string, markers: readonly string[]): string {
  return text.replace(PLACEHOLDER, (_, index: string) => markers[Number(index)] ?? "");
}

/** Returns whether a line consists only of tags that may be between blocks. */
export function isBetweenBlocks(line: string): boolean {
  return BETWEEN_BLOCKS_ONLY.test(line);
}

/** Returns the placeholders in a text, in order. */
export function placeholdersIn(text: string): string[] {
  return text.match(PLACEHOLDER) ?? [];
}

/** Applies `change` to the text between placeholders. */
export function changeBetween(text: string, change: (piece: string) => string): string {
  let changed = "";
  let at = 0;
  for (const { 0: placeholder, index } of text.matchAll(PLACEHOLDER)) {
    changed += change(text.slice(at, index)) + placeholder;
    at = index + placeholder.length;
  }
  return changed + change(text.slice(at));
}

export function hasMarker(text: string): boolean {
  return text.includes(END);
}

/** Returns whether the whole text is one placeholder. */
export function isOneMarker(text: string): boolean {
  return /^[\ufdd0\ufdd1]\d+\ufdd2$/.test(text);
}

function mayBeBetweenBlocks(marker: string): boolean {
  if (marker.startsWith("\\")) return false;
  return roleOf(marker) !== "value" || /^\{\{(?:\{|~?&|~?\{)/.test(marker);
}

function backslashesBefore(text: string, start: number, from: number): number {
  let count = 0;
  while (count < 2 && start - count > from && text[start - count - 1] === "\\") count += 1;
  return count;
}
