// Keeps tags of the template language on lines of their own in Markdown between blocks, never in a
// paragraph, and between the rows of a table, so that a loop or a condition always covers whole
// blocks (docs/templates.md §Tags in Markdown).
import type { MarkdownIt, StateBlock, StateCore, Token } from "markdown-it";
import { type MarkerRole, roleOf } from "../../../lib/html/html-markers.ts";
import { standsBetweenBlocks, unshelter, words } from "./markdown-markers.ts";

export const BLOCK_TAG = "block_tag";

/** A block of the template language that goes on for longer stands around tables, not in one. */
const LINES_IN_TABLE = 100;

/** The blocks that are open between the rows of the table that is being read. */
interface OpenRows {
  line: number;
  depth: number;
}

export function blockTags(markdown: MarkdownIt): void {
  markdown.block.ruler.before("table", BLOCK_TAG, readBlockTag, {
    alt: ["paragraph", "reference", "blockquote", "list"],
  });
  markdown.core.ruler.after("block", "block_tags_in_tables", (state) => {
    state.tokens = liftFromRows(state);
  });
  markdown.renderer.rules[BLOCK_TAG] = (tokens, index) =>
    `${isRunOn(tokens[index - 1]) ? "\n" : ""}${tokens[index]?.content ?? ""}\n`;
}

function readBlockTag(
  state: StateBlock,
  startLine: number,
  endLine: number,
  silent: boolean,
): boolean {
  if (state.parentType === "table") return endsTable(state, startLine, endLine);
  const line = lineAt(state, startLine);
  if (!standsBetweenBlocks(line)) return false;
  if (silent) return true;
  for (const word of words(line)) state.push(BLOCK_TAG, "", 0).content = word;
  state.line = startLine + 1;
  return true;
}

/**
 * A tag whose block begins or ends outside the table ends it; the others become rows, which are
 * lifted out afterwards. Asked for each row, in order.
 */
function endsTable(state: StateBlock, line: number, endLine: number): boolean {
  const open = (state.env["openRows"] ??= { line: -1, depth: 0 }) as OpenRows;
  if (line !== open.line + 1) open.depth = 0;
  open.line = line;
  const depth = depthAfter(rolesAt(state, line), open.depth);
  if (depth === undefined) return true;
  if (open.depth === 0 && depth > 0 && !isClosedInTable(state, line, endLine, depth)) return true;
  open.depth = depth;
  return false;
}

function isClosedInTable(
  state: StateBlock,
  from: number,
  endLine: number,
  depthThere: number,
): boolean {
  let depth: number | undefined = depthThere;
  const others = state.md.block.ruler
    .getRules("blockquote")
    .filter((rule) => rule !== readBlockTag);
  for (let line = from + 1; line < Math.min(endLine, from + LINES_IN_TABLE); line += 1) {
    const indent = (state.sCount[line] ?? 0) - state.blkIndent;
    if (
      state.isEmpty(line) ||
      indent < 0 ||
      indent >= 4 ||
      others.some((rule) => rule(state, line, endLine, true))
    )
      return false;
    depth = depthAfter(rolesAt(state, line), depth);
    if (depth === undefined || depth === 0) return depth === 0;
  }
  return false;
}

/**
 * How many blocks are open behind tags of these roles; undefined when they belong to a block that
 * began before.
 */
function depthAfter(roles: readonly MarkerRole[], before: number): number | undefined {
  let depth = before;
  for (const role of roles) {
    if ((role === "close" || role === "else") && depth === 0) return undefined;
    if (role === "open") depth += 1;
    if (role === "close") depth -= 1;
  }
  return depth;
}

function rolesAt(state: StateBlock, line: number): MarkerRole[] {
  const text = lineAt(state, line);
  if (!standsBetweenBlocks(text)) return [];
  return words(text).map((word) =>
    roleOf(unshelter(word, state.env["markers"] as readonly string[])),
  );
}

function lineAt(state: StateBlock, line: number): string {
  return state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]);
}

/** Rows whose first cell holds tags and whose others are empty become the tags alone. */
function liftFromRows({ tokens, Token: TokenOf }: StateCore): Token[] {
  const kept: Token[] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (!token) break;
    const end = token.type === "tr_open" ? endOfTagRow(tokens, index) : undefined;
    if (end === undefined) {
      kept.push(token);
      continue;
    }
    for (const word of words(tokens[index + 2]?.content ?? "")) {
      const lifted = new TokenOf(BLOCK_TAG, "", 0);
      lifted.content = word;
      kept.push(lifted);
    }
    index = end;
  }
  return kept;
}

/** Where the row that begins at `start` ends, if there is nothing in it but tags. */
function endOfTagRow(tokens: readonly Token[], start: number): number | undefined {
  if (
    tokens[start + 1]?.type !== "td_open" ||
    !standsBetweenBlocks(tokens[start + 2]?.content ?? "")
  )
    return undefined;
  for (let index = start + 3; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (token?.type === "tr_close") return index;
    if (token?.type === "inline" && token.content !== "") return undefined;
  }
  return undefined;
}

/** Whether the token before left its line unfinished. */
function isRunOn(before: Token | undefined): boolean {
  return (
    before?.type === "list_item_open" ||
    (before?.hidden === true && before.type === "paragraph_close")
  );
}
