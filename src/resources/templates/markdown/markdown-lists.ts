// Joins Markdown lists that template tags split. Items before, in and after a loop then share one
// list. A loop around all items of a list moves into the list, so that the numbering continues
// (docs/markdown.md §Tags in Markdown). Pure.
import type { MarkdownIt, Token } from "markdown-it";
import { roleOf } from "../../../lib/html/html-markers.ts";
import { BLOCK_TAG } from "./markdown-block-tags.ts";
import { restoreMarkers } from "./markdown-markers.ts";

/** Maximum nesting of template blocks in a template that compiles. */
const BLOCK_DEPTH = 64;
const LOOP = /^\{\{~?#\s*each\b/;

/** A range of tokens with both ends: a list, a template block with branches, or other content. */
interface Group {
  readonly kind: "list" | "loop" | "condition" | "other";
  readonly start: number;
  end: number;
  readonly branches: Group[][];
}

interface Edits {
  readonly removed: Set<number>;
  /** Tokens to insert, by the index of the token before which to insert them. */
  readonly closing: Map<number, Token>;
  readonly opening: Map<number, Token>;
}

export function joinLists(markdown: MarkdownIt): void {
  markdown.core.ruler.after("block_tags_in_tables", "joined_lists", (state) => {
    const { tokens, env } = state;
    if (!tokens.some(({ type }) => type === BLOCK_TAG)) return;
    const edits: Edits = { removed: new Set(), closing: new Map(), opening: new Map() };
    for (const siblings of groupSiblings(tokens, env["markers"] as readonly string[]))
      joinRuns(siblings, tokens, edits, 0);
    state.tokens = [...tokens, undefined].flatMap((token, index) =>
      [
        edits.closing.get(index),
        edits.opening.get(index),
        edits.removed.has(index) ? undefined : token,
      ].filter((kept) => kept !== undefined),
    );
  });
}

/**
 * Returns the groups of siblings. In a container of the document, all groups outside template
 * blocks are siblings. All groups inside one branch of a template block are siblings too.
 */
function groupSiblings(tokens: readonly Token[], markers: readonly string[]): Group[][] {
  const complete: Group[][] = [];
  const open = [new Container()];
  for (const [index, token] of tokens.entries()) {
    const container = open.at(-1);
    if (token.type === BLOCK_TAG) {
      container?.addTag(index, restoreMarkers(token.content, markers));
    } else if (token.nesting === 1) {
      container?.add(index, isListStart(token) ? "list" : "other");
      open.push(new Container());
    } else if (token.nesting === -1 && container) {
      complete.push(...container.siblings());
      open.pop();
      open.at(-1)?.finish(index);
    } else {
      container?.add(index, "other");
    }
  }
  return [...complete, ...open.flatMap((container) => container.siblings())];
}

class Container {
  readonly #siblings: Group[][] = [[]];
  /** Open template blocks, the innermost last. */
  readonly #blocks: Group[] = [];

  add(index: number, kind: Group["kind"]): Group {
    const group: Group = { kind, start: index, end: index, branches: [[]] };
    this.#current().push(group);
    return group;
  }

  finish(index: number): void {
    const last = this.#current().at(-1);
    if (last) last.end = index;
  }

  addTag(index: number, tag: string): void {
    const role = roleOf(tag);
    const block = this.#blocks.at(-1);
    if (role === "open") this.#blocks.push(this.add(index, LOOP.test(tag) ? "loop" : "condition"));
    else if (role === "close" && block) this.#close(block, index);
    else if (role === "else" && block) block.branches.push([]);
    else if (role !== "comment") this.add(index, "other");
  }

  /**
   * Returns the groups of siblings in this container. If a template block is not closed in the
   * container, the groups before the block and the groups inside it are not siblings.
   */
  siblings(): Group[][] {
    const unclosed = new Set(this.#blocks);
    const held = this.#blocks.flatMap(({ branches }) => branches);
    return [...this.#siblings, ...held].map((groups) =>
      groups.filter((group) => !unclosed.has(group)),
    );
  }

  #close(block: Group, index: number): void {
    block.end = index;
    this.#blocks.pop();
  }

  #current(): Group[] {
    const siblings = this.#blocks.at(-1)?.branches ?? this.#siblings;
    return siblings.at(-1) ?? [];
  }
}

/**
 * Joins adjacent groups that form one list. Also joins lists in the branches of every group that
 * does not become part of a joined list.
 */
function joinRuns(
  groups: readonly Group[],
  tokens: readonly Token[],
  edits: Edits,
  depth: number,
): void {
  if (depth > BLOCK_DEPTH) return;
  let run: Group[] = [];
  let runKind: string | undefined;
  const endRun = () => {
    const isJoined =
      run.some(({ kind }) => kind === "loop") ||
      (run.length > 1 && run.some(({ kind }) => kind === "list"));
    if (isJoined) joinRun(run, tokens, edits);
    else
      for (const branch of run.flatMap(({ branches }) => branches))
        joinRuns(branch, tokens, edits, depth + 1);
    run = [];
  };
  for (const group of groups) {
    const kind = listKind(group, tokens, depth);
    if (kind !== runKind) endRun();
    runKind = kind;
    if (kind !== undefined) run.push(group);
    else for (const branch of group.branches) joinRuns(branch, tokens, edits, depth + 1);
  }
  endRun();
}

/** Returns the kind of list, or undefined if the group does not consist of exactly one list. */
function listKind(group: Group, tokens: readonly Token[], depth: number): string | undefined {
  if (group.kind === "list") return `${tokens[group.start]?.type} ${tokens[group.start]?.markup}`;
  if (group.kind === "other" || depth > BLOCK_DEPTH) return undefined;
  const kinds = new Set(group.branches.flat().map((inner) => listKind(inner, tokens, depth + 1)));
  return kinds.size === 1 ? [...kinds][0] : undefined;
}

function joinRun(run: readonly Group[], tokens: readonly Token[], edits: Edits): void {
  const [first, last] = [run[0], run.at(-1)];
  const lists = run.flatMap(listsIn);
  const [open, close] = [tokens[lists[0]?.start ?? -1], tokens[lists[0]?.end ?? -1]];
  if (!first || !last || !open || !close) return;
  for (const list of lists) edits.removed.add(list.start).add(list.end);
  edits.opening.set(first.start, open);
  edits.closing.set(last.end + 1, close);
}

function listsIn(group: Group): Group[] {
  return group.kind === "list" ? [group] : group.branches.flat().flatMap(listsIn);
}

function isListStart({ type }: Token): boolean {
  return type === "bullet_list_open" || type === "ordered_list_open";
}
