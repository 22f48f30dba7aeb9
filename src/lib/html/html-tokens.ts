// Splits HTML into the tokens of a browser's tokenizer, in linear time for any input. Every token
// has its offsets, so a reader can edit a document in place (decision 0013). This file builds no
// tree; html-open-elements.ts tracks which elements are open. Pure.
import { decodeHTML, decodeHTMLAttribute } from "entities/decode";
import { Markers } from "./html-markers.ts";

/**
 * An attribute with its offsets in the source. `valueStart` and `valueEnd` exclude quotes. If the
 * attribute has no value, both equal `end`.
 */
export interface HtmlAttribute {
  /** The attribute's name, in lower case. */
  readonly name: string;
  readonly start: number;
  readonly end: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

export type HtmlToken =
  | (Span & { readonly kind: "text" })
  /** A tag of the template language inside text. */
  | (Span & { readonly kind: "marker" })
  | (Span & {
      readonly kind: "open";
      readonly name: string;
      readonly attributes: readonly HtmlAttribute[];
    })
  | (Span & { readonly kind: "close"; readonly name: string })
  /** Content of `style`, `script`, `title` and similar elements, which is not displayed as text. */
  | (Span & { readonly kind: "raw" })
  /**
   * Comments, doctypes and other markup that displays nothing, including a tag cut off by the end
   * of the document.
   */
  | (Span & { readonly kind: "unseen" });

type RawElement =
  | "script"
  | "style"
  | "title"
  | "textarea"
  | "xmp"
  | "iframe"
  | "noembed"
  | "noframes"
  | "plaintext";

const RAW_END: Readonly<Record<RawElement, RegExp>> = {
  script: /<\/script[\t\n\f\r />]/gi,
  style: /<\/style[\t\n\f\r />]/gi,
  title: /<\/title[\t\n\f\r />]/gi,
  textarea: /<\/textarea[\t\n\f\r />]/gi,
  xmp: /<\/xmp[\t\n\f\r />]/gi,
  iframe: /<\/iframe[\t\n\f\r />]/gi,
  noembed: /<\/noembed[\t\n\f\r />]/gi,
  noframes: /<\/noframes[\t\n\f\r />]/gi,
  plaintext: /(?!)/g,
};

/**
 * Number of characters after which a reader that works in steps may yield. STEP_ATTRIBUTES limits a
 * step inside one tag by the number of its attributes.
 */
export const HTML_STEP_CHARACTERS = 16_384;
const STEP_ATTRIBUTES = 4_096;

const COMMENT_END = /--!?>/g;
const LETTER = /[a-z]/i;
const BETWEEN_ATTRIBUTES = /[\t\n\f\r /]*/y;
const SPACE = /[\t\n\f\r ]*/y;

/** Patterns that end each kind of token or begin a tag of the template language. */
const TEMPLATED_ENDS = {
  text: /<|\{\{/g,
  name: /[\t\n\f\r />]|\{\{/g,
  attributeName: /[\t\n\f\r />=]|\{\{/g,
  unquoted: /[\t\n\f\r >]|\{\{/g,
  doubleQuoted: /"|\{\{/g,
  singleQuoted: /'|\{\{/g,
};
/**
 * Patterns that end each kind of token in HTML without template tags, where braces are plain
 * characters.
 */
const PLAIN_ENDS: typeof TEMPLATED_ENDS = {
  text: /</g,
  name: /[\t\n\f\r />]/g,
  attributeName: /[\t\n\f\r />=]/g,
  unquoted: /[\t\n\f\r >]/g,
  doubleQuoted: /"/g,
  singleQuoted: /'/g,
};

interface Options {
  /**
   * True: template tags are tokens in text and opaque elsewhere. False: braces are plain
   * characters.
   */
  readonly templated: boolean;
}

/** A tag whose end the tokenizer has not reached yet. */
interface OpenTag {
  readonly kind: "unfinished";
  readonly of: "open" | "close";
  readonly start: number;
  readonly name: string;
  readonly attributes: HtmlAttribute[];
  at: number;
}

export function* tokenizeHtml(html: string, options: Options): Generator<HtmlToken> {
  for (const token of tokenizeInSteps(html, options)) if (token) yield token;
}

/** Yields the tokens. Also yields undefined after each bounded step that found no token. */
export function* tokenizeInSteps(
  html: string,
  { templated }: Options,
): Generator<HtmlToken | undefined> {
  const reader = new Reader(html, templated);
  const tokenStart = (templated ? TEMPLATED_ENDS : PLAIN_ENDS).text;
  let textStart = 0;
  let at = 0;
  let stepEnd = HTML_STEP_CHARACTERS;
  while (at < html.length) {
    if (at > stepEnd) {
      stepEnd = at + HTML_STEP_CHARACTERS;
      yield undefined;
    }
    const next = indexOfMatch(tokenStart, html, at);
    let token = next === undefined ? undefined : reader.readToken(next);
    if (!token) {
      if (next === undefined) break;
      at = next + 1;
      continue;
    }
    while (token.kind === "unfinished") {
      yield undefined;
      token = reader.resume(token);
    }
    if (token.start > textStart) yield { kind: "text", start: textStart, end: token.start };
    yield token;
    textStart = at = token.end;
    stepEnd = at + HTML_STEP_CHARACTERS;
    if (token.kind !== "open" || !isRaw(token.name)) continue;
    const end = indexOfMatch(RAW_END[token.name], html, at) ?? html.length;
    if (end > at) yield { kind: "raw", start: at, end };
    textStart = at = end;
  }
  if (textStart < html.length) yield { kind: "text", start: textStart, end: html.length };
}

/** Returns the decoded text of a text token. */
export function decodeText(html: string, { start, end }: Span): string {
  return decodeHTML(html.slice(start, end));
}

/**
 * Returns the decoded value of the first attribute of this name, with template tags unchanged.
 * Undefined: no such attribute.
 */
export function attributeValue(
  html: string,
  attributes: readonly HtmlAttribute[],
  name: string,
): string | undefined {
  const attribute = attributes.find((candidate) => candidate.name === name);
  return attribute && decodeAttribute(html.slice(attribute.valueStart, attribute.valueEnd));
}

/** Decodes an attribute's value, with template tags unchanged. */
export function decodeAttribute(value: string): string {
  if (!value.includes("{{")) return decodeHTMLAttribute(value);
  const markers = new Markers(value);
  let decoded = "";
  let at = 0;
  for (let start = value.indexOf("{{"); start >= 0;) {
    const end = markers.endAt(start);
    if (end !== undefined) {
      decoded += decodeHTMLAttribute(value.slice(at, start)) + value.slice(start, end);
      at = end;
    }
    start = value.indexOf("{{", end ?? start + 2);
  }
  return decoded + decodeHTMLAttribute(value.slice(at));
}

class Reader {
  readonly #html: string;
  readonly #markers: Markers | undefined;
  readonly #ends: typeof TEMPLATED_ENDS;

  constructor(html: string, templated: boolean) {
    this.#html = html;
    this.#markers = templated ? new Markers(html) : undefined;
    this.#ends = templated ? TEMPLATED_ENDS : PLAIN_ENDS;
  }

  /**
   * Reads the token that begins with the `<` or `{{` at `start`. Undefined: the `<` or `{{` is
   * plain text.
   */
  readToken(start: number): HtmlToken | OpenTag | undefined {
    const html = this.#html;
    if (html[start] === "{") {
      const end = this.#markers?.endAt(start);
      return end === undefined ? undefined : { kind: "marker", start, end };
    }
    const next = html.charAt(start + 1);
    if (LETTER.test(next)) return this.#tag("open", start, start + 1);
    if (next === "!" || next === "?")
      return { kind: "unseen", start, end: this.#endOfDeclaration(start) };
    if (next !== "/" || start + 2 >= html.length) return undefined;
    return LETTER.test(html.charAt(start + 2))
      ? this.#tag("close", start, start + 2)
      : { kind: "unseen", start, end: indexAfter(">", html, start) };
  }

  #endOfDeclaration(start: number): number {
    if (!this.#html.startsWith("<!--", start)) return indexAfter(">", this.#html, start);
    // The search begins at the dashes of `<!--`, because `<!-->` and `<!--->` are complete
    // comments.
    const dashes = indexOfMatch(COMMENT_END, this.#html, start + 2);
    return dashes === undefined ? this.#html.length : this.#html.indexOf(">", dashes) + 1;
  }

  #tag(of: "open" | "close", start: number, nameStart: number): HtmlToken | OpenTag {
    const at = this.#endBy(this.#ends.name, nameStart);
    const name = this.#html.slice(nameStart, at).toLowerCase();
    return this.resume({ kind: "unfinished", of, start, name, attributes: [], at });
  }

  /** Continues to read a tag, for a limited number of attributes. */
  resume(tag: OpenTag): HtmlToken | OpenTag {
    const { of: kind, start, name, attributes } = tag;
    for (let count = 0; count < STEP_ATTRIBUTES; count += 1) {
      const at = this.#skip(BETWEEN_ATTRIBUTES, tag.at);
      if (at >= this.#html.length) return { kind: "unseen", start, end: this.#html.length };
      if (this.#html[at] === ">")
        return kind === "close"
          ? { kind, start, end: at + 1, name }
          : { kind, start, end: at + 1, name, attributes };
      const attribute = this.#attribute(at);
      if (attribute.name !== "") attributes.push(attribute);
      tag.at = attribute.end;
    }
    return tag;
  }

  /** Reads one attribute. A template tag between attributes is an attribute without a name. */
  #attribute(start: number): HtmlAttribute {
    const html = this.#html;
    const marker = html.startsWith("{{", start) ? this.#markers?.endAt(start) : undefined;
    if (marker !== undefined)
      return { name: "", start, end: marker, valueStart: marker, valueEnd: marker };
    const nameEnd = this.#endBy(this.#ends.attributeName, start + 1);
    const name = html.slice(start, nameEnd).toLowerCase();
    const equals = this.#skip(SPACE, nameEnd);
    if (html[equals] !== "=")
      return { name, start, end: nameEnd, valueStart: nameEnd, valueEnd: nameEnd };
    const value = this.#skip(SPACE, equals + 1);
    const quote = html[value];
    if (quote === '"' || quote === "'") {
      const close = this.#endBy(
        quote === '"' ? this.#ends.doubleQuoted : this.#ends.singleQuoted,
        value + 1,
      );
      return {
        name,
        start,
        end: Math.min(close + 1, html.length),
        valueStart: value + 1,
        valueEnd: close,
      };
    }
    const end = this.#endBy(this.#ends.unquoted, value);
    return { name, start, end, valueStart: value, valueEnd: end };
  }

  /**
   * Returns the offset of the first match of `end` outside template tags, or the end of the
   * document.
   */
  #endBy(end: RegExp, from: number): number {
    let at = from;
    for (;;) {
      const found = indexOfMatch(end, this.#html, at);
      if (found === undefined) return this.#html.length;
      if (this.#html[found] !== "{") return found;
      at = this.#markers?.endAt(found) ?? found + 1;
    }
  }

  #skip(characters: RegExp, from: number): number {
    characters.lastIndex = from;
    characters.exec(this.#html);
    return characters.lastIndex;
  }
}

function isRaw(name: string): name is RawElement {
  return Object.hasOwn(RAW_END, name);
}

function indexOfMatch(pattern: RegExp, text: string, from: number): number | undefined {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index;
}

function indexAfter(character: string, html: string, from: number): number {
  const found = html.indexOf(character, from);
  return found < 0 ? html.length : found + 1;
}
