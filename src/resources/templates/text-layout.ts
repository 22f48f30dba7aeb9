// Lays plain text out in lines (docs/templates.md §The plain text): collapsed white space, at most
// one blank line in a row, prefixes for quotes and list items, and the cells of a row side by side.
// Lines are never wrapped. A line that consists only of template block tags is split into one line
// per tag, which rendering then removes. Pure.

/** Position in the layout, for textSince(). */
export interface LayoutPosition {
  readonly line: number;
  readonly piece: number;
}

/** Deeper quotes and lists look the same as this deep, so that prefixes stay short. */
const NESTED_PREFIXES = 10;

/** Text that is not visible: white space and joiners. */
const INVISIBLE = /^[\s\u200c\u200d]*$/;
/**
 * Characters that are removed: control characters, and soft hyphens, zero-width spaces and joiners
 * that only pad or break words.
 */
const REMOVED = /(?:(?![\t\n\f\r])[\p{Cc}\u00ad\u200b\u2060\ufeff]|\u034f)+/gu;

interface Prefix {
  /** Prefix of the next line with text. Null once it was used. */
  first: string | null;
  readonly rest: string;
}

export class TextLayout {
  /** The text is a template, so plain text must not look like a tag. */
  readonly #templated: boolean;
  readonly #lines: string[] = [];
  /** Pieces of the current line, which is not in `#lines` yet. */
  #pieces: string[] = [];
  #tags: string[] = [];
  #hasText = false;
  #endsInSpace = false;
  #linePrefix = "";
  readonly #prefixes: (Prefix | undefined)[] = [];
  #prefixesInUse = 0;
  /**
   * Break before the next content: 1 for a blank line, 0 for a new line, undefined to continue the
   * line.
   */
  #break: 0 | 1 | undefined;
  /** Blank line before the current line. */
  #before: 0 | 1 = 0;
  /**
   * 1 when a blank line already precedes the block tags above, so the next text needs none. No
   * blank line is needed at the beginning.
   */
  #alreadyBlank: 0 | 1 = 1;
  #separator = "";
  #textLines = 0;
  /** Quote marks before the last line of text. */
  #lastQuotes = "";

  constructor({ templated }: { readonly templated: boolean }) {
    this.#templated = templated;
  }

