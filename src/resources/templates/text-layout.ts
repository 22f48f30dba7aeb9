// Arranges plain text in lines (docs/templates.md §The plain text). Collapses white space, writes
// at most one blank line in a row, prefixes lines of quotes and list items, and writes the cells of
// a row side by side. Never wraps lines. Splits a line of template block tags into one line per
// tag, because rendering removes a line with only one tag. Pure.

import {
  type TextSeparation,
  LineNeighbours,
  type LineUnit,
  withoutLastSeparators,
} from "./text-separators.ts";

/** A position in the layout, for textSince(). */
export interface LayoutPosition {
  readonly line: number;
  readonly piece: number;
  /** Number of lines that ended before the position, including blank lines. */
  readonly ended: number;
  /** Number of texts that were written before the position. */
  readonly texts: number;
}

/** Maximum depth of quotes and lists that prefixes show, so that prefixes stay short. */
const NESTED_PREFIXES = 10;

/** Matches invisible text: white space and joiners. */
const INVISIBLE = /^[\s\u200c\u200d]*$/;
/**
 * Characters to remove: control characters, and soft hyphens, zero-width spaces and joiners, which
 * only fill or break words.
 */
const REMOVED = /(?:(?![\t\n\f\r])[\p{Cc}\u00ad\u200b\u2060\ufeff]|\u034f)+/gu;

interface Prefix {
  /** Prefix of the next line with text. Null: an earlier line has already used it. */
  first: string | null;
  readonly rest: string;
}

export class TextLayout {
  /** True if the text is a template. Plain text in it must then not look like a tag. */
  readonly #templated: boolean;
  readonly #lines: string[] = [];
  /** Pieces of the current line. `#lines` has only finished lines. */
  #pieces: string[] = [];
  #tags: string[] = [];
  #hasText = false;
  #endsInSpace = false;
  #linePrefix = "";
  readonly #prefixes: (Prefix | undefined)[] = [];
  #prefixesInUse = 0;
  /** The break before the next content. 1: a blank line. 0: a new line. Undefined: no break. */
  #break: 0 | 1 | undefined;
  /** Number of blank lines, 0 or 1, right before the current line. */
  #before: 0 | 1 = 0;
  /**
   * 1: the last block tags follow a blank line, so the next text needs no blank line. The beginning
   * of the text counts as a blank line.
   */
  #alreadyBlank: 0 | 1 = 1;
  /** True if a cell began beside another cell and has no text yet. */
  #inNewCell = false;
  /** Index of the piece that separates the last cell from the previous cell. */
  #separatorAt = -1;
  #textLines = 0;
  #endedLines = 0;
  readonly #neighbours = new LineNeighbours();
  #isPreformatted = false;
  /** The quote marks (`>`) of the last line with text, one for each quote around the line. */
  #lastQuotes = "";

  constructor({ templated }: { readonly templated: boolean }) {
    this.#templated = templated;
  }

