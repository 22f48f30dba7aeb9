// Limits how deep Markdown blocks may nest. The parser silently drops content beyond its own limit
// and everything after it. So its limit is set out of reach, and a template beyond ours is refused.
// Pure.
import type { MarkdownIt } from "markdown-it";
import { BLOCK_TAG } from "./markdown-block-tags.ts";

/**
 * Counted like the parser does: a quote is one level, a list with its item two. Content of each
 * level is scanned once per level around it.
 */
const LEVELS_RENDERED = 100;
/** A list opens two levels at once. Deeper brackets inside brackets are plain characters. */
const NEVER_REACHED = LEVELS_RENDERED + 3;

export const NESTED_TOO_DEEP = `is nested deeper than ${LEVELS_RENDERED} levels (a quote is one, a list two)`;

/**
 * Sets `tooDeep` in the environment. It must be used after keepBlockTags(), so that it runs before
 * every other rule.
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
