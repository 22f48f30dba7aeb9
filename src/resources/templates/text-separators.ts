// Decides what is written between two neighbours on a line of derived text (contract.md §Derived
// text). Links, images and inline blocks look separate on the screen even without a space between
// them, so the text needs a space. A separator stays only if there is text on both sides. Pure,
// linear.

/**
 * The degree to which a part of a line is set apart from its neighbours. `word`: not at all, as in
 * HTML. `link`: only from other links. `unit` (an image, an inline block, or a link with its
 * address): also from words.
 */
export type TextSeparation = "word" | "link" | "unit";

const CELL_SEPARATOR = " | ";
const SEPARATORS = "|¦·•∙⋅‧";

/**
 * ENDS matches the last character of a word or sentence; BEGINS matches the first one of the next.
 */
const ENDS = /^[\p{L}\p{N}\p{M}\p{Pe}\p{Pf}\p{Extended_Pictographic}.,;:!?…%]$/u;
const BEGINS = /^[\p{L}\p{N}\p{Ps}\p{Pi}\p{Sc}\p{Extended_Pictographic}#@&]/u;
const ENDS_LABEL = /[:：]$/;
/**
 * Matches a separator at the beginning of a line. A dot does not match, because it may be the
 * bullet of an item.
 */
const AT_LINE_START = /^\s*[|¦](?=\s|$)/;
const BEHIND_SEPARATOR = /^\s*[|¦·•∙⋅‧](?=\s|$)/;

/** A part of a line that is set apart. beginUnit() makes it for endUnit(). */
export interface LineUnit {
  readonly apart: TextSeparation;
  /**
   * The degree to which the next text was set apart before this part began. It applies again if the
   * part ends without text.
   */
  readonly outer: TextSeparation;
  readonly texts: number;
}

/** A template loop that has begun and not ended on the line. */
interface Loop {
  /** True if every iteration of the loop begins with a space. */
  readonly beginsWithSpace: boolean;
  /**
   * True if the space before the loop's first text was left out, because the first iteration begins
   * a line. Later iterations need that space, so every iteration then ends with a space.
   */
  hasLostSpace: boolean;
  readonly texts: number;
}

/** The last text of a line, and the units that ended or began after it. */
export class LineNeighbours {
  #lastText = "";
  #ended: TextSeparation = "word";
  #beginning: TextSeparation = "word";
  #texts = 0;
  readonly #loops: Loop[] = [];
  /**
   * True if a block tag follows the last text. When the template is rendered, another text may then
   * precede the next text.
   */
  #hasTagSince = false;

  /** Number of pieces of text that were entered so far, on this line and the lines before. */
  get texts(): number {
    return this.#texts;
  }

  startLine(): void {
    this.#hasTagSince = false;
    this.#lastText = "";
    this.#ended = "word";
  }

  beginText(): void {
    this.#texts += 1;
    this.#ended = "word";
    this.#beginning = "word";
  }

  wrote(text: string): void {
    if (text.trim() === "") return;
    this.#lastText = text;
    this.#hasTagSince = false;
  }

  wroteTag(): void {
    this.#hasTagSince = true;
  }

  beginUnit(apart: TextSeparation): LineUnit {
    const unit = { apart, outer: this.#beginning, texts: this.#texts };
    if (this.#beginning !== "unit") this.#beginning = apart;
    return unit;
  }

  /**
   * `apart` may be stronger than the one that beginUnit() got, because a link's address was
   * appended since.
   */
  endUnit({ outer, texts }: LineUnit, apart: TextSeparation): void {
    if (this.#texts === texts) this.#beginning = outer;
    else if (this.#ended !== "unit") this.#ended = apart;
  }

  beginLoop(isOnNewLine: boolean): void {
    this.#loops.push({
      beginsWithSpace: !isOnNewLine && this.#ended !== "word",
      hasLostSpace: false,
      texts: this.#texts,
    });
  }

  /** Notes that a space at the beginning of a line was left out. */
  loseSpace(): void {
    const loop = this.#loops.at(-1);
    if (loop?.texts === this.#texts) loop.hasLostSpace = true;
  }

  /**
   * Returns whether each iteration of the loop must end with a space to separate it from the next.
   */
  endLoop(): boolean {
    const loop = this.#loops.pop();
    if (!loop) return false;
    return loop.hasLostSpace || (this.#ended !== "word" && !loop.beginsWithSpace);
  }

  /** Returns whether to write a space between the last text and `next`, if neither has one there. */
  standsApart(next: string): boolean {
    if (this.#ended !== "word" && this.#beginning !== "word") return true;
    if (this.#ended !== "unit" && this.#beginning !== "unit") return false;
    return ENDS.test(lastCharacter(this.#lastText)) && BEGINS.test(next);
  }

  /** Removes a separator at the beginning of `text` if the line has no text before it. */
  withoutLoneSeparator(text: string, startsLine: boolean): string {
    if (startsLine) return text.replace(AT_LINE_START, "");
    if (this.#hasTagSince) return text;
    const isBehind = withoutLastSeparators(this.#lastText) !== this.#lastText.trimEnd();
    return isBehind ? text.replace(BEHIND_SEPARATOR, "") : text;
  }

  /**
   * Returns the text between two cells: a bar, or only a space after a label or beside a cell like
   * `|`.
   */
  cellSeparator(next: string): string {
    const [left, right] = [this.#lastText.trim(), next.trim()];
    return ENDS_LABEL.test(left) || isSeparator(left) || isSeparator(right) ? " " : CELL_SEPARATOR;
  }
}

/** Removes separators at a line's end, because nothing visible follows them. */
export function withoutLastSeparators(line: string): string {
  let end = line.length;
  while (end > 0 && isBlankOrLone(line, end)) end -= 1;
  return line.slice(0, end);
}

/** Returns whether the character before `end` is white space, or a separator after white space. */
function isBlankOrLone(line: string, end: number): boolean {
  const last = line.charAt(end - 1);
  if (last === " ") return true;
  return SEPARATORS.includes(last) && (end === 1 || line.charAt(end - 2) === " ");
}

function isSeparator(text: string): boolean {
  return text.length === 1 && (text === "/" || SEPARATORS.includes(text));
}

function lastCharacter(text: string): string {
  const last = text.slice(-1);
  return /[\udc00-\udfff]/.test(last) ? text.slice(-2) : last;
}
