// Limits the lines and the special characters of a template's Markdown, in addition to its size
// (docs/templates.md §Limits). The parser spends most of its time on them, a microsecond or more
// for each. So these limits refuse hostile input early. Real templates are far below these limits.
// Pure.

/** Maximum number of line ends in a template's Markdown. */
const LINES_PER_SOURCE = 10_000;
/**
 * Maximum number of characters that can open or close emphasis, code, links, images, entities and
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
