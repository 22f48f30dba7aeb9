// Derives the plain text of an HTML body (contract.md §Derived text), in linear time for any HTML.
// Links become `text (address)`. Lists, quotes and table rows look as people type them. The text
// omits content that mail programs hide. Template tags stay unchanged and in order, so the text of
// a template is a template. Pure.
import { isEscaped, markersOf, roleOf, findUnbalanced } from "../../lib/html/html-markers.ts";
import { isVoid, type OpenElement, OpenElements } from "../../lib/html/html-open-elements.ts";
import {
  attributeValue,
  decodeText,
  type HtmlAttribute,
  type HtmlToken,
  tokenizeHtml,
} from "../../lib/html/html-tokens.ts";
import { type Display, displayOf } from "./displayed-style.ts";
import { type LinkAddress, linkAddressOf } from "./link-address.ts";
import { type LayoutPosition, TextLayout } from "./text-layout.ts";
import type { LineUnit } from "./text-separators.ts";

const RULE = "----------";

/** Sets of element names. PARAGRAPHS begin after a blank line, and LINES begin on a new line. */
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
/** Blocks whose text may stay on the line of a neighbouring cell. */
const JOINS_CELLS = new Set(["p", "div", "center"]);
const HIDDEN_ELEMENTS = new Set(["head", "svg", "math", "template", "datalist"]);
const LOOP = /^\{\{~?[#/]\s*each\b/;

type State =
  | { readonly kind: "plain" }
  | { readonly kind: "item" | "quote" | "pre" }
  | { readonly kind: "list"; next: number | undefined; readonly outerLoops: number }
  | { readonly kind: "row"; readonly outer: LayoutPosition | undefined }
  | { readonly kind: "link"; readonly address: LinkAddress | null; readonly mark: LayoutPosition };

const PLAIN: State = { kind: "plain" };

/** An open element, with the data for its end tag. */
interface Opened {
  readonly state: State;
  readonly display: Display;
  /** The element as a unit that needs spaces around it. Null: the element needs no spaces. */
  readonly unit: LineUnit | null;
}

const HIDDEN: Opened = { state: PLAIN, display: "hidden", unit: null };

/**
 * Converts HTML to text. `templated` true: the HTML and the text are templates. `templated` false:
 * braces are plain characters.
 */
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
  readonly #open = new OpenElements<Opened>((element) => this.#closed(element));
  /** Number of elements that were open when the outermost hidden element began. */
  #hiddenAt: number | undefined;
  /** The HTML source of the hidden content so far. The text gets only its block tags. */
  #dropped = "";
  readonly #lists: Extract<State, { kind: "list" }>[] = [];
  /** Number of open template loops around the items of the innermost list. */
  #loops = 0;
  #row: LayoutPosition | undefined;
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
    const isLiteral = isEscaped(this.#html, start);
    if (this.#hiddenAt !== undefined) return isLiteral ? undefined : this.#drop(marker);
    const escapable = this.#html[start - 1] === "\\";
    const role = isLiteral ? "value" : roleOf(marker);
    if (role === "value") return this.#layout.value(marker, escapable);
    if (!LOOP.test(marker)) return this.#layout.blockTag(marker, escapable);
    this.#loops = Math.max(0, this.#loops + (role === "open" ? 1 : -1));
    if (role === "close") this.#layout.endLoop();
    this.#layout.blockTag(marker, escapable);
    if (role === "open") this.#layout.beginLoop();
  }

  /**
   * Writes the block tags of hidden content, because they may open or close template blocks around
   * visible content.
   */
  #drop(source: string): void {
    if (!this.#templated || !source.includes("{{")) return;
    if (this.#hiddenAt === undefined)
      for (const tag of findUnbalanced(source)) this.#layout.blockTag(tag);
    else this.#dropped += source;
  }

  #opened(name: string, attributes: readonly HtmlAttribute[], source: string): void {
    this.#open.closeBefore(name);
    const display = this.#displayOf(name, attributes);
    const isHidden = this.#hiddenAt === undefined && display === "hidden";
    if (isHidden && isVoid(name)) return this.#drop(source);
    if (isHidden) this.#hiddenAt = this.#open.depth;
    if (this.#hiddenAt !== undefined) {
      this.#drop(source);
      this.#open.open(name, HIDDEN);
      return;
    }
    this.#beginBlock(name, display);
    this.#drop(source);
    const unit = this.#beginUnit(name, display);
    const opened = { state: this.#begin(name, attributes), display, unit };
    if (isVoid(name)) this.#endElement(name, opened);
    else this.#open.open(name, opened);
  }

  #closed({ name, data }: OpenElement<Opened>): void {
    if (this.#hiddenAt !== undefined) {
      if (this.#open.depth > this.#hiddenAt) return;
      this.#hiddenAt = undefined;
      const dropped = this.#dropped;
      this.#dropped = "";
      return this.#drop(dropped);
    }
    this.#endElement(name, data);
  }

  #endElement(name: string, { state, display, unit }: Opened): void {
    this.#end(state);
    if (unit) this.#layout.endUnit(unit, leadsSomewhere(state) ? "unit" : unit.apart);
    if (!isVoid(name) || display === "block") this.#beginBlock(name, display);
  }

  /** Writes the break before or after a block. */
  #beginBlock(name: string, display: Display): void {
    const isParagraph = PARAGRAPHS.has(name);
    const isLine = LINES.has(name);
    if (!isParagraph && !isLine && display !== "block") return;
    if ((isParagraph || isLine) && !JOINS_CELLS.has(name)) this.#layout.endRowLine();
    const isInnerList = LISTS.has(name) && this.#lists.length > 0;
    this.#layout.block(isParagraph && !isInnerList ? 1 : 0);
  }

  /** Begins a unit for an element that needs spaces around it, such as a link, or returns null. */
  #beginUnit(name: string, display: Display): LineUnit | null {
    if (name === "img" || display === "inline-block") return this.#layout.beginUnit("unit");
    return name === "a" ? this.#layout.beginUnit("link") : null;
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
        if (!state.address) return;
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

  /**
   * Begins a list item. Items inside a template loop get no numbers, because only a rendered
   * template shows their numbers.
   */
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
    this.#row = this.#layout.position();
    return { kind: "row", outer };
  }

  #link(attributes: readonly HtmlAttribute[]): State {
    const href = attributeValue(this.#html, attributes, "href");
    const address = this.#breaksBlocks(href ?? "") ? null : linkAddressOf(href);
    return { kind: "link", address, mark: this.#layout.position() };
  }

  #endLink({ whole, shown }: LinkAddress, text: string | undefined): void {
    if (text === "") this.#layout.value(shown);
    else if (text !== whole && text !== shown) this.#layout.append(`(${shown})`);
  }

  /** Returns whether an attribute's value contains only a part of a template block. */
  #breaksBlocks(value: string): boolean {
    return this.#templated && findUnbalanced(value).length > 0;
  }

  #displayOf(name: string, attributes: readonly HtmlAttribute[]): Display {
    if (HIDDEN_ELEMENTS.has(name)) return "hidden";
    if (attributes.some((attribute) => attribute.name === "hidden")) return "hidden";
    const style = attributeValue(this.#html, attributes, "style");
    return style === undefined ? "inline" : displayOf(style);
  }
}

function leadsSomewhere(state: State): boolean {
  return state.kind === "link" && state.address !== null;
}
