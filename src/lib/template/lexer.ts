// Splits a template into the tokens of Handlebars' grammar, exactly like Handlebars' generated
// lexer. The generated lexer tries up to 38 regular expressions per token and copies the rest of
// the source each time. That takes longer than all other parsing. This lexer looks at the next
// character first. Pure.
import { type ParserLocation, parser } from "handlebars/dist/cjs/handlebars/compiler/base.js";

/**
 * Lexer state. `tag`: between braces. `escaped`: after a backslash that turns a tag into text.
 * `raw`: inside a raw block.
 */
type Mode = "text" | "tag" | "escaped" | "raw";

const TOKEN = parser.symbols_;
/** A token that no production accepts. The parser stops there. */
const INVALID = TOKEN.error;
/** White space in a tag, or empty text. The parser never gets these. */
const IGNORED = 0;

const NAME = /[^\s!"#%-,./;->@[-^`{-~]+/y;
const AFTER_NAME = /[=~}\s/.)|]/y;
const AFTER_LITERAL = /[~}\s)]/y;
const NUMBER = /-?[0-9]+(?:\.[0-9]+)?(?=[~}\s)])/y;
const BLOCK_PARAMS = /as\s+\|/y;
const SPACE = /\s+/y;
const OPENER = /\{\{~?(?:>|#[>*]?|\/|\^|\{|&|\*)?/y;
const INVERSE = /\{\{~?(?:\^|\s*else)\s*~?\}\}/y;
const CHAIN = /\{\{~?\s*else\b/y;
const COMMENT = /\{\{~?!(?:(?=--)[^]*?--~?\}\}|(?!--)[^]*?\}\})/y;
const RAW_END = /\{\{\{\{\/[^\s!"#%-,./;->@[-^`{-~]+\}\}\}\}/y;

const OPENERS: Readonly<Record<string, number>> = {
  "": TOKEN.OPEN,
  "*": TOKEN.OPEN,
  "&": TOKEN.OPEN,
  "{": TOKEN.OPEN_UNESCAPED,
  ">": TOKEN.OPEN_PARTIAL,
  "#>": TOKEN.OPEN_PARTIAL_BLOCK,
  "#": TOKEN.OPEN_BLOCK,
  "#*": TOKEN.OPEN_BLOCK,
  "/": TOKEN.OPEN_ENDBLOCK,
  "^": TOKEN.OPEN_INVERSE,
};
const SIGNS: Readonly<Record<string, number>> = {
  "(": TOKEN.OPEN_SEXPR,
  ")": TOKEN.CLOSE_SEXPR,
  "=": TOKEN.EQUALS,
  "@": TOKEN.DATA,
  "|": TOKEN.CLOSE_BLOCK_PARAMS,
  "/": TOKEN.SEP,
};
const LITERALS: ReadonlyMap<string, number> = new Map([
  ["true", TOKEN.BOOLEAN],
  ["false", TOKEN.BOOLEAN],
  ["undefined", TOKEN.UNDEFINED],
  ["null", TOKEN.NULL],
]);

export class Lexer {
  readonly #source: string;
  readonly #breaks: readonly [lf: NextIndex, cr: NextIndex];
  readonly #nul: NextIndex;
  #mode: Mode = "text";
  #rawDepth = 0;
  #value = "";
  #start = 0;
  #end = 0;
  #location: ParserLocation = { first_line: 1, first_column: 0, last_line: 1, last_column: 0 };

  constructor(source: string) {
    this.#source = source;
    this.#breaks = [new NextIndex(source, "\n"), new NextIndex(source, "\r")];
    this.#nul = new NextIndex(source, "\0");
  }

  /** The token's value for the parser, which can differ from the token's text. */
  get value(): string {
    return this.#value;
  }

  get location(): ParserLocation {
    return this.#location;
  }

  /** Offsets of the token in the source, in UTF-16 code units. */
  get start(): number {
    return this.#start;
  }

  get end(): number {
    return this.#end;
  }

  /** Reads the next token and returns its kind. */
  next(): number {
    for (;;) {
      const start = this.#end;
      this.#start = start;
      if (start === this.#source.length) return TOKEN.EOF;
      const token = this.#cut(start);
      if (token === INVALID) return token;
      this.#locate(start);
      if (token !== IGNORED) return token;
    }
  }

  #cut(start: number): number {
    switch (this.#mode) {
      case "tag":
        return this.#cutTag(start);
      case "text":
        return this.#cutText(start);
      case "escaped":
        return this.#cutEscaped(start);
      case "raw":
        return this.#cutRaw(start);
    }
  }

  #take(token: number, end: number, value = this.#source.slice(this.#start, end)): number {
    this.#end = end;
    this.#value = value;
    return token;
  }

  /** Takes the token that ends a tag. */
  #leave(token: number, end: number): number {
    this.#mode = "text";
    return this.#take(token, end);
  }

  #cutText(start: number): number {
    const source = this.#source;
    const open = source.indexOf("{{", start);
    const end = open < 0 ? source.length : open;
    const nul = this.#nul.from(start);
    if (nul < end || open < 0)
      return nul === start ? INVALID : this.#take(TOKEN.CONTENT, Math.min(nul, end));
    const backslashes = backslashesBefore(source, open, start);
    this.#mode = backslashes === 1 ? "escaped" : "tag";
    const text = source.slice(start, backslashes > 0 ? open - 1 : open);
    return this.#take(text === "" ? IGNORED : TOKEN.CONTENT, open, text);
  }

  #cutEscaped(start: number): number {
    const source = this.#source;
    const next = source.indexOf("{{", start + 2);
    const end = next < 0 ? source.length : next - backslashesBefore(source, next, start + 2);
    return this.#nul.from(start) < end ? INVALID : this.#leave(TOKEN.CONTENT, end);
  }

  #cutRaw(start: number): number {
    const source = this.#source;
    const isOpening = source.startsWith("{{{{", start);
    const after = source[start + 4];
    if (isOpening && after !== undefined && after !== "/") {
      this.#rawDepth += 1;
      return this.#take(TOKEN.CONTENT, start + 4);
    }
    const close = isOpening ? endOfMatch(RAW_END, source, start) : 0;
    if (close > 0) {
      this.#rawDepth -= 1;
      if (this.#rawDepth > 0) return this.#take(TOKEN.CONTENT, close);
      this.#mode = "text";
      return this.#take(TOKEN.END_RAW_BLOCK, close, source.slice(start + 5, close - 4));
    }
    const next = source.indexOf("{{{{", start + 1);
    return next < 0 || this.#nul.from(start) < next ? INVALID : this.#take(TOKEN.CONTENT, next);
  }

  #cutTag(start: number): number {
    const source = this.#source;
    const character = source.charAt(start);
    switch (character) {
      case "{":
        return this.#cutOpener(start);
      case "}":
      case "~":
        return this.#cutClosing(start);
      case ".":
        if (source[start + 1] === ".") return this.#take(TOKEN.ID, start + 2);
        return this.#take(matches(AFTER_NAME, source, start + 1) ? TOKEN.ID : TOKEN.SEP, start + 1);
      case '"':
      case "'": {
        const end = endOfDelimited(source, start, character);
        return end !== undefined
          ? this.#take(
              TOKEN.STRING,
              end,
              unescapeQuotes(source.slice(start + 1, end - 1), character),
            )
          : INVALID;
      }
      case "[": {
        const end = endOfDelimited(source, start, "]");
        return end !== undefined
          ? this.#take(TOKEN.ID, end, source.slice(start, end).replace(/\\([\\\]])/g, "$1"))
          : INVALID;
      }
    }
    const sign = SIGNS[character];
    return sign === undefined ? this.#cutWord(start, character) : this.#take(sign, start + 1);
  }

  #cutOpener(start: number): number {
    const source = this.#source;
    if (source[start + 1] !== "{") return INVALID;
    if (source.startsWith("{{", start + 2)) return this.#take(TOKEN.OPEN_RAW_BLOCK, start + 4);
    const end = endOfMatch(OPENER, source, start);
    const kind = source.slice(source[start + 2] === "~" ? start + 3 : start + 2, end);
    if (kind === "^" || (kind === "" && /[\se]/.test(source.charAt(end)))) {
      const inverse = endOfMatch(INVERSE, source, start);
      if (inverse > 0) return this.#leave(TOKEN.INVERSE, inverse);
      const chain = kind === "" ? endOfMatch(CHAIN, source, start) : 0;
      if (chain > 0) return this.#take(TOKEN.OPEN_INVERSE_CHAIN, chain);
    } else if (kind === "" && source[end] === "!") {
      const comment = endOfMatch(COMMENT, source, start);
      if (comment > 0) return this.#leave(TOKEN.COMMENT, comment);
    }
    return this.#take(OPENERS[kind] ?? INVALID, end);
  }

  #cutClosing(start: number): number {
    const source = this.#source;
    if (source.startsWith("}}}}", start)) {
      this.#mode = "raw";
      this.#rawDepth = 1;
      return this.#take(TOKEN.CLOSE_RAW_BLOCK, start + 4);
    }
    if (source.startsWith("}}}", start)) return this.#leave(TOKEN.CLOSE_UNESCAPED, start + 3);
    if (source.startsWith("}~}}", start)) return this.#leave(TOKEN.CLOSE_UNESCAPED, start + 4);
    if (source.startsWith("}}", start)) return this.#leave(TOKEN.CLOSE, start + 2);
    return source.startsWith("~}}", start) ? this.#leave(TOKEN.CLOSE, start + 3) : INVALID;
  }

  #cutWord(start: number, first: string): number {
    const source = this.#source;
    if (first === "-" || (first >= "0" && first <= "9")) {
      const number = endOfMatch(NUMBER, source, start);
      if (number > 0) return this.#take(TOKEN.NUMBER, number);
    }
    const end = endOfMatch(NAME, source, start);
    if (end === 0) {
      const space = endOfMatch(SPACE, source, start);
      return space > 0 ? this.#take(IGNORED, space, "") : INVALID;
    }
    const word = source.slice(start, end);
    const literal = LITERALS.get(word);
    if (literal !== undefined && matches(AFTER_LITERAL, source, end))
      return this.#take(literal, end, word);
    const params = word === "as" ? endOfMatch(BLOCK_PARAMS, source, start) : 0;
    if (params > 0) return this.#take(TOKEN.OPEN_BLOCK_PARAMS, params);
    return matches(AFTER_NAME, source, end) ? this.#take(TOKEN.ID, end, word) : INVALID;
  }

  /** Computes the token's location, beginning at the end of the previous token. */
  #locate(start: number): void {
    const { last_line, last_column } = this.#location;
    const end = this.#end;
    const [lf, cr] = this.#breaks;
    let line = last_line;
    let lineStart = start - last_column;
    for (
      let at = Math.min(lf.from(start), cr.from(start));
      at < end;
      at = Math.min(lf.from(lineStart), cr.from(lineStart))
    ) {
      lineStart =
        at + (this.#source[at] === "\r" && this.#source[at + 1] === "\n" && at + 1 < end ? 2 : 1);
      line += 1;
    }
    this.#location = {
      first_line: last_line,
      first_column: last_column,
      last_line: line,
      last_column: end - lineStart,
    };
  }
}

