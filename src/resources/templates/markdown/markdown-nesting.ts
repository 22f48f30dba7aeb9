// How deep the blocks of Markdown may nest. The parser leaves out what stands deeper than its own
// limit, together with all that follows, without a word; so it gets a limit that it does not reach,
// and a template beyond ours is refused.
import type { MarkdownIt } from "markdown-it";
import { BLOCK_TAG } from "./markdown-block-tags.ts";

/**
 * As the parser counts: a quote is one level, a list with its item two. What stands in each level
 * is looked at once for each level around it.
 */
const LEVELS = 100;
/** A list opens two levels at once. Brackets in brackets that go deeper are characters. */
const NEVER_REACHED = LEVELS + 3;

export const NESTED_TOO_DEEP = `is nested deeper than ${LEVELS} levels (a quote is one, a list two)`;

/** Sets `tooDeep` in the environment. Used after blockTags(), it comes before every other rule. */
export function nestingLimit(markdown: MarkdownIt): void {
  markdown.set({ maxNesting: NEVER_REACHED });
  markdown.block.ruler.before(BLOCK_TAG, "nesting_limit", (state, _startLine, endLine, silent) => {
    if (silent || state.level <= LEVELS) return false;
    state.env["tooDeep"] = true;
    state.line = endLine;
    return true;
  });
}
