// Finds the tags of the template language in a text (`{{name}}`, `{{#if x}}`), so that readers of
// HTML or Markdown can skip them, whatever characters they contain. It does not validate them;
// lib/template/ decides which templates are valid. Pure.

/**
 * The role of a tag. `value` inserts a value. `open`, `else` and `close` belong to a block.
 * `comment` renders nothing.
 */
export type MarkerRole = "value" | "open" | "else" | "close" | "comment";

/**
 * Maximum length of a tag. Braces that are further apart are text. The template compiler refuses a
 * longer tag.
 */
const TAG_CHARACTERS = 2_048;

const DASHED_COMMENT = /\{\{~?!--/y;
const DASHED_COMMENT_END = /--~?\}\}/g;
const COMMENT = /^\{\{~?!/;
const OPENER = /^(?:\{\{\{\{(?!\/)|\{\{~?#|\{\{~?\^(?!\s*~?\}\}))/;
const CLOSER = /^(?:\{\{\{\{\/|\{\{~?\/)/;
const ELSE = /^\{\{~?(?:\^|\s*else)/;
const BLOCK_NAME = /^(\{\{(?:\{\{)?)~?[#^]?\*?>?\s*([^\s~(){}|]+)/;

/** Finds tags in one text, in linear time overall if the requested offsets increase. */
export class Markers {
  readonly #source: string;
  #nextEnd = -1;
  #nextCommentEnd = -1;

  constructor(source: string) {
    this.#source = source;
  }

  /**
   * Returns the offset after the tag whose `{{` is at `start`, or undefined when the tag is never
   * closed.
   */
  endAt(start: number): number | undefined {
    if (isEscaped(this.#source, start)) return this.#endOfEscaped(start);
    DASHED_COMMENT.lastIndex = start;
    if (DASHED_COMMENT.test(this.#source)) return this.#endOfDashedComment(start);
    const first = this.#firstEnd(start);
    if (first === undefined) return undefined;
    if (COMMENT.test(this.#source.slice(start, start + 4))) return first;
    if (first - start > TAG_CHARACTERS) return undefined;
    return skipExtraBraces(
      this.#source,
      start,
      findEndOutsideStrings(this.#source, start) ?? first,
    );
  }

  /**
   * Returns the end of an escaped tag. Such a tag is text and ends before the next opening braces.
   */
  #endOfEscaped(start: number): number | undefined {
    const end = this.#firstEnd(start);
    const next = this.#source.indexOf("{{", start + 2);
    return end !== undefined && next >= 0 && next < end ? next : end;
  }

  /** Returns the offset after the first `}}` from `start`, and caches it for the next call. */
  #firstEnd(start: number): number | undefined {
    if (this.#nextEnd < start + 4) {
      const close = this.#source.indexOf("}}", start + 2);
      this.#nextEnd = close < 0 ? Infinity : close + 2;
    }
    return this.#nextEnd === Infinity ? undefined : this.#nextEnd;
  }

  #endOfDashedComment(start: number): number | undefined {
    if (this.#nextCommentEnd < start + 5) {
      DASHED_COMMENT_END.lastIndex = start + 5;
      this.#nextCommentEnd = DASHED_COMMENT_END.test(this.#source)
        ? DASHED_COMMENT_END.lastIndex
        : Infinity;
    }
    return this.#nextCommentEnd === Infinity ? undefined : this.#nextCommentEnd;
  }
}

/**
 * Lists the tags of a text in order, with the role of each in a block. Escaped tags (`\{{`) are
 * text.
 */
export function markersOf(
  text: string,
): { readonly start: number; readonly end: number; readonly role: MarkerRole }[] {
  const markers = new Markers(text);
  const found = [];
  for (let start = text.indexOf("{{"); start >= 0;) {
    const end = markers.endAt(start);
    if (end !== undefined)
      found.push({
        start,
        end,
        role: isEscaped(text, start) ? ("value" as const) : roleOf(text.slice(start, end)),
      });
    start = text.indexOf("{{", end ?? start + 2);
  }
  return found;
}

/** Returns the role of an unescaped tag. */
export function roleOf(marker: string): MarkerRole {
  if (OPENER.test(marker)) return "open";
  if (CLOSER.test(marker)) return "close";
  if (COMMENT.test(marker)) return "comment";
  return ELSE.test(marker) ? "else" : "value";
}

/** Lists the tags of blocks that begin or end outside the text, in the order of the text. */
export function findUnbalanced(text: string): string[] {
  const remaining: { readonly marker: string; readonly role: MarkerRole }[] = [];
  let openCount = 0;
  for (const { start, end, role } of markersOf(text)) {
    if (role === "close" && openCount > 0) {
      while (remaining.pop()?.role !== "open") continue;
      openCount -= 1;
    } else if (role === "open" || role === "close" || role === "else") {
      remaining.push({ marker: text.slice(start, end), role });
      if (role === "open") openCount += 1;
    }
  }
  return remaining.map(({ marker }) => marker);
}

/** Returns the tag that closes the block that `opener` opens. */
export function closerOf(opener: string): string {
  const [, braces = "{{", name = ""] = BLOCK_NAME.exec(opener) ?? [];
  return `${braces}/${name}${braces.replaceAll("{", "}")}`;
}

/**
 * Tells whether exactly one backslash precedes the braces. Two backslashes are a literal backslash
 * before a tag.
 */
export function isEscaped(text: string, start: number): boolean {
  return text[start - 1] === "\\" && text[start - 2] !== "\\";
}

/** Returns the offset after the first `}}` outside the tag's strings and segment literals. */
function findEndOutsideStrings(source: string, start: number): number | undefined {
  const tag = source.slice(start, start + TAG_CHARACTERS);
  for (let at = 2; at < tag.length; at += 1) {
    const character = tag.charAt(at);
    if (character === "}" && tag[at + 1] === "}") return start + at + 2;
    if (character !== '"' && character !== "'" && character !== "[") continue;
    at = tag.indexOf(character === "[" ? "]" : character, at + 1);
    if (at < 0) return undefined;
  }
  return undefined;
}

/**
 * Moves past the third closing brace of a tag that begins with three braces, and past the third and
 * fourth of a tag that begins with four.
 */
function skipExtraBraces(source: string, start: number, end: number): number {
  let behind = end;
  for (const braces of ["{{{", "{{{{"])
    if (source.startsWith(braces, start) && source[behind] === "}") behind += 1;
  return behind;
}
