// Parses lines that contain only template tags. Such tags stay between Markdown blocks or table
// rows, and do not become paragraphs. So a loop or condition always contains whole blocks
// (docs/markdown.md §Tags in Markdown). Pure.
import type { MarkdownIt, StateBlock, StateCore, Token } from "markdown-it";
import { type MarkerRole, roleOf } from "../../../lib/html/html-markers.ts";
import { isBetweenBlocks, restoreMarkers, placeholdersIn } from "./markdown-markers.ts";

export const BLOCK_TAG = "block_tag";

/** Maximum number of lines of a template block inside a table. A longer block ends the table. */
const LINES_IN_TABLE = 100;

/** The number of template blocks that are open between the rows of the current table. */
interface OpenRows {
  line: number;
  depth: number;
}

export function keepBlockTags(markdown: MarkdownIt): void {
  markdown.block.ruler.before("table", BLOCK_TAG, readBlockTag, {
    alt: ["paragraph", "reference", "blockquote", "list"],
  });
  markdown.core.ruler.after("block", "block_tags_in_tables", (state) => {
    state.tokens = liftFromRows(state);
  });
  markdown.renderer.rules[BLOCK_TAG] = (tokens, index) =>
    `${endsMidLine(tokens[index - 1]) ? "\n" : ""}${tokens[index]?.content ?? ""}\n`;
}

function readBlockTag(
  state: StateBlock,
  startLine: number,
  endLine: number,
  silent: boolean,
): boolean {
  if (state.parentType === "table") return endsTable(state, startLine, endLine);
  const line = lineAt(state, startLine);
  if (!isBetweenBlocks(line)) return false;
  if (silent) return true;
  for (const placeholder of placeholdersIn(line))
    state.push(BLOCK_TAG, "", 0).content = placeholder;
  state.line = startLine + 1;
  return true;
}

/**
 * Returns whether a row of template tags ends the table. It does if the tags' template block begins
 * or ends outside the table. All other rows of tags become table rows, and liftFromRows() replaces
 * them by the tags. Must be called for each row in order.
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
 * Returns the number of open template blocks after tags with these roles. `before` is the number
 * before the tags. Returns undefined if a tag continues or closes a block when no block is open.
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
  if (!isBetweenBlocks(text)) return [];
  return placeholdersIn(text).map((placeholder) =>
    roleOf(restoreMarkers(placeholder, state.env["markers"] as readonly string[])),
  );
}

function lineAt(state: StateBlock, line: number): string {
  return state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]);
}

/** Replaces a row by its tags if the first cell has only tags and all other cells are empty. */
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
    for (const placeholder of placeholdersIn(tokens[index + 2]?.content ?? "")) {
      const lifted = new TokenOf(BLOCK_TAG, "", 0);
      lifted.content = placeholder;
      kept.push(lifted);
    }
    index = end;
  }
  return kept;
}

/**
 * Returns the end of the row that begins at `start`, or undefined if the row does not contain only
 * tags.
 */
function endOfTagRow(tokens: readonly Token[], start: number): number | undefined {
  if (tokens[start + 1]?.type !== "td_open" || !isBetweenBlocks(tokens[start + 2]?.content ?? ""))
    return undefined;
  for (let index = start + 3; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (token?.type === "tr_close") return index;
    if (token?.type === "inline" && token.content !== "") return undefined;
  }
  return undefined;
}

/** Returns whether the line continues after the previous token. */
function endsMidLine(before: Token | undefined): boolean {
  return (
    before?.type === "list_item_open" ||
    (before?.hidden === true && before.type === "paragraph_close")
  );
}
