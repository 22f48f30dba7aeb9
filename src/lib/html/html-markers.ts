// Where the tags of the template language stand in a text (`{{name}}`, `{{#if x}}`), so that
// whoever reads HTML or Markdown around them can leave them alone, whatever characters they hold.
// Nothing is judged here: lib/template/ says which templates are right.

/**
 * `value` puts something in, `open`, `else` and `close` belong to a block, `comment` leaves no
 * trace.
 */
export type MarkerRole = "value" | "open" | "else" | "close" | "comment";

/** A longer tag is refused by the template compiler; braces that stand so far apart are no tag. */
const TAG_CHARACTERS = 2_048;

const DASHED_COMMENT = /\{\{~?!--/y;
const DASHED_COMMENT_END = /--~?\}\}/g;
const COMMENT = /^\{\{~?!/;
const OPENER = /^(?:\{\{\{\{(?!\/)|\{\{~?#|\{\{~?\^(?!\s*~?\}\}))/;
const CLOSER = /^(?:\{\{\{\{\/|\{\{~?\/)/;
const ELSE = /^\{\{~?(?:\^|\s*else)/;
const BLOCK_NAME = /^(\{\{(?:\{\{)?)~?[#^]?\*?>?\s*([^\s~(){}|]+)/;

/** Finds tags in one text. Ask in rising order of offsets, and all of it takes linear time. */
export class Markers {
  readonly #source: string;
  #nextEnd = -1;
  #nextCommentEnd = -1;

  constructor(source: string) {
    this.#source = source;
  }

  /** The offset behind the tag whose `{{` stands at `start`; undefined when it is never closed. */
  endAt(start: number): number | undefined {
    if (isEscaped(this.#source, start)) return this.#endOfEscaped(start);
    DASHED_COMMENT.lastIndex = start;
    if (DASHED_COMMENT.test(this.#source)) return this.#endOfDashedComment(start);
    const first = this.#firstEnd(start);
    if (first === undefined) return undefined;
    if (COMMENT.test(this.#source.slice(start, start + 4))) return first;
    if (first - start > TAG_CHARACTERS) return undefined;
    return behindBraces(this.#source, start, endOutsideStrings(this.#source, start) ?? first);
  }

  /** It is text, as far as the next braces at most. */
  #endOfEscaped(start: number): number | undefined {
    const end = this.#firstEnd(start);
    const next = this.#source.indexOf("{{", start + 2);
    return end !== undefined && next >= 0 && next < end ? next : end;
  }

  /** Behind the first `}}` from `start`, remembered for the next one who asks. */
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

/** What the tags of a text are to its blocks; escaped ones (`\{{`) are text. In order. */
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

/** The role of a tag that is not escaped. */
export function roleOf(marker: string): MarkerRole {
  if (OPENER.test(marker)) return "open";
  if (CLOSER.test(marker)) return "close";
  if (COMMENT.test(marker)) return "comment";
  return ELSE.test(marker) ? "else" : "value";
}

/** The block tags of a text that belong to blocks which it does not hold whole, in order. */
export function unbalanced(text: string): string[] {
  const left: { readonly marker: string; readonly role: MarkerRole }[] = [];
  let openAmongThem = 0;
  for (const { start, end, role } of markersOf(text)) {
    if (role === "close" && openAmongThem > 0) {
      while (left.pop()?.role !== "open") continue;
      openAmongThem -= 1;
    } else if (role === "open" || role === "close" || role === "else") {
      left.push({ marker: text.slice(start, end), role });
      if (role === "open") openAmongThem += 1;
    }
  }
  return left.map(({ marker }) => marker);
}

/** The tag that closes what `opener` opens. */
export function closerOf(opener: string): string {
  const [, braces = "{{", name = ""] = BLOCK_NAME.exec(opener) ?? [];
  return `${braces}/${name}${braces.replaceAll("{", "}")}`;
}

/** Whether one backslash stands before the braces; two are a backslash and a tag. */
export function isEscaped(text: string, start: number): boolean {
  return text[start - 1] === "\\" && text[start - 2] !== "\\";
}

/** Behind the first `}}` that stands in no string or segment literal of the tag. */
function endOutsideStrings(source: string, start: number): number | undefined {
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

/** Behind the third and fourth closing brace as well, where the tag began with as many. */
function behindBraces(source: string, start: number, end: number): number {
  let behind = end;
  for (const braces of ["{{{", "{{{{"])
    if (source.startsWith(braces, start) && source[behind] === "}") behind += 1;
  return behind;
}
