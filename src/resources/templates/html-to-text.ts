// Derives the plain text of an HTML body (contract.md §Derived text), in linear time whatever the
// HTML holds: links as `text (address)`, lists, quotes and rows of tables as one would type them,
// nothing that a mail client hides. Tags of the template language stay as they are and keep their
// order, so that the text of a template is a template.
import { isEscaped, markersOf, roleOf, findUnbalanced } from "../../lib/html/html-markers.ts";
import { isVoid, type OpenElement, OpenElements } from "../../lib/html/html-open-elements.ts";
import {
  attributeValue,
  decodeText,
  type HtmlAttribute,
  type HtmlToken,
  tokenizeHtml,
} from "../../lib/html/html-tokens.ts";
import { type Mark, TextLayout } from "./text-layout.ts";

const RULE = "----------";

/** Start a line of their own; with a blank line around them. */
const LISTS = new Set(["ul", "ol", "menu", "dir"]);
const PARAGRAPHS = new Set([
  "p",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
  "dl",
  "table",
  "pre",
  "hr",
  "figure",
  "fieldset",
  "blockquote",
  ...LISTS,
]);
const LINES = new Set(
  `div section article aside header footer main nav address center form details summary dialog search hgroup figcaption legend
   caption thead tbody tfoot tr dt dd li body html option optgroup`.split(/\s+/),
);
/** Blocks whose text may go on beside another cell's. */
const JOINS_CELLS = new Set(["p", "div", "center"]);
const HIDDEN_ELEMENTS = new Set(["head", "svg", "math", "template", "datalist"]);
const NOT_AN_ADDRESS = /^(?:#|javascript:|data:|vbscript:|about:)/i;
const LOOP = /^\{\{~?[#/]\s*each\b/;
const ADDRESS_SCHEME = /^(?:mailto|tel|sms):/i;

type State =
  | { readonly kind: "plain" }
  | { readonly kind: "item" | "quote" | "pre" }
  | { readonly kind: "list"; next: number | undefined; readonly outerLoops: number }
  | { readonly kind: "row"; readonly outer: Mark | undefined }
  | { readonly kind: "link"; readonly address: string; readonly mark: Mark };

const PLAIN: State = { kind: "plain" };

/** With `templated` the HTML is a template and the text another; without, braces are characters. */
export function htmlToText(
  html: string,
  { templated }: { readonly templated: boolean } = { templated: true },
): string {
  return new TextWriter(html, templated).run();
}

class TextWriter {
  readonly #html: string;
  readonly #templated: boolean;
  readonly #layout: TextLayout;
  readonly #open = new OpenElements<State>((element) => this.#closed(element));
  /** How many elements were open when the outermost hidden one began; what it says is dropped. */
  #hiddenAt: number | undefined;
  /** Block tags of what was dropped. */
  #dropped = "";
  readonly #lists: Extract<State, { kind: "list" }>[] = [];
  /** Loops of the template language that are open around the items of the innermost list. */
  #loops = 0;
  #row: Mark | undefined;
  #preformatted = 0;
  #preBegins = false;

  constructor(html: string, templated: boolean) {
    this.#html = html;
    this.#templated = templated;
    this.#layout = new TextLayout({ templated });
  }

  run(): string {
    for (const token of tokenizeHtml(this.#html, { templated: this.#templated })) this.#take(token);
    this.#open.closeAll();
    return this.#layout.toString();
  }

  #take(token: HtmlToken): void {
    switch (token.kind) {
      case "open":
        return this.#opened(token.name, token.attributes, this.#html.slice(token.start, token.end));
      case "close":
        this.#open.close(token.name);
        return this.#drop(this.#html.slice(token.start, token.end));
      case "text":
        return this.#hiddenAt === undefined ? this.#text(decodeText(this.#html, token)) : undefined;
      case "marker":
        return this.#marker(this.#html.slice(token.start, token.end), token.start);
      case "raw":
      case "unseen":
        return this.#drop(this.#html.slice(token.start, token.end));
    }
  }

  #text(text: string): void {
    if (this.#preformatted === 0) return this.#layout.text(text);
    this.#layout.preformatted(this.#preBegins ? text.replace(/^(?:\r\n?|\n)/, "") : text);
    this.#preBegins = false;
  }

  #marker(marker: string, start: number): void {
    if (this.#hiddenAt !== undefined) return this.#drop(marker);
    const escapable = this.#html[start - 1] === "\\";
    const role = isEscaped(this.#html, start) ? "value" : roleOf(marker);
    if (role === "value") return this.#layout.value(marker, escapable);
    if (LOOP.test(marker)) this.#loops = Math.max(0, this.#loops + (role === "open" ? 1 : -1));
    this.#layout.blockTag(marker, escapable);
  }

  /** What shows nothing may still open or close blocks for what is shown. */
  #drop(source: string): void {
    if (!this.#templated || !source.includes("{{")) return;
    if (this.#hiddenAt === undefined)
      for (const tag of findUnbalanced(source)) this.#layout.blockTag(tag);
    else this.#dropped += source;
  }

  #opened(name: string, attributes: readonly HtmlAttribute[], source: string): void {
    this.#open.closeBefore(name);
    const isHidden = this.#hiddenAt === undefined && this.#isHidden(name, attributes);
    if (isHidden && isVoid(name)) return this.#drop(source);
    if (isHidden) this.#hiddenAt = this.#open.depth;
    if (this.#hiddenAt !== undefined) {
      this.#drop(source);
      this.#open.open(name, PLAIN);
      return;
    }
    this.#beginBlock(name);
    this.#drop(source);
    this.#open.open(name, this.#begin(name, attributes));
  }

  #closed({ name, data }: OpenElement<State>): void {
    if (this.#hiddenAt !== undefined) {
      if (this.#open.depth > this.#hiddenAt) return;
      this.#hiddenAt = undefined;
      const dropped = this.#dropped;
      this.#dropped = "";
      return this.#drop(dropped);
    }
    this.#end(data);
    this.#beginBlock(name);
  }

  /** A block's edge, its beginning or its end. */
  #beginBlock(name: string): void {
    const isParagraph = PARAGRAPHS.has(name);
    if (!isParagraph && !LINES.has(name)) return;
    if (!JOINS_CELLS.has(name)) this.#layout.endRowLine();
    const isInnerList = LISTS.has(name) && this.#lists.length > 0;
    this.#layout.block(isParagraph && !isInnerList ? 1 : 0);
  }

  #begin(name: string, attributes: readonly HtmlAttribute[]): State {
    switch (name) {
      case "br":
        return this.#lineBreak();
      case "hr":
        return this.#rule();
      case "img":
        return this.#inline(attributeValue(this.#html, attributes, "alt") ?? "");
      case "ul":
      case "menu":
      case "dir":
      case "ol":
        return this.#list(name, attributes);
      case "li":
        return this.#item(attributes);
      case "dd":
        return this.#prefix("item", "  ", "  ");
      case "blockquote":
        return this.#prefix("quote", "> ", "> ");
      case "pre":
        this.#preformatted += 1;
        this.#preBegins = true;
        return { kind: "pre" };
      case "tr":
        return this.#beginRow();
      case "td":
      case "th":
        if (this.#row) this.#layout.cell(this.#row);
        else this.#layout.block(0);
        return PLAIN;
      case "a":
        return this.#link(attributes);
      default:
        return PLAIN;
    }
  }

  #end(state: State): void {
    switch (state.kind) {
      case "plain":
        return;
      case "item":
      case "quote":
        return this.#layout.popPrefix();
      case "pre":
        this.#preformatted -= 1;
        return;
      case "list":
        this.#lists.pop();
        this.#loops = state.outerLoops;
        return;
      case "row":
        this.#row = state.outer;
        return;
      case "link":
        return this.#endLink(state.address, this.#layout.textSince(state.mark));
    }
  }

  #lineBreak(): State {
    if (this.#preformatted > 0) this.#layout.preformatted("\n");
    else this.#layout.lineBreak();
    return PLAIN;
  }

  #rule(): State {
    this.#layout.value(RULE);
    this.#layout.block(1);
    return PLAIN;
  }

  #inline(text: string): State {
    if (this.#breaksBlocks(text)) return PLAIN;
    let at = 0;
    for (const { start, end } of this.#templated ? markersOf(text) : []) {
      this.#layout.text(text.slice(at, start));
      this.#layout.value(text.slice(start, end), text[start - 1] === "\\");
      at = end;
    }
    this.#layout.text(text.slice(at));
    return PLAIN;
  }

  #list(name: string, attributes: readonly HtmlAttribute[]): State {
    const start = Number.parseInt(attributeValue(this.#html, attributes, "start") ?? "1", 10);
    const next = name === "ol" ? (Number.isSafeInteger(start) ? start : 1) : undefined;
    const list: State = { kind: "list", next, outerLoops: this.#loops };
    this.#lists.push(list);
    this.#loops = 0;
    return list;
  }

  /** Items inside a loop are as many as the loop makes, so they can't be numbered here. */
  #item(attributes: readonly HtmlAttribute[]): State {
    const list = this.#lists.at(-1);
    if (list?.next === undefined) return this.#prefix("item", "- ", "  ");
    const value = Number.parseInt(attributeValue(this.#html, attributes, "value") ?? "", 10);
    if (Number.isSafeInteger(value)) list.next = value;
    const bullet = this.#loops > 0 ? "- " : `${list.next}. `;
    list.next += 1;
    return this.#prefix("item", bullet, " ".repeat(bullet.length));
  }

  #prefix(kind: "item" | "quote", first: string, rest: string): State {
    this.#layout.pushPrefix(first, rest);
    return { kind };
  }

  #beginRow(): State {
    const outer = this.#row;
    this.#row = this.#layout.mark();
    return { kind: "row", outer };
  }

  #link(attributes: readonly HtmlAttribute[]): State {
    const address = attributeValue(this.#html, attributes, "href")?.trim() ?? "";
    if (address === "" || NOT_AN_ADDRESS.test(address) || this.#breaksBlocks(address)) return PLAIN;
    return { kind: "link", address, mark: this.#layout.mark() };
  }

  #endLink(address: string, text: string | undefined): void {
    const bare = withoutSchemeAndQuery(address);
    if (text === "") this.#layout.value(bare);
    else if (text !== address && text !== bare) this.#layout.append(`(${bare})`);
  }

  /**
   * Whether an attribute's value has a part in blocks of the template language that it does not
   * hold whole.
   */
  #breaksBlocks(value: string): boolean {
    return this.#templated && findUnbalanced(value).length > 0;
  }

  #isHidden(name: string, attributes: readonly HtmlAttribute[]): boolean {
    if (HIDDEN_ELEMENTS.has(name)) return true;
    if (attributes.some((attribute) => attribute.name === "hidden")) return true;
    const style = attributeValue(this.#html, attributes, "style");
    return style !== undefined && hides(style);
  }
}

/** Whether an element of that style shows nothing. */
function hides(style: string): boolean {
  const declared = new Map<string, string>();
  for (const declaration of style.toLowerCase().split(";")) {
    const [name = "", value = ""] = declaration.split(":", 2);
    const [word = ""] = value.trim().split(/[\s!]/, 1);
    declared.set(name.trim(), word);
  }
  const hasNoHeight = declared.get("max-height") === "0" || declared.get("max-height") === "0px";
  return (
    declared.get("display") === "none" ||
    declared.get("visibility") === "hidden" ||
    (hasNoHeight && declared.get("overflow") === "hidden")
  );
}

/**
 * A mailbox or a telephone number is its own text. A query that holds tags of the template language
 * stays.
 */
function withoutSchemeAndQuery(address: string): string {
  const scheme = ADDRESS_SCHEME.exec(address)?.[0];
  if (scheme === undefined) return address;
  const behindTags = Math.max(address.lastIndexOf("{"), address.lastIndexOf("}")) + 1;
  const query = address.indexOf("?", behindTags);
  return address.slice(scheme.length, query < 0 ? undefined : query);
}
