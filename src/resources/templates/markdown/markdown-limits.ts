// Limits a template's Markdown in more ways than by its size (docs/templates.md §Limits), so that
// hostile input is refused early. The parser spends most time on short lines and on characters that
// could begin something, a microsecond or more each. No real template comes near these limits.
// Pure.

/** Maximum number of line ends in a template's Markdown. */
const LINES_PER_SOURCE = 10_000;
/**
 * Maximum number of characters that may open or close emphasis, code, links, images, entities and
 * escapes.
 */
const SPECIALS_PER_SOURCE = 20_000;

const LINE_END = /\r\n?|\n/g;
const SPECIAL = /[*_`[\]<&\\]/g;

/**
 * Returns the problem with the source as a phrase that continues the field's name, or undefined.
 */
export function checkMarkdown(source: string): string | undefined {
  if (count(source, LINE_END) > LINES_PER_SOURCE) return `has more than ${LINES_PER_SOURCE} lines`;
  return count(source, SPECIAL) > SPECIALS_PER_SOURCE
    ? `has more than ${SPECIALS_PER_SOURCE} of the characters *, _, \`, [, ], <, & and \\`
    : undefined;
}

function count(source: string, character: RegExp): number {
  return source.match(character)?.length ?? 0;
}
