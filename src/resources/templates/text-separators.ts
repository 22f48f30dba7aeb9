// Decides which separator to write between two neighbours on a line of derived text (contract.md
// §Derived text). Links, images and inline blocks look separate on the screen even without a space
// between them, so the text needs a space. Keeps a separator of the HTML only if it has text on
// both sides. Pure, linear.

/**
 * The neighbours from which a space must separate a part of a line. `word`: from no neighbour.
 * `link`: from other links. `unit` (an image, an inline block, or a link with its address): from
 * links and words.
 */
export type TextSeparation = "word" | "link" | "unit";

const CELL_SEPARATOR = " | ";
const SEPARATORS = "|¦·•∙⋅‧";

/**
 * ENDS matches the last character of a word or sentence. BEGINS matches the first character of the
 * next word or sentence.
 */
const ENDS = /^[\p{L}\p{N}\p{M}\p{Pe}\p{Pf}\p{Extended_Pictographic}.,;:!?…%]$/u;
const BEGINS = /^[\p{L}\p{N}\p{Ps}\p{Pi}\p{Sc}\p{Extended_Pictographic}#@&]/u;
const ENDS_LABEL = /[:：]$/;
/**
 * Matches a separator at the beginning of a line. Does not match a dot, because it may be the
 * bullet of a list item.
 */
const AT_LINE_START = /^\s*[|¦](?=\s|$)/;
const BEHIND_SEPARATOR = /^\s*[|¦·•∙⋅‧](?=\s|$)/;

/** A part of a line that needs spaces around it. beginUnit() makes it for endUnit(). */
export interface LineUnit {
  readonly apart: TextSeparation;
  /**
   * The separation that the next text had before this part began. If the part ends without text,
   * this separation applies again.
   */
  readonly outer: TextSeparation;
  readonly texts: number;
}

/** A template loop that has not ended yet. */
interface Loop {
  /** True if every iteration of the loop begins with a space. */
  readonly beginsWithSpace: boolean;
  /**
   * True: the space before the loop's first text was omitted, because the first iteration begins a
   * line. The next iterations need this space, so each iteration must end with a space.
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
   * True: a block tag follows the last text. Then the rendered template may have another text
   * before the next text.
   */
  #hasTagSince = false;

  /** Number of texts that have begun, on this line and on all previous lines. */
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
   * Ends a unit. `apart` may be stronger than in beginUnit(), because a link with its address is a
   * `unit`.
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

  /** Records that a space at the beginning of a line was omitted. */
  loseSpace(): void {
    const loop = this.#loops.at(-1);
    if (loop?.texts === this.#texts) loop.hasLostSpace = true;
  }

  /** Ends a loop. Returns whether each iteration must end with a space before the next one. */
  endLoop(): boolean {
    const loop = this.#loops.pop();
    if (!loop) return false;
    return loop.hasLostSpace || (this.#ended !== "word" && !loop.beginsWithSpace);
  }

  /** Returns whether the last text and `next` need a space, if they do not already have one. */
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
   * Returns the text between two cells: a bar, or a space after a label or beside a cell such as
   * `|`.
   */
  cellSeparator(next: string): string {
    const [left, right] = [this.#lastText.trim(), next.trim()];
    return ENDS_LABEL.test(left) || isSeparator(left) || isSeparator(right) ? " " : CELL_SEPARATOR;
  }
}

/** Removes separators at the end of a line, because no visible text follows them. */
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
