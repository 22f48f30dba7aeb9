// Limits a template's Markdown besides its bytes (docs/templates.md §Limits), so that a hostile one
// ends soon: the parser spends the most time on short lines and on marks that could begin
// something, up to a microsecond and more each. No letter comes near these limits.

/** As the characters that end them. */
const LINES = 10_000;
/** Characters that may open or close emphasis, code, links, images, entities and escapes. */
const MARKS = 20_000;

const LINE_END = /\r\n?|\n/g;
const MARK = /[*_`[\]<&\\]/g;

/** What is wrong with the source, going on from the field's name. */
export function markdownProblem(source: string): string | undefined {
  if (count(source, LINE_END) > LINES) return `has more than ${LINES} lines`;
  return count(source, MARK) > MARKS
    ? `has more than ${MARKS} of the characters *, _, \`, [, ], <, & and \\`
    : undefined;
}

function count(source: string, character: RegExp): number {
  return source.match(character)?.length ?? 0;
}
