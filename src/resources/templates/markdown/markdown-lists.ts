// Joins the lists that tags of the template language cut apart: items before, in and after a loop
// share a list, and a loop over a list's only items stands inside the list, so that a numbered one
// counts on (docs/templates.md §Tags in Markdown).
import type { MarkdownIt, Token } from "markdown-it";
import { roleOf } from "../../../lib/html/html-markers.ts";
import { BLOCK_TAG } from "./markdown-block-tags.ts";
import { unshelter } from "./markdown-markers.ts";

/** Blocks of the template language nest no deeper in a template that compiles. */
const DEPTH = 64;
const LOOP = /^\{\{~?#\s*each\b/;

/**
 * A stretch of the tokens, both ends included: a list, a block of the template language with what
 * its branches hold, or something else.
 */
interface Group {
  readonly kind: "list" | "loop" | "condition" | "other";
  readonly start: number;
  end: number;
  readonly branches: Group[][];
}

interface Edits {
  readonly removed: Set<number>;
  /** Token index → what is to stand in front of it. */
  readonly closing: Map<number, Token>;
  readonly opening: Map<number, Token>;
}

export function joinedLists(markdown: MarkdownIt): void {
  markdown.core.ruler.after("block_tags_in_tables", "joined_lists", (state) => {
    const { tokens, env } = state;
    if (!tokens.some(({ type }) => type === BLOCK_TAG)) return;
    const edits: Edits = { removed: new Set(), closing: new Map(), opening: new Map() };
    for (const siblings of siblingGroups(tokens, env["markers"] as readonly string[]))
      joinAmong(siblings, tokens, edits, 0);
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
 * What stands side by side: in each container of the document, and there in what no block of the
 * template language holds.
 */
function siblingGroups(tokens: readonly Token[], markers: readonly string[]): Group[][] {
  const complete: Group[][] = [];
  const open = [new Container()];
  for (const [index, token] of tokens.entries()) {
    const container = open.at(-1);
    if (token.type === BLOCK_TAG) {
      container?.addTag(index, unshelter(token.content, markers));
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
  /** Blocks of the template language, the innermost last. */
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
   * A block that the container does not see closed keeps what stands in front of it apart from what
   * it holds.
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

/** Joins each run of neighbours that make one list, and looks for such runs inside the others. */
function joinAmong(
  groups: readonly Group[],
  tokens: readonly Token[],
  edits: Edits,
  depth: number,
): void {
  if (depth > DEPTH) return;
  let run: Group[] = [];
  let runKind: string | undefined;
  const endRun = () => {
    const isOne =
      run.some(({ kind }) => kind === "loop") ||
      (run.length > 1 && run.some(({ kind }) => kind === "list"));
    if (isOne) join(run, tokens, edits);
    else
      for (const branch of run.flatMap(({ branches }) => branches))
        joinAmong(branch, tokens, edits, depth + 1);
    run = [];
  };
  for (const group of groups) {
    const kind = listKind(group, tokens, depth);
    if (kind !== runKind) endRun();
    runKind = kind;
    if (kind !== undefined) run.push(group);
    else for (const branch of group.branches) joinAmong(branch, tokens, edits, depth + 1);
  }
  endRun();
}

/** The one kind of list that a group consists of; undefined when there is anything else in it. */
function listKind(group: Group, tokens: readonly Token[], depth: number): string | undefined {
  if (group.kind === "list") return `${tokens[group.start]?.type} ${tokens[group.start]?.markup}`;
  if (group.kind === "other" || depth > DEPTH) return undefined;
  const kinds = new Set(group.branches.flat().map((inner) => listKind(inner, tokens, depth + 1)));
  return kinds.size === 1 ? [...kinds][0] : undefined;
}

function join(run: readonly Group[], tokens: readonly Token[], edits: Edits): void {
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