  /** Writes running text, with white space collapsed. */
  text(text: string): void {
    const visible = text.replace(REMOVED, "");
    if (INVISIBLE.test(visible)) {
      if (this.#break === undefined && this.#hasText && visible !== "") this.#space();
      return;
    }
    const collapsed = this.#asText(visible.replace(/[\t\n\f\r ]+/g, " ").replaceAll("\u00a0", " "));
    this.#beginText();
    this.#add(collapsed.startsWith(" ") && this.#endsInSpace ? collapsed.slice(1) : collapsed);
  }

  /** Writes text unchanged. Its line breaks become lines. */
  preformatted(text: string): void {
    const [first = "", ...rest] = text.replace(REMOVED, "").split(/\r\n?|\n/);
    const addLine = (line: string) => {
      if (line === "") return;
      this.#beginText();
      this.#add(this.#asText(line));
    };
    addLine(first);
    for (const line of rest) {
      this.#beginText();
      this.#flush();
      addLine(line);
    }
  }

  /**
   * Writes a template tag that inserts a value. `escapable` tells that a backslash before it
   * belongs to it.
   */
  value(marker: string, escapable = false): void {
    this.#beginText();
    this.#add(marker, escapable);
  }

  /** Writes a template tag that inserts nothing. */
  blockTag(marker: string, escapable = false): void {
    this.#begin();
    this.#tags.push(marker);
    const endedInSpace = this.#endsInSpace;
    this.#add(marker, escapable);
    this.#endsInSpace = endedInSpace;
  }

  /**
   * Starts a new line, after a blank line if `blankLines` is 1. In a cell or item without text, the
   * line is already new.
   */
  block(blankLines: 0 | 1): void {
    if (this.#separator !== "" || this.#isItemFresh()) return;
    this.#break = this.#break === 1 ? 1 : blankLines;
  }

  /** Handles `<br>`. */
  lineBreak(): void {
    const atLineStart = this.#break !== undefined || !this.#hasText;
    this.#separator = "";
    this.#break = this.#break === 1 || atLineStart ? 1 : 0;
  }

  /**
   * Begins a cell. It continues the line of its row (which began at `row`) while the row has only
   * one line.
   */
  cell(row: LayoutPosition): void {
    if (this.#hasText && this.#textLines === row.line) {
      this.#break = undefined;
      this.#separator = " | ";
    } else {
      this.block(0);
    }
  }

  /** Ends a row's line, because the next content cannot be beside another cell. */
  endRowLine(): void {
    if (this.#separator === "") return;
    this.#separator = "";
    this.#break = 0;
  }

  /** Prefixes lines until popPrefix(): the first with `first`, the following with `rest`. */
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
    };
  }

  /** Returns the trimmed text written since `mark`, or undefined when it spans lines. */
  textSince(position: LayoutPosition): string | undefined {
    if (this.#textLines !== position.line) return this.#textLines < position.line ? "" : undefined;
    return this.#pieces.slice(position.piece).join("").trim();
  }

  /** Appends text to the last written text, even if that line is about to end. */
  append(text: string): void {
    if (!this.#hasText) this.#beginText();
    this.#add(this.#endsInSpace ? text : ` ${text}`);
  }

  toString(): string {
    this.#flush();
    let [start, end] = [0, this.#lines.length];
    while (start < end && this.#lines[start] === "") start += 1;
    while (end > start && this.#lines[end - 1] === "") end -= 1;
    return this.#lines.slice(start, end).join("\n");
  }

  /** Begins content in the current line, or in a new one if a break is due. */
  #begin(): void {
    if (this.#break === undefined) return;
    const before = this.#break;
    this.#flush();
    this.#before = before;
  }

  #beginText(): void {
    this.#begin();
    if (!this.#hasText) {
      this.#hasText = true;
      this.#linePrefix = this.#nextPrefix();
      this.#endsInSpace = true;
    } else if (this.#separator !== "") {
      this.#add(this.#endsInSpace ? this.#separator.trimStart() : this.#separator);
    }
    this.#separator = "";
  }

  /** Adds a piece. In a template, two adjacent pieces must not form or change a tag. */
  #add(piece: string, escapable = false): void {
    const before = this.#templated ? this.#pieces.at(-1)?.at(-1) : undefined;
    if (before === "{" && piece.startsWith("{")) this.#pieces.push(" ");
    else if (before === "\\" && piece.startsWith("\\")) this.#pieces.push(" ");
    else if (before === "\\" && piece.startsWith("{{") && !escapable) this.#pieces.push("\\");
    this.#pieces.push(piece);
    this.#endsInSpace = piece.endsWith(" ");
  }

  #space(): void {
    if (this.#endsInSpace || this.#separator !== "") return;
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
    this.#separator = "";
    this.#break = undefined;
    this.#before = 0;
  }

  #flushText(): void {
    const quotes = /^(?:> )*/.exec(this.#linePrefix)?.[0] ?? "";
    const common = quotes.length < this.#lastQuotes.length ? quotes : this.#lastQuotes;
    if (this.#before > this.#alreadyBlank) this.#lines.push(common.trimEnd());
    this.#lines.push((this.#linePrefix + this.#pieces.join("")).trimEnd());
    this.#alreadyBlank = 0;
    this.#lastQuotes = quotes;
    this.#textLines += 1;
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
   * Separates braces that come from character references, which are not a tag in HTML and must not
   * become one in the text.
   */
  #asText(text: string): string {
    return this.#templated
      ? text.replace(/\\(\{{2,})|\{\{/g, (found, braces?: string) =>
          braces === undefined ? `\\${found}` : `\\${braces.split("").join(" ")}`,
        )
      : text;
  }
}
