// Limits how deep Markdown blocks may nest. The parser has a limit too, but beyond it the parser
// silently drops the deeper content and everything after it. So the parser's limit is set so high
// that no block reaches it, and this file refuses templates over a lower limit. Pure.
import type { MarkdownIt } from "markdown-it";
import { BLOCK_TAG } from "./markdown-block-tags.ts";

/**
 * Maximum number of nested levels, counted as the parser counts them: a quote is one level, a list
 * with its item is two. The parser scans content once for each level that contains it.
 */
const LEVELS_RENDERED = 100;
/**
 * The limit on levels that the parser is given. Blocks never reach it, because a list opens only
 * two levels at a time, and the rule below stops beyond LEVELS_RENDERED. The parser also limits
 * nested brackets in text: brackets beyond the limit are plain characters.
 */
const NEVER_REACHED = LEVELS_RENDERED + 3;

export const NESTED_TOO_DEEP = `is nested deeper than ${LEVELS_RENDERED} levels (a quote is one, a list two)`;

/**
 * Sets `tooDeep` in the environment. Must be used after keepBlockTags(), so that this rule runs
 * before all others.
 */
export function limitNesting(markdown: MarkdownIt): void {
  markdown.set({ maxNesting: NEVER_REACHED });
  markdown.block.ruler.before(BLOCK_TAG, "nesting_limit", (state, _startLine, endLine, silent) => {
    if (silent || state.level <= LEVELS_RENDERED) return false;
    state.env["tooDeep"] = true;
    state.line = endLine;
    return true;
  });
}