  /** Writes running text, with white space collapsed. */
  text(text: string): void {
    const collapsed = text
      .replace(REMOVED, "")
      .replace(/[\t\n\f\r ]+/g, " ")
      .replaceAll("\u00a0", " ");
    const isFresh = !this.#hasText && this.#tags.length === 0;
    const startsLine = this.#break !== undefined || isFresh;
    if (this.#break === undefined && !this.#hasText && collapsed.startsWith(" "))
      this.#neighbours.loseSpace();
    const visible = this.#neighbours.withoutLoneSeparator(collapsed, startsLine);
    if (INVISIBLE.test(visible)) {
      if (this.#break === undefined && this.#hasText && visible !== "") this.#space();
      return;
    }
    this.#beginText(visible);
    const written = this.#asText(visible);
    this.#add(written.startsWith(" ") && this.#endsInSpace ? written.slice(1) : written);
  }

  /** Writes text with its white space and line breaks. */
  preformatted(text: string): void {
    const [first = "", ...rest] = text.replace(REMOVED, "").split(/\r\n?|\n/);
    const addLine = (line: string) => {
      if (line === "") return;
      this.#beginText(line);
      this.#isPreformatted = true;
      this.#add(this.#asText(line));
    };
    addLine(first);
    for (const line of rest) {
      this.#beginText("");
      this.#flush();
      addLine(line);
    }
  }

  /**
   * Writes a template tag that inserts a value. `escapable`: a backslash right before the tag
   * belongs to the tag.
   */
  value(marker: string, escapable = false): void {
    this.#beginText(marker);
    this.#add(marker, escapable);
  }

  /** Writes a template tag that inserts nothing. */
  blockTag(marker: string, escapable = false): void {
    this.#begin();
    this.#tags.push(marker);
    const endedInSpace = this.#endsInSpace;
    this.#push(marker, escapable);
    this.#neighbours.wroteTag();
    this.#endsInSpace = endedInSpace;
  }

  /** Begins an element that needs spaces between it and its neighbours on the line. */
  beginUnit(apart: TextSeparation): LineUnit {
    return this.#neighbours.beginUnit(apart);
  }

  endUnit(unit: LineUnit, apart: TextSeparation): void {
    this.#neighbours.endUnit(unit, apart);
  }

  beginLoop(): void {
    this.#neighbours.beginLoop(this.#break !== undefined);
  }

  endLoop(): void {
    if (this.#neighbours.endLoop() && this.#break === undefined) this.#space();
  }

  /**
   * Starts a new line, after a blank line if `blankLines` is 1. In a cell or item without text, the
   * line is already new.
   */
  block(blankLines: 0 | 1): void {
    if (this.#inNewCell || this.#isItemFresh()) return;
    this.#break = this.#break === 1 ? 1 : blankLines;
  }

  /** Handles `<br>`. */
  lineBreak(): void {
    const atLineStart = this.#break !== undefined || !this.#hasText;
    this.#inNewCell = false;
    this.#break = this.#break === 1 || atLineStart ? 1 : 0;
  }

  /**
   * Begins a cell. `row` is the position at which the cell's row began. The cell continues the
   * row's line if the row has only one line.
   */
  cell(row: LayoutPosition): void {
    if (this.#hasText && this.#textLines === row.line) {
      this.#break = undefined;
      this.#inNewCell = true;
    } else {
      this.block(0);
    }
  }

  /** Ends a row's line, because the next content cannot be beside another cell. */
  endRowLine(): void {
    if (!this.#inNewCell) return;
    this.#inNewCell = false;
    this.#break = 0;
  }

  /** Prefixes the first line with `first` and the next lines with `rest`, until popPrefix(). */
  pushPrefix(first: string, rest: string): void {
    this.#prefixes.push(this.#prefixesInUse < NESTED_PREFIXES ? { first, rest } : undefined);
    this.#prefixesInUse += this.#prefixes.at(-1) ? 1 : 0;
  }

  popPrefix(): void {
    if (this.#prefixes.pop()) this.#prefixesInUse -= 1;
  }

  /** Returns the position of the next text. */
  position(): LayoutPosition {
    const isBroken = this.#break !== undefined;
    return {
      line: this.#textLines + (isBroken && this.#hasText ? 1 : 0),
      piece: isBroken ? 0 : this.#pieces.length,
      ended: this.#endedLines,
      texts: this.#neighbours.texts,
    };
  }

  /** Returns the trimmed text since the position, or undefined if it is longer than a line. */
  textSince({ line, piece, ended, texts }: LayoutPosition): string | undefined {
    if (this.#neighbours.texts === texts) return "";
    if (this.#textLines !== line) return undefined;
    const start = this.#endedLines === ended ? piece : 0;
    const separators = this.#separatorAt === start ? 1 : 0;
    return this.#pieces
      .slice(start + separators)
      .join("")
      .trim();
  }

  /** Appends text to the last text, before a pending break. */
  append(text: string): void {
    if (!this.#hasText) this.#beginText(text);
    this.#add(this.#endsInSpace ? text : ` ${text}`);
  }

  toString(): string {
    this.#flush();
    let [start, end] = [0, this.#lines.length];
    while (start < end && this.#lines[start] === "") start += 1;
    while (end > start && this.#lines[end - 1] === "") end -= 1;
    return this.#lines.slice(start, end).join("\n");
  }

  /** Begins content in the current line, or in a new line if a break is pending. */
  #begin(): void {
    if (this.#break === undefined) return;
    const before = this.#break;
    this.#flush();
    this.#before = before;
  }

  /** Begins a text on the line. `next` contains at least the beginning of the text. */
  #beginText(next: string): void {
    this.#begin();
    if (!this.#hasText) {
      this.#hasText = true;
      this.#linePrefix = this.#nextPrefix();
      this.#endsInSpace = true;
    } else this.#separate(next);
    this.#neighbours.beginText();
    this.#inNewCell = false;
  }

  /** Writes the separator between the line's last text and `next`. */
  #separate(next: string): void {
    if (this.#inNewCell) {
      const separator = this.#neighbours.cellSeparator(next);
      this.#separatorAt = this.#pieces.length;
      this.#add(this.#endsInSpace ? separator.trimStart() : separator);
    } else if (!this.#endsInSpace && !/^\s/.test(next) && this.#neighbours.standsApart(next))
      this.#add(" ");
  }

  #add(piece: string, escapable = false): void {
    this.#push(piece, escapable);
    this.#neighbours.wrote(piece);
  }

  /** Adds a piece. In a template, adjacent pieces must not form or change a tag together. */
  #push(piece: string, escapable: boolean): void {
    const before = this.#templated ? this.#pieces.at(-1)?.at(-1) : undefined;
    if (before === "{" && piece.startsWith("{")) this.#pieces.push(" ");
    else if (before === "\\" && piece.startsWith("\\")) this.#pieces.push(" ");
    else if (before === "\\" && piece.startsWith("{{") && !escapable) this.#pieces.push("\\");
    this.#pieces.push(piece);
    this.#endsInSpace = piece.endsWith(" ");
  }

  #space(): void {
    if (this.#endsInSpace || this.#inNewCell) return;
    this.#add(" ");
  }

  /** Ends the current line and stores it. */
  #flush(): void {
    if (this.#hasText) this.#flushText();
    else if (this.#tags.length > 0) this.#flushTags();
    this.#pieces = [];
    this.#tags = [];
    this.#hasText = false;
    this.#endsInSpace = false;
    this.#inNewCell = false;
    this.#separatorAt = -1;
    this.#isPreformatted = false;
    this.#neighbours.startLine();
    this.#endedLines += 1;
    this.#break = undefined;
    this.#before = 0;
  }

  #flushText(): void {
    this.#textLines += 1;
    const written = this.#pieces.join("");
    const text = this.#isPreformatted ? written : withoutLastSeparators(written);
    if (text === "" && written !== "") return;
    const quotes = /^(?:> )*/.exec(this.#linePrefix)?.[0] ?? "";
    const common = quotes.length < this.#lastQuotes.length ? quotes : this.#lastQuotes;
    if (this.#before > this.#alreadyBlank) this.#lines.push(common.trimEnd());
    this.#lines.push((this.#linePrefix + text).trimEnd());
    this.#alreadyBlank = 0;
    this.#lastQuotes = quotes;
  }

  #flushTags(): void {
    if (this.#before > this.#alreadyBlank) this.#lines.push("");
    if (this.#before === 1) this.#alreadyBlank = 1;
    this.#lastQuotes = "";
    for (const tag of this.#tags) this.#lines.push(tag);
  }

  #nextPrefix(): string {
    let text = "";
    for (const prefix of this.#prefixes.slice(0, NESTED_PREFIXES)) {
      if (!prefix) break;
      text += prefix.first ?? prefix.rest;
      prefix.first = null;
    }
    return text;
  }

  #isItemFresh(): boolean {
    const first = this.#prefixes.at(-1)?.first;
    return typeof first === "string" && this.#break !== undefined;
  }

  /**
   * Separates braces that come from character references. They are not a tag in the HTML, and must
   * not become a tag in the text.
   */
  #asText(text: string): string {
    return this.#templated
      ? text.replace(/\\(\{{2,})|\{\{/g, (found, braces?: string) =>
          braces === undefined ? `\\${found}` : `\\${braces.split("").join(" ")}`,
        )
      : text;
  }
}
