// Converts the HTML value of a variable for the text of a template (docs/templates.md §The plain
// text), by the rules of the derived text. Starts a new line for each HTML block, with the quote
// marks and indents of the surrounding lines. If the value for a link's address is empty, omits the
// brackets around it. Pure.
import { decodeHTMLAttribute } from "entities/decode";
import type { TextFlow } from "../../lib/template/rendering.ts";
import { htmlToText } from "./html-to-text.ts";

/** A noncharacter in place of the text around a value. Unicode reserves it for internal use. */
const EDGE = "\ufdd3";
/** Matches the prefix of a line in quotes and lists. */
const PREFIX = /^(?:> |- |\d{1,9}\. | )*/;
/** Maximum length of a line's prefix (text-layout.ts). */
const PREFIX_CHARACTERS = 128;

/** The characters between a link's text and its address. */
const BEFORE_ADDRESS = " (";

export class HtmlInText implements TextFlow {
  /** The beginning of the current line. */
  #line = "";
  /** The line breaks at the end of the last value. They are written only if text follows. */
  #due = "";
  /**
   * BEFORE_ADDRESS, while it waits for the next text, which shows whether the link's address is
   * empty. Otherwise an empty text.
   */
  #held = "";

  words(text: string): string {
    if (text === "") return "";
    const isEmptyAddress = this.#held !== "" && text.startsWith(")");
    const whole = isEmptyAddress ? text.slice(1) : this.#held + text;
    this.#held = whole.endsWith(BEFORE_ADDRESS) ? BEFORE_ADDRESS : "";
    return this.#words(whole.slice(0, whole.length - this.#held.length));
  }

  end(): string {
    const held = this.#held;
    this.#held = "";
    return this.#words(held);
  }

  #words(text: string): string {
    const isInterval = this.#due !== "" && !text.startsWith("\n");
    if (text === "" || (isInterval && text.trim() === "")) return "";
    return this.#write(isInterval ? this.#onLines(this.#due) + text.trimStart() : text);
  }

  /**
   * Converts a value. A value without tags is plain text. Decodes its character references as in an
   * attribute, because the value may be an address or be inside `<pre>`.
   */
  html(html: string): string {
    if (!html.includes("<")) return this.words(decodeHTMLAttribute(html).replaceAll("\u00a0", " "));
    return this.end() + this.#elements(html);
  }

  #elements(html: string): string {
    const laidOut = htmlToText(EDGE + html + EDGE, { templated: false });
    const text = laidOut.replaceAll(EDGE, "");
    const before = text.slice(0, text.length - text.trimStart().length);
    const after = laidOut.endsWith(EDGE) ? text.slice(text.trimEnd().length) : "";
    const gap = [this.#due, before].find((one) => one.includes("\n")) ?? before;
    if (text.trim() === "") {
      this.#due = gap.includes("\n") ? gap : "";
      return "";
    }
    const isLineFresh = PREFIX.exec(this.#line)?.[0] === this.#line;
    const written = this.#write(
      (isLineFresh ? "" : this.#onLines(gap)) + this.#onLines(text.trim()),
    );
    if (!after.includes("\n")) return written + this.#write(after);
    this.#due = after;
    return written;
  }

  #write(text: string): string {
    this.#due = "";
    const lineStart = text.lastIndexOf("\n") + 1;
    const line =
      lineStart > 0
        ? text.slice(lineStart, lineStart + PREFIX_CHARACTERS)
        : this.#line + text.slice(0, PREFIX_CHARACTERS);
    this.#line = line.slice(0, PREFIX_CHARACTERS);
    return text;
  }

  /**
   * Adds the prefix of the current line to the next lines of the text, so that they stay in the
   * same quote or list item.
   */
  #onLines(text: string): string {
    if (!text.includes("\n")) return text;
    const rest = (PREFIX.exec(this.#line)?.[0] ?? "").replace(/- |\d{1,9}\. /g, (bullet) =>
      " ".repeat(bullet.length),
    );
    const [first = "", ...others] = text.split("\n");
    return [
      first,
      ...others.map((line, index) =>
        line === "" && index < others.length - 1 ? rest.trimEnd() : rest + line,
      ),
    ].join("\n");
  }
}
