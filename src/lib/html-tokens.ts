// Cuts HTML into tokens in linear time, whatever it holds: the tokens of a browser's tokenizer, with the offsets of everything, so that a reader can
// splice a document in place (decision 0013). No tree is built; lib/html-open-elements.ts knows which elements are open.
import { decodeHTML, decodeHTMLAttribute } from "entities/decode";
import { Markers } from "./html-markers.ts";

/** Offsets into the source; `value*` without quotes, and both at `end` when there is no value. */
export interface HtmlAttribute {
  /** Lower case. */
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
  /** A tag of the template language in text. */
  | (Span & { readonly kind: "marker" })
  | (Span & { readonly kind: "open"; readonly name: string; readonly attributes: readonly HtmlAttribute[] })
  | (Span & { readonly kind: "close"; readonly name: string })
  /** What is no text: the content of `style`, `script`, `title` and the like. */
  | (Span & { readonly kind: "raw" })
  /** Comments, doctypes and whatever else shows nothing, a tag that the end of the document cuts off included. */
  | (Span & { readonly kind: "unseen" });

type RawElement = "script" | "style" | "title" | "textarea" | "xmp" | "iframe" | "noembed" | "noframes" | "plaintext";

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

const SOMETHING = /<|\{\{/g;
const COMMENT_END = /--!?>/g;
const LETTER = /[a-z]/i;
const BETWEEN_ATTRIBUTES = /[\t\n\f\r /]*/y;
const SPACE = /[\t\n\f\r ]*/y;
const NAME_END = /[\t\n\f\r />]|\{\{/g;
const ATTRIBUTE_NAME_END = /[\t\n\f\r />=]|\{\{/g;
const UNQUOTED_END = /[\t\n\f\r >]|\{\{/g;
const DOUBLE_QUOTED_END = /"|\{\{/g;
const SINGLE_QUOTED_END = /'|\{\{/g;

/** With `templated`, tags of the template language are tokens in text and opaque everywhere else; without, braces are characters. */
export function* tokenizeHtml(html: string, { templated }: { readonly templated: boolean }): Generator<HtmlToken> {
  const reader = new Reader(html, templated);
  let textStart = 0;
  let at = 0;
  while (at < html.length) {
    const next = indexBy(SOMETHING, html, at);
    const token = next === undefined ? undefined : reader.tokenAt(next);
    if (!token) {
      if (next === undefined) break;
      at = next + 1;
      continue;
    }
    if (token.start > textStart) yield { kind: "text", start: textStart, end: token.start };
    yield token;
    textStart = at = token.end;
    if (token.kind !== "open" || !isRaw(token.name)) continue;
    const end = indexBy(RAW_END[token.name], html, at) ?? html.length;
    if (end > at) yield { kind: "raw", start: at, end };
    textStart = at = end;
  }
  if (textStart < html.length) yield { kind: "text", start: textStart, end: html.length };
}

/** A text token's text. */
export function decodeText(html: string, { start, end }: Span): string {
  return decodeHTML(html.slice(start, end));
}

/** The value of the first attribute of that name, decoded, tags of the template language as they are; undefined without one. */
export function attributeValue(html: string, attributes: readonly HtmlAttribute[], name: string): string | undefined {
  const attribute = attributes.find((candidate) => candidate.name === name);
  if (!attribute) return undefined;
  const value = html.slice(attribute.valueStart, attribute.valueEnd);
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

  constructor(html: string, templated: boolean) {
    this.#html = html;
    this.#markers = templated ? new Markers(html) : undefined;
  }

  /** The token that begins with the `<` or `{{` at `start`; undefined when that is a character of the text. */
  tokenAt(start: number): HtmlToken | undefined {
    const html = this.#html;
    if (html[start] === "{") {
      const end = this.#markers?.endAt(start);
      return end === undefined ? undefined : { kind: "marker", start, end };
    }
    const next = html.charAt(start + 1);
    if (LETTER.test(next)) return this.#tag("open", start, start + 1);
    if (next === "!" || next === "?") return { kind: "unseen", start, end: this.#endOfDeclaration(start) };
    if (next !== "/" || start + 2 >= html.length) return undefined;
    return LETTER.test(html.charAt(start + 2))
      ? this.#tag("close", start, start + 2)
      : { kind: "unseen", start, end: behind(">", html, start) };
  }

  #endOfDeclaration(start: number): number {
    if (!this.#html.startsWith("<!--", start)) return behind(">", this.#html, start);
    // `<!-->` and `<!--->` are whole comments.
    const dashes = indexBy(COMMENT_END, this.#html, start + 2);
    return dashes === undefined ? this.#html.length : this.#html.indexOf(">", dashes) + 1;
  }

  #tag(kind: "open" | "close", start: number, nameStart: number): HtmlToken {
    const nameEnd = this.#endBy(NAME_END, nameStart);
    const attributes: HtmlAttribute[] = [];
    let at = nameEnd;
    for (;;) {
      at = this.#skip(BETWEEN_ATTRIBUTES, at);
      if (at >= this.#html.length) return { kind: "unseen", start, end: this.#html.length };
      if (this.#html[at] === ">") break;
      const attribute = this.#attribute(at);
      if (attribute.name !== "") attributes.push(attribute);
      at = attribute.end;
    }
    const name = this.#html.slice(nameStart, nameEnd).toLowerCase();
    return kind === "close" ? { kind, start, end: at + 1, name } : { kind, start, end: at + 1, name, attributes };
  }

  /** A tag of the template language between attributes counts as one without a name. */
  #attribute(start: number): HtmlAttribute {
    const html = this.#html;
    const marker = html.startsWith("{{", start) ? this.#markers?.endAt(start) : undefined;
    if (marker !== undefined) return { name: "", start, end: marker, valueStart: marker, valueEnd: marker };
    const nameEnd = this.#endBy(ATTRIBUTE_NAME_END, start + 1);
    const name = html.slice(start, nameEnd).toLowerCase();
    const equals = this.#skip(SPACE, nameEnd);
    if (html[equals] !== "=") return { name, start, end: nameEnd, valueStart: nameEnd, valueEnd: nameEnd };
    const value = this.#skip(SPACE, equals + 1);
    const quote = html[value];
    if (quote === '"' || quote === "'") {
      const close = this.#endBy(quote === '"' ? DOUBLE_QUOTED_END : SINGLE_QUOTED_END, value + 1);
      return { name, start, end: Math.min(close + 1, html.length), valueStart: value + 1, valueEnd: close };
    }
    const end = this.#endBy(UNQUOTED_END, value);
    return { name, start, end, valueStart: value, valueEnd: end };
  }

  /** The offset of what `end` finds outside tags of the template language, or the document's end. */
  #endBy(end: RegExp, from: number): number {
    let at = from;
    for (;;) {
      const found = indexBy(end, this.#html, at);
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

function indexBy(pattern: RegExp, text: string, from: number): number | undefined {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index;
}

function behind(character: string, html: string, from: number): number {
  const found = html.indexOf(character, from);
  return found < 0 ? html.length : found + 1;
}
