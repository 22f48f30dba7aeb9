// Tracks which elements are open at a point of an HTML document, like a browser's tree builder. An
// unmatched end tag is ignored, an end tag closes the elements left open inside, and some start
// tags close others. Each operation takes constant time on average, however deep the document
// nests. Pure.

/** An open element, with data of the code that reads the document. */
export interface OpenElement<Data> {
  readonly name: string;
  readonly data: Data;
}

/**
 * The elements that an end tag can close. Each table and each cell begins a new frame, and an end
 * tag closes only elements of the innermost frame.
 */
interface Frame {
  readonly counts: Map<string, number>;
  /**
   * Index of the frame that the innermost open table began. If no table is open, the index of the
   * document's frame.
   */
  readonly tableIndex: number;
  /**
   * One entry for each open list: the number of elements that were open when the list's current
   * item began. Undefined: the list has no open item.
   */
  readonly lists: (number | undefined)[];
}

const VOID = new Set([
  "area",
  "base",
  "br",
  "col",
  "embed",
  "hr",
  "img",
  "input",
  "link",
  "meta",
  "param",
  "source",
  "track",
  "wbr",
]);

/** Elements of a document's head. Any other element ends the head. */
const METADATA = new Set([
  "base",
  "head",
  "html",
  "link",
  "meta",
  "noscript",
  "script",
  "style",
  "template",
  "title",
]);

const CELLS = ["td", "th", "caption"];
const ROW_GROUPS = ["thead", "tbody", "tfoot"];
const TABLE_PARTS = new Set([...CELLS, ...ROW_GROUPS, "tr"]);

/** Elements that cannot be inside a paragraph. */
const ENDS_PARAGRAPH = new Set(
  `address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li
   main menu nav ol p pre search section summary table ul dd dt`.split(/\s+/),
);

/** The start tags that close open elements of a table, each with the names of these elements. */
const ENDS_IN_TABLE: ReadonlyMap<string, readonly string[]> = new Map([
  ...CELLS.map((name) => [name, CELLS] as const),
  ...ROW_GROUPS.map((name) => [name, [...CELLS, "tr", ...ROW_GROUPS]] as const),
  ["tr", [...CELLS, "tr"]],
]);

/** The start tags that close open siblings, each with the names of these siblings. */
const ENDS_SIBLING: ReadonlyMap<string, readonly string[]> = new Map([
  ["a", ["a"]],
  ["dd", ["dd", "dt"]],
  ["dt", ["dd", "dt"]],
  ["option", ["option"]],
  ["optgroup", ["option", "optgroup"]],
]);

export class OpenElements<Data> {
  readonly #elements: OpenElement<Data>[] = [];
  readonly #frames: Frame[] = [newFrame(0)];
  readonly #onClose: (element: OpenElement<Data>) => void;

  /** Calls `onClose` after each element was closed, for the innermost element first. */
  constructor(onClose: (element: OpenElement<Data>) => void) {
    this.#onClose = onClose;
  }

  get depth(): number {
    return this.#elements.length;
  }

  /** Closes the elements that a start tag of this name implicitly closes. */
  closeBefore(name: string): void {
    if (this.#elements.at(-1)?.name === "head" && !METADATA.has(name)) this.#pop();
    if (name === "body") this.close("head");
    if (name === "li") this.#closeItem();
    for (const part of ENDS_IN_TABLE.get(name) ?? []) this.#closeInTable(part);
    for (const sibling of ENDS_SIBLING.get(name) ?? []) this.close(sibling);
    if (ENDS_PARAGRAPH.has(name)) this.close("p");
  }

  /** Opens a start tag's element. A void element does not stay open. */
  open(name: string, data: Data): void {
    if (VOID.has(name)) return;
    const { counts, lists, tableIndex } = this.#top();
    if (name === "li" && lists.length > 0) lists[lists.length - 1] = this.#elements.length;
    this.#elements.push({ name, data });
    counts.set(name, (counts.get(name) ?? 0) + 1);
    if (isList(name)) lists.push(undefined);
    if (name === "table") this.#frames.push(newFrame(this.#frames.length));
    else if (CELLS.includes(name)) this.#frames.push(newFrame(tableIndex));
  }

  /**
   * Closes the innermost element of this name that an end tag can close, and all elements inside.
   */
  close(name: string): void {
    if (name === "table") this.#closeTable();
    else if (name === "li" && this.#top().lists.length > 0) this.#closeItem();
    else if (TABLE_PARTS.has(name)) this.#closeInTable(name);
    else if (isOpenIn(this.#top(), name)) while (this.#pop() !== name) continue;
  }

  closeAll(): void {
    while (this.#elements.length > 0) this.#pop();
  }

  #closeItem(): void {
    const depth = this.#top().lists.at(-1) ?? Infinity;
    while (this.#elements.length > depth) this.#pop();
  }

  #closeTable(): void {
    const { tableIndex } = this.#top();
    if (tableIndex > 0) while (this.#frames.length > tableIndex) this.#pop();
  }

  #closeInTable(name: string): void {
    const { tableIndex } = this.#top();
    const frame = this.#frames[tableIndex];
    if (!frame || !isOpenIn(frame, name)) return;
    const before = frame.counts.get(name);
    while (frame.counts.get(name) === before) this.#pop();
  }

  #pop(): string | undefined {
    const element = this.#elements.pop();
    if (!element) return undefined;
    const { name } = element;
    if (name === "table" || CELLS.includes(name)) this.#frames.pop();
    const { counts, lists } = this.#top();
    counts.set(name, (counts.get(name) ?? 0) - 1);
    if (isList(name)) lists.pop();
    else if (lists.at(-1) === this.#elements.length) lists[lists.length - 1] = undefined;
    this.#onClose(element);
    return name;
  }

  #top(): Frame {
    const frame = this.#frames.at(-1);
    if (!frame) throw new Error("the document's own frame was closed");
    return frame;
  }
}

export function isVoid(name: string): boolean {
  return VOID.has(name);
}

function isList(name: string): boolean {
  return name === "ul" || name === "ol" || name === "menu" || name === "dir";
}

function isOpenIn({ counts }: Frame, name: string): boolean {
  return (counts.get(name) ?? 0) > 0;
}

function newFrame(tableIndex: number): Frame {
  return { counts: new Map(), tableIndex, lists: [] };
}
