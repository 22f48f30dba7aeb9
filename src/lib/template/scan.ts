// Checks a template's limits (docs/templates.md §Limits) in one linear pass before the parser runs,
// because later code walks the parser's tree recursively. This file finds the same tags as the
// lexer, except in templates that the lexer refuses anyway. Pure.
import { backslashesBefore, endOfDelimited } from "./lexer.ts";
import { problemAt } from "./problem.ts";

const TAGS_PER_TEMPLATE = 10_000;
const TAG_CHARACTERS = 2_048;
const BLOCK_DEPTH = 64;
const ELSE_BRANCHES = 50;
/**
 * Limit for the depth of blocks and else branches together. Each else branch adds a level to the
 * tree, so without this limit every nested block could add ELSE_BRANCHES levels.
 */
const LEVELS = BLOCK_DEPTH + ELSE_BRANCHES;
const PARENTHESIS_DEPTH = 16;
/**
 * Limit on parsing, in tokens. A token costs more the deeper it is nested, because the parser
 * copies its stack at every reduction.
 */
const PARSER_WORK = 30_000;
const LEVELS_THAT_DOUBLE_A_TOKEN = 16;

const OPENER = /\{\{(?:\{\{|~?(?:#[>*]?|\/|\^|&|!|>|\{|\*|\s*else\b)?)/y;
const INVERSE = /\s*~?\}\}/y;
const DASHED_COMMENT_END = /--~?\}\}/g;
const RAW_BLOCK_END = /\{\{\{\{\/[^\s!"#%-,./;->@[-^`{-~]+\}\}\}\}/y;
const WHITE_SPACE = /\s/;
const NAME = /[^\s!"#%-,./;->@[-^`{-~]+|\s+/y;
/** Characters that begin all tokens in a tag, except names, strings and segments. */
const PUNCTUATION = "./=@|~()";

export interface ScannedTemplate {
  readonly tags: number;
  /** Cost of parsing, at most PARSER_WORK. */
  readonly work: number;
  /** Offset of the innermost block that is still open at the end of the source. */
  readonly unclosed: number | undefined;
}

/** Checks a template. Throws a TemplateProblem for the first fault. */
export function scanTemplate(source: string): ScannedTemplate {
  return new Scan(source).run();
}

class Scan {
  readonly #source: string;
  #tags = 0;
  #work = 0;
  #levels = 0;
  readonly #blocks: { readonly at: number; branches: number }[] = [];

  constructor(source: string) {
    this.#source = source;
  }

  run(): ScannedTemplate {
    let at = 0;
    for (let open = this.#source.indexOf("{{"); open >= 0; open = this.#source.indexOf("{{", at)) {
      this.#countTag(open);
      at =
        backslashesBefore(this.#source, open, at) === 1
          ? this.#endOfEscaped(open)
          : this.#endOfTag(open);
    }
    return { tags: this.#tags, work: this.#work, unclosed: this.#blocks.at(-1)?.at };
  }

  #countTag(open: number): void {
    this.#tags += 1;
    if (this.#tags > TAGS_PER_TEMPLATE)
      throw problemAt(this.#source, open, `there are more than ${TAGS_PER_TEMPLATE} tags`);
    this.#spend(open, 2);
  }

  #spend(at: number, tokens: number): void {
    this.#work += tokens * (1 + this.#levels / LEVELS_THAT_DOUBLE_A_TOKEN);
    if (this.#work > PARSER_WORK)
      throw problemAt(this.#source, at, "the tags are too many, too long or nested too deep");
  }

  /**
   * Returns the offset at which the text after an escaped tag ends: before the next braces and the
   * backslashes that belong to them.
   */
  #endOfEscaped(open: number): number {
    const next = this.#source.indexOf("{{", open + 2);
    return next < 0 ? this.#source.length : next - backslashesBefore(this.#source, next, open + 2);
  }

  #endOfTag(open: number): number {
    OPENER.lastIndex = open;
    const opener = OPENER.exec(this.#source)?.[0] ?? "{{";
    const body = open + opener.length;
    if (opener.endsWith("!")) return this.#endOfComment(open, body);
    if (opener === "{{{{") return this.#endOfRawBlock(open, this.#endOfBody(open, body));
    INVERSE.lastIndex = body;
    const isInverse = opener.endsWith("^") && INVERSE.test(this.#source);
    if (isInverse || opener.endsWith("else")) this.#countBranch(open);
    else if (opener.includes("#") || opener.endsWith("^")) this.#openBlock(open);
    else if (opener.endsWith("/")) this.#closeBlock();
    return this.#endOfBody(open, body);
  }

  #openBlock(at: number): void {
    this.#blocks.push({ at, branches: 0 });
    if (this.#blocks.length > BLOCK_DEPTH)
      throw problemAt(this.#source, at, `blocks are nested deeper than ${BLOCK_DEPTH} levels`);
    this.#countLevel(at);
  }

  #countBranch(at: number): void {
    const block = this.#blocks.at(-1);
    if (!block) return;
    block.branches += 1;
    if (block.branches > ELSE_BRANCHES)
      throw problemAt(this.#source, at, `a block has more than ${ELSE_BRANCHES} else branches`);
    this.#countLevel(at);
  }

  #countLevel(at: number): void {
    this.#levels += 1;
    if (this.#levels > LEVELS)
      throw problemAt(
        this.#source,
        at,
        `blocks and else branches are nested deeper than ${LEVELS} levels`,
      );
  }

  #closeBlock(): void {
    const block = this.#blocks.pop();
    if (block) this.#levels -= 1 + block.branches;
  }

  #endOfComment(open: number, body: number): number {
    let end: number;
    if (this.#source.startsWith("--", body)) {
      DASHED_COMMENT_END.lastIndex = body;
      end = (DASHED_COMMENT_END.exec(this.#source)?.index ?? -3) + 2;
    } else {
      end = this.#source.indexOf("}}", body);
    }
    if (end < 0) throw problemAt(this.#source, open, "the comment is never closed");
    return this.#source.indexOf("}}", end) + 2;
  }

  /**
   * Returns the offset after a tag's closing braces. Returns the end of the source if the parser
   * will stop inside the tag.
   */
  #endOfBody(open: number, body: number): number {
    const source = this.#source;
    let parentheses = 0;
    let at = body;
    while (at < source.length) {
      if (at - open > TAG_CHARACTERS)
        throw problemAt(source, open, `the tag is longer than ${TAG_CHARACTERS} characters`);
      const character = source.charAt(at);
      if (character === "}") return endOfClosing(source, at);
      if (!WHITE_SPACE.test(character)) this.#spend(at, 1);
      if (character === "(") parentheses += 1;
      else if (character === ")") parentheses -= 1;
      if (parentheses > PARENTHESIS_DEPTH)
        throw problemAt(
          source,
          at,
          `parentheses are nested deeper than ${PARENTHESIS_DEPTH} levels`,
        );
      const next = endOfToken(source, at, open + TAG_CHARACTERS);
      if (next === undefined) return source.length;
      at = next;
    }
    throw problemAt(source, open, "the tag is never closed");
  }

  /**
   * Returns the offset after `{{{{/name}}}}`. Nested raw blocks are text, but must be closed too.
   */
  #endOfRawBlock(open: number, body: number): number {
    if (!this.#source.startsWith("}}}}", body - 4)) return this.#source.length;
    let depth = 1;
    let at = body;
    while (depth > 0) {
      const next = this.#source.indexOf("{{{{", at);
      if (next < 0) throw problemAt(this.#source, open, "the raw block is never closed");
      this.#countTag(next);
      RAW_BLOCK_END.lastIndex = next;
      const end = RAW_BLOCK_END.exec(this.#source)?.[0];
      if (end !== undefined) {
        depth -= 1;
        at = next + end.length;
      } else if (this.#source[next + 4] === "/") {
        at = next + 1;
      } else {
        depth += 1;
        at = next + 4;
      }
    }
    return at;
  }
}

/** Returns the offset after the closing braces that begin at `at`. */
function endOfClosing(source: string, at: number): number {
  for (const closing of ["}}}}", "}}}", "}~}}", "}}"])
    if (source.startsWith(closing, at)) return at + closing.length;
  return source.length;
}

/**
 * Returns the offset after the token at `at`, or undefined when no token can begin there. The
 * search ends soon after `limit`.
 */
function endOfToken(source: string, at: number, limit: number): number | undefined {
  const character = source.charAt(at);
  if (character === '"' || character === "'") return endOfDelimited(source, at, character, limit);
  if (character === "[") return endOfDelimited(source, at, "]", limit);
  if (PUNCTUATION.includes(character)) return at + 1;
  NAME.lastIndex = at;
  return NAME.test(source) ? NAME.lastIndex : undefined;
}
