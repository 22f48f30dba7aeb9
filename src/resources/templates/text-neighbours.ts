// Decides what stands between two neighbours on a line of derived text (contract.md §Derived text):
// links, images and inline blocks are apart on the screen without a space between them, and a
// separator needs something on both sides. Pure, linear.

/**
 * The degree to which a part of a line stands apart: `word` is glued to its neighbours, as in HTML;
 * `link` only separates links from one another; `unit` is an image, an inline block or a link with
 * its address, and separates words too.
 */
export type Apartness = "word" | "link" | "unit";

const CELL_SEPARATOR = " | ";
const SEPARATORS = "|¦·•∙⋅‧";

/** The end of a word or sentence, and the beginning of another. */
const ENDS = /^[\p{L}\p{N}\p{M}\p{Pe}\p{Pf}\p{Extended_Pictographic}.,;:!?…%]$/u;
const BEGINS = /^[\p{L}\p{N}\p{Ps}\p{Pi}\p{Sc}\p{Extended_Pictographic}#@&]/u;
const ENDS_LABEL = /[:：]$/;
/** A separator before any word of its line. A dot may be an item's bullet, so it stays. */
const AT_LINE_START = /^\s*[|¦](?=\s|$)/;
const BEHIND_SEPARATOR = /^\s*[|¦·•∙⋅‧](?=\s|$)/;

/** A part of a line that stands apart, for endUnit(). */
export interface LineUnit {
  readonly apart: Apartness;
  /** The unit that began before it and has no text yet. */
  readonly outer: Apartness;
  readonly texts: number;
}

/** A loop that is open on the line. */
interface Loop {
  /** Every round begins with a space. */
  readonly beginsWithSpace: boolean;
  /** Every round would, but the first began its line. */
  hasLostSpace: boolean;
  readonly texts: number;
}

/** The last text of a line, and what ended and began behind it. */
export class LineNeighbours {
  #lastText = "";
  #ended: Apartness = "word";
  #beginning: Apartness = "word";
  #texts = 0;
  readonly #loops: Loop[] = [];
  /** A block tag stands behind the last text, so that the next may follow another. */
  #hasTagSince = false;

  /** Number of texts that were begun. */
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

  beginUnit(apart: Apartness): LineUnit {
    const unit = { apart, outer: this.#beginning, texts: this.#texts };
    if (this.#beginning !== "unit") this.#beginning = apart;
    return unit;
  }

  /** `apart` may be more than it began with: a link's address was appended. */
  endUnit({ outer, texts }: LineUnit, apart: Apartness): void {
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

  /** Notes that a space at the line's begin was left out. */
  loseSpace(): void {
    const loop = this.#loops.at(-1);
    if (loop?.texts === this.#texts) loop.hasLostSpace = true;
  }

  /** Tells whether a round of the loop must end with a space, so as not to be glued to the next. */
  endLoop(): boolean {
    const loop = this.#loops.pop();
    if (!loop) return false;
    return loop.hasLostSpace || (this.#ended !== "word" && !loop.beginsWithSpace);
  }

  /** Tells whether a space belongs between the last text and `next`. Neither has one there. */
  standsApart(next: string): boolean {
    if (this.#ended !== "word" && this.#beginning !== "word") return true;
    if (this.#ended !== "unit" && this.#beginning !== "unit") return false;
    return ENDS.test(lastCharacter(this.#lastText)) && BEGINS.test(next);
  }

  /** Removes a separator at the beginning of `text` that has nothing on its left. */
  withoutLoneSeparator(text: string, startsLine: boolean): string {
    if (startsLine) return text.replace(AT_LINE_START, "");
    if (this.#hasTagSince) return text;
    const isBehind = withoutLastSeparators(this.#lastText) !== this.#lastText.trimEnd();
    return isBehind ? text.replace(BEHIND_SEPARATOR, "") : text;
  }

  /** Returns what separates two cells: behind a label, and at a cell like `|`, only a space. */
  cellSeparator(next: string): string {
    const [left, right] = [this.#lastText.trim(), next.trim()];
    return ENDS_LABEL.test(left) || isSeparator(left) || isSeparator(right) ? " " : CELL_SEPARATOR;
  }
}

/** Removes separators at a line's end, whose right side was empty or hidden. */
export function withoutLastSeparators(line: string): string {
  let end = line.length;
  while (end > 0 && isBlankOrLone(line, end)) end -= 1;
  return line.slice(0, end);
}

/** Tells whether the last character before `end` is white space, or a separator behind some. */
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
