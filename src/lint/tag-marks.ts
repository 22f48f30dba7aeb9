// Finds the position in the author's source for a position in rendered HTML. The check renders the
// HTML once more, and each tag first gets an attribute with its own offset. The attribute survives
// rendering, also in a loop. No mail that is sent contains the attribute. Pure.
import { type HtmlAttribute, tokenizeHtml } from "../lib/html/html-tokens.ts";
import type { CheckedHtml, MarkupPosition } from "./checked-mail.ts";
import type { MailPosition } from "./mail-problem.ts";

/** The attribute's name is a character of the private use area, which no author writes. */
const MARK = "\u{e0f8}";

/** Returns the template with a mark in each tag. */
export function markTags(source: string): string {
  let marked = "";
  let at = 0;
  for (const token of tokenizeHtml(source, { templated: true })) {
    if (token.kind !== "open") continue;
    const nameEnd = token.start + 1 + token.name.length;
    marked += `${source.slice(at, nameEnd)} ${MARK}=${token.start}.${token.end}`;
    at = nameEnd;
  }
  return marked + source.slice(at);
}

/** Tells whether an attribute is a mark. */
export function isMark({ name }: HtmlAttribute): boolean {
  return name === MARK;
}

/** Finds the positions of one mail's HTML in the source. */
export class SourcePositions {
  readonly #html: CheckedHtml;
  #lineStarts: readonly number[] | undefined;

  constructor(html: CheckedHtml) {
    this.#html = html;
  }

  find({ offset, words }: MarkupPosition): MailPosition {
    const { field, origin, source } = this.#html;
    const at =
      origin === "same"
        ? offset
        : origin === "marked"
          ? this.#markedOffset(offset)
          : offsetOfWords(words ?? "", source);
    return at === undefined || at < 0 ? { field, line: null, column: null } : this.#placeAt(at);
  }

  /**
   * Returns the offset of the last marked tag before the position. If the position is in the tag's
   * content, such as a style sheet, adds its distance to the tag, which is the same in the source.
   */
  #markedOffset(offset: number): number | undefined {
    const { markup, source } = this.#html;
    const tag = markup[offset] === "<" ? offset : markup.lastIndexOf("<", offset);
    const end = markup.indexOf(">", tag);
    const mark = markup.indexOf(` ${MARK}=`, tag);
    if (tag < 0 || mark < 0 || (end >= 0 && mark > end)) return undefined;
    const [start, sourceEnd] =
      markup
        .slice(mark + 3, end)
        .split(/[\s/]/, 1)[0]
        ?.split(".") ?? [];
    if (start === undefined || sourceEnd === undefined) return undefined;
    return offset > end && end >= 0
      ? Math.min(Number(sourceEnd) + offset - end - 1, source.length)
      : Number(start);
  }

  #placeAt(offset: number): MailPosition {
    const starts = (this.#lineStarts ??= lineStartsOf(this.#html.source));
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { field: this.#html.field, line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  }
}

/**
 * A URL in Markdown follows `](` or `<`. These places are searched first, because the same words
 * may also occur in the text.
 */
function offsetOfWords(words: string, source: string): number {
  if (words === "") return -1;
  for (const before of ["](", "<", ""]) {
    const at = source.indexOf(before + words);
    if (at >= 0) return at + before.length;
  }
  return -1;
}

/** Returns the offset of each line's first character. */
export function lineStartsOf(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
