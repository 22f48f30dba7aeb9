// Keeps the tags of the template language out of the Markdown parser's sight (docs/templates.md
// §Tags in Markdown): each stands in the source as one made-up word until the HTML is done, so that
// no quote, bar, underscore or bracket in it means anything, and a link's address may hold it.
import { Markers, roleOf } from "../../../lib/html/html-markers.ts";

/**
 * Characters that Unicode keeps for such inner use; they are in no text (another in the source is
 * replaced).
 */
const VALUE = "\ufdd0";
/**
 * A tag that may stand between blocks: of a block itself, a comment, or one whose value is HTML.
 */
const BETWEEN_BLOCKS = "\ufdd1";
const END = "\ufdd2";
const RESERVED = /[\ufdd0-\ufdd2]/g;
const REPLACEMENT = "\ufffd";

const WORD = /[\ufdd0\ufdd1](\d+)\ufdd2/g;
const BETWEEN_BLOCKS_ONLY = /^(?:[\t ]*\ufdd1\d+\ufdd2)+[\t ]*$/;

export interface Sheltered {
  readonly text: string;
  readonly markers: readonly string[];
}

/**
 * The source with a word for every tag; backslashes in front that make it text, or stand for
 * themselves, are part of it.
 */
export function shelter(source: string): Sheltered {
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
      text += `${clean.slice(at, from)}${mayStandBetweenBlocks(marker) ? BETWEEN_BLOCKS : VALUE}${markers.length}${END}`;
      markers.push(marker);
      at = end;
    }
    start = clean.indexOf("{{", end ?? start + 2);
  }
  return { text: text + clean.slice(at), markers };
}

/** Each word is the tag again. */
export function unshelter(text: string, markers: readonly string[]): string {
  return text.replace(WORD, (_, index: string) => markers[Number(index)] ?? "");
}

/** Whether a line is nothing but tags that may stand between blocks. */
export function standsBetweenBlocks(line: string): boolean {
  return BETWEEN_BLOCKS_ONLY.test(line);
}

/** The words that stand for tags, in order. */
export function words(text: string): string[] {
  return text.match(WORD) ?? [];
}

/** `text` cut into words that stand for tags, and what is between them, which `change` changes. */
export function changeAround(text: string, change: (piece: string) => string): string {
  let changed = "";
  let at = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    changed += change(text.slice(at, index)) + word;
    at = index + word.length;
  }
  return changed + change(text.slice(at));
}

export function holdsMarker(text: string): boolean {
  return text.includes(END);
}

/** Whether the whole text stands for one tag. */
export function isOneMarker(text: string): boolean {
  return /^[\ufdd0\ufdd1]\d+\ufdd2$/.test(text);
}

function mayStandBetweenBlocks(marker: string): boolean {
  if (marker.startsWith("\\")) return false;
  return roleOf(marker) !== "value" || /^\{\{(?:\{|~?&|~?\{)/.test(marker);
}

function backslashesBefore(text: string, start: number, from: number): number {
  let count = 0;
  while (count < 2 && start - count > from && text[start - count - 1] === "\\") count += 1;
  return count;
}
