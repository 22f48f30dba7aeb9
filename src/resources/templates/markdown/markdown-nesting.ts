// Limits the nesting of Markdown blocks. Beyond the parser's own limit, the parser silently drops
// the deeper content and everything after it. So this file sets the parser's limit so high that no
// block reaches it, and refuses templates over a lower limit. Pure.
import type { MarkdownIt } from "markdown-it";
import { BLOCK_TAG } from "./markdown-block-tags.ts";

/**
 * Maximum number of nested levels. In the parser's count, a quote is one level, and a list with its
 * item is two levels. The number limits time, because the parser scans content once for each level
 * that contains it.
 */
const LEVELS_RENDERED = 100;
/**
 * The parser's own limit on levels. Blocks never reach it, because a list opens only two levels at
 * a time, and limitNesting() stops beyond LEVELS_RENDERED. The parser applies this limit to nested
 * brackets in text too: brackets beyond the limit are plain characters.
 */
const NEVER_REACHED = LEVELS_RENDERED + 3;

export const NESTED_TOO_DEEP = `is nested deeper than ${LEVELS_RENDERED} levels (a quote is one, a list two)`;

/**
 * Adds a rule that sets `tooDeep` in the environment. Must be called after keepBlockTags(), so that
 * this rule runs before all other rules.
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
