// Breaks the HTML of a mail into indented lines, so that people can read it. Lines are broken only
// beside elements around which white space is not drawn, such as paragraphs, lists and table cells.
// All other text is unchanged. Comments are unchanged too, because they may be conditions of
// Outlook. Pure.

const BLOCKS = new Set(
  (
    "html head body meta title link style table thead tbody tfoot tr td th center div p h1 h2 h3 " +
    "h4 h5 h6 ul ol li hr blockquote"
  ).split(" "),
);
const VOID = new Set(["meta", "link", "hr"]);
/** Elements whose content is not HTML, or whose white space is drawn. */
const VERBATIM = new Set(["style", "script", "pre", "textarea", "title"]);
const INDENT = "  ";
/** The length from which a line is hard to read. */
const LONG_LINE = 400;

/** A piece of the source: a tag that may be alone on its line, or anything else. */
interface Piece {
  readonly text: string;
  readonly kind: "open" | "close" | "void" | "inline";
}

/** Tells whether the source has a line that is too long to read. */
export function isHardToRead(html: string): boolean {
  return html.split("\n").some((line) => line.length > LONG_LINE);
}

export function formatHtml(html: string): string {
  const lines: string[] = [];
  let line = "";
  let depth = 0;
  const end = (): void => {
    if (line.trim() !== "") lines.push(INDENT.repeat(depth) + line.trim());
    line = "";
  };
  for (const { text, kind } of piecesOf(html)) {
    if (kind === "inline") {
      line += text;
      continue;
    }
    // A short element stays on one line with its content.
    if (kind === "close" && line !== "" && isOpenedBy(lines.at(-1), text)) {
      lines.push(`${lines.pop()}${line.trim()}${text}`);
      line = "";
      depth = Math.max(0, depth - 1);
      continue;
    }
    end();
    if (kind === "close") depth = Math.max(0, depth - 1);
    lines.push(INDENT.repeat(depth) + text);
    if (kind === "open") depth += 1;
  }
  end();
  return `${lines.join("\n")}\n`;
}

/** Tells whether the line is only the opening tag that belongs to this closing tag. */
function isOpenedBy(line: string | undefined, closing: string): boolean {
  const opened = line?.trim().toLowerCase() ?? "";
  const name = nameIn(closing);
  const next = opened.charAt(name.length + 1);
  const isAlone = opened.indexOf(">") === opened.length - 1;
  return opened.startsWith(`<${name}`) && isAlone && (next === ">" || next === " ");
}

interface Opened {
  readonly name: string;
  readonly isInline: boolean;
}

function piecesOf(html: string): Piece[] {
  const pieces: Piece[] = [];
  const open: Opened[] = [];
  for (let at = 0; at < html.length;) {
    const start = html.indexOf("<", at);
    if (start !== at) {
      const text = html.slice(at, start === -1 ? html.length : start);
      pieces.push({ text, kind: "inline" });
      at += text.length;
      continue;
    }
    const text = tagAt(html, at);
    const name = nameIn(text);
    at += text.length;
    if (VERBATIM.has(name) && !text.startsWith("</")) {
      const closing = html.toLowerCase().indexOf(`</${name}`, at);
      const content = html.slice(at, closing === -1 ? html.length : closing);
      const last = closing === -1 ? "" : tagAt(html, closing);
      const kind = BLOCKS.has(name) ? "void" : "inline";
      pieces.push({ text: text + content + last, kind });
      at += content.length + last.length;
    } else pieces.push({ text, kind: kindInside(open, text, name) });
  }
  return pieces;
}

/**
 * Returns the kind of a tag, and records the open blocks. The closing tag of an inline block is
 * inline too.
 */
function kindInside(open: Opened[], text: string, name: string): Piece["kind"] {
  const kind = kindOf(text, name);
  const isBlock = BLOCKS.has(name) && !VOID.has(name) && !text.endsWith("/>");
  if (!isBlock) return kind;
  if (!text.startsWith("</")) {
    open.push({ name, isInline: kind === "inline" });
    return kind;
  }
  const at = open.findLastIndex((one) => one.name === name);
  const [opened] = at === -1 ? [] : open.splice(at);
  return opened?.isInline ? "inline" : kind;
}

function kindOf(text: string, name: string): Piece["kind"] {
  if (text.startsWith("<!--") || text.startsWith("<![")) return "inline";
  if (/^<!doctype/i.test(text)) return "void";
  // White space next to such an element is drawn, so the element stays in its line.
  if (!BLOCKS.has(name) || text.includes("inline")) return "inline";
  if (text.startsWith("</")) return "close";
  return VOID.has(name) || text.endsWith("/>") ? "void" : "open";
}

/** Returns the tag or the comment that begins at `start`. A quoted value may contain `>`. */
function tagAt(html: string, start: number): string {
  if (html.startsWith("<!--", start)) {
    const end = html.indexOf("-->", start);
    return html.slice(start, end === -1 ? html.length : end + 3);
  }
  let quote = "";
  for (let at = start + 1; at < html.length; at += 1) {
    const character = html.charAt(at);
    if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === ">") return html.slice(start, at + 1);
  }
  return html.slice(start);
}

function nameIn(tag: string): string {
  return /^<\/?([a-z][a-z0-9]*)/i.exec(tag)?.[1]?.toLowerCase() ?? "";
}