/**
 * Finds the next occurrence of a character for increasing offsets, without searching any part of
 * the source twice.
 */
class NextIndex {
  readonly #source: string;
  readonly #character: string;
  #next = -1;

  constructor(source: string, character: string) {
    this.#source = source;
    this.#character = character;
  }

  /**
   * Returns the character's first index at or after `at`. Infinity: the character does not occur
   * there.
   */
  from(at: number): number {
    if (this.#next < at) {
      const index = this.#source.indexOf(this.#character, at);
      this.#next = index < 0 ? Number.POSITIVE_INFINITY : index;
    }
    return this.#next;
  }
}

/**
 * Counts the backslashes directly before `open`, at most two. The count stops at `from`, where the
 * token begins.
 */
export function backslashesBefore(source: string, open: number, from: number): number {
  let count = 0;
  while (count < 2 && open - count > from && source[open - count - 1] === "\\") count += 1;
  return count;
}

/**
 * Returns the offset after the character that closes the string or segment at `start`. A closing
 * character after a backslash does not count. If all closing characters follow a backslash, returns
 * the offset after the last of them, or after the first beyond `limit`.
 */
export function endOfDelimited(
  source: string,
  start: number,
  closing: string,
  limit = Number.POSITIVE_INFINITY,
): number | undefined {
  let escaped: number | undefined;
  for (let at = source.indexOf(closing, start + 1); at >= 0; at = source.indexOf(closing, at + 1)) {
    if (source[at - 1] !== "\\") return at + 1;
    escaped = at + 1;
    if (at > limit) return escaped;
  }
  return escaped;
}

/** Returns the end of a sticky pattern's match at `start`, or 0 when it does not match. */
function endOfMatch(expression: RegExp, source: string, start: number): number {
  expression.lastIndex = start;
  return expression.test(source) ? expression.lastIndex : 0;
}

function matches(expression: RegExp, source: string, at: number): boolean {
  expression.lastIndex = at;
  return expression.test(source);
}

function unescapeQuotes(text: string, quote: '"' | "'"): string {
  return text.replaceAll(`\\${quote}`, quote);
}
