// Lays plain text out in lines (docs/templates.md §The plain text): white space collapsed, at most
// one blank line in a row, quotes and list items with their marks in front, cells of a row side by
// side. Lines are never wrapped. A line of nothing but block tags of the template language gets
// each tag on a line of its own, which rendering then takes away.

/** Where the layout stands, for textSince(). */
export interface Mark {
  readonly line: number;
  readonly piece: number;
}

/**
 * Deeper quotes and lists look like this deep, so that a prefix stays short however deep a document
 * nests.
 */
const NESTED_PREFIXES = 10;

/** Nothing to see: white space, joiners. */
const INVISIBLE = /^[\s\u200c\u200d]*$/;
/** Soft hyphens, zero-width spaces and joiners that only pad or break words; controls. */
const DROPPED = /(?:(?![\t\n\f\r])[\p{Cc}\u00ad\u200b\u2060\ufeff]|\u034f)+/gu;

interface Prefix {
  /** Of the next line that has text; null once it is used. */
  first: string | null;
  readonly rest: string;
}

export class TextLayout {
  /** Whether the text is a template: then nothing that is no tag may look like one. */
  readonly #templated: boolean;
  readonly #lines: string[] = [];
  /** The pieces of the line that is being written; nothing of it is in `#lines`. */
  #pieces: string[] = [];
  #tags: string[] = [];
  #hasText = false;
  #endsInSpace = false;
  #linePrefix = "";
  readonly #prefixes: (Prefix | undefined)[] = [];
  #prefixesInUse = 0;
  /**
   * Whether a blank line (1) is wanted before what comes next, or only a new one (0); undefined: it
   * goes on in the same line.
   */
  #break: 0 | 1 | undefined;
  /** What the line that is being written wants before itself. */
  #before: 0 | 1 = 0;
  /**
   * 1: a blank line stands in front of the block tags above, and the next text need not have one.
   * At the beginning there is nothing to keep away from.
   */
  #alreadyBlank: 0 | 1 = 1;
  #separator = "";
  #textLines = 0;
  /** The quotation marks in front of the last line of text. */
  #lastQuotes = "";

  constructor({ templated }: { readonly templated: boolean }) {
    this.#templated = templated;
  }

  /** Running text: white space collapses. */
  text(text: string): void {
    const visible = text.replace(DROPPED, "");
    if (INVISIBLE.test(visible)) {
      if (this.#break === undefined && this.#hasText && visible !== "") this.#space();
      return;
    }
    const collapsed = this.#asText(visible.replace(/[\t\n\f\r ]+/g, " ").replaceAll("\u00a0", " "));
    this.#beginText();
    this.#add(collapsed.startsWith(" ") && this.#endsInSpace ? collapsed.slice(1) : collapsed);
  }

  /** Text as it is, but for its line breaks, which become lines. */
  preformatted(text: string): void {
    const [first = "", ...rest] = text.replace(DROPPED, "").split(/\r\n?|\n/);
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
   * A tag of the template language that puts something in. `escapable`: a backslash in front of it
   * is its own.
   */
  value(marker: string, escapable = false): void {
    this.#beginText();
    this.#add(marker, escapable);
  }

  /** A tag of the template language that puts nothing in. */
  blockTag(marker: string, escapable = false): void {
    this.#begin();
    this.#tags.push(marker);
    const endedInSpace = this.#endsInSpace;
    this.#add(marker, escapable);
    this.#endsInSpace = endedInSpace;
  }

  /**
   * What comes next begins a line, `blankLines` further down. In a cell or item that has no text
   * yet, it begins already.
   */
  block(blankLines: 0 | 1): void {
    if (this.#separator !== "" || this.#isItemFresh()) return;
    this.#break = this.#break === 1 ? 1 : blankLines;
  }

  /** `<br>`. */
  lineBreak(): void {
    const atLineStart = this.#break !== undefined || !this.#hasText;
    this.#separator = "";
    this.#break = this.#break === 1 || atLineStart ? 1 : 0;
  }

  /**
   * A cell begins: it goes on in its row's line when the row, of which `row` is the beginning, has
   * only one so far.
   */
  cell(row: Mark): void {
    if (this.#hasText && this.#textLines === row.line) {
      this.#break = undefined;
      this.#separator = " | ";
    } else {
      this.block(0);
    }
  }

  /** What comes next can't stand beside another cell. */
  endRowLine(): void {
    if (this.#separator === "") return;
    this.#separator = "";
    this.#break = 0;
  }

  /** Lines begin with `rest` from here to popPrefix(), the first one with `first`. */
  pushPrefix(first: string, rest: string): void {
    this.#prefixes.push(this.#prefixesInUse < NESTED_PREFIXES ? { first, rest } : undefined);
    this.#prefixesInUse += this.#prefixes.at(-1) ? 1 : 0;
  }

  popPrefix(): void {
    if (this.#prefixes.pop()) this.#prefixesInUse -= 1;
  }

  /** Where the next text is going to stand. */
  mark(): Mark {
    const isBroken = this.#break !== undefined;
    return {
      line: this.#textLines + (isBroken && this.#hasText ? 1 : 0),
      piece: isBroken ? 0 : this.#pieces.length,
    };
  }

  /** What was written since, trimmed; undefined when it is more than one line. */
  textSince(mark: Mark): string | undefined {
    if (this.#textLines !== mark.line) return this.#textLines < mark.line ? "" : undefined;
    return this.#pieces.slice(mark.piece).join("").trim();
  }

  /** Puts text behind what was written last, even when that line is about to end. */
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

  /** Something goes into the line, or into the next one when a break is due. */
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

  /**
   * Pieces that stood apart must not make a tag of the template language, or change one, by
   * standing together.
   */
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

  /** Writes the line down. */
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

  /** Braces that an entity stood for are no tag in HTML, and none in its text. */
  #asText(text: string): string {
    return this.#templated
      ? text.replace(/(\\?)\{\{/g, (_, backslash: string) => (backslash ? "\\{ {" : "\\{{"))
      : text;
  }
}
