// Adds buttons and image widths to Markdown. `[text](url){button}` is a button.
// `![alt](url){width=300}` is an image of that width, because Outlook scales images only by their
// width. Buttons that fill a paragraph become blocks. A button within text stays inline. Pure.
import type { MarkdownIt, Token } from "markdown-it";
import { isBetweenBlocks } from "./markdown-markers.ts";

const SUFFIX = "{button}";
const WIDTH = /^\{width=([1-9]\d{0,3})\}/;

/** Values of `info` in the opening and the closing token of a link that is a button. */
export const BUTTON = "button";
export const BUTTON_ALONE = "button-alone";

export function addButtons(markdown: MarkdownIt): void {
  markdown.core.ruler.push("buttons", ({ tokens }) => {
    for (const [index, { children }] of tokens.entries()) {
      if (!children) continue;
      takeSuffixes(children);
      const [before, after] = [tokens[index - 1], tokens[index + 1]];
      if (before?.type !== "paragraph_open" || !after || !isOnlyButtons(children)) continue;
      before.hidden = after.hidden = true;
      for (const token of children) if (token.info === BUTTON) token.info = BUTTON_ALONE;
    }
  });
}

function takeSuffixes(children: readonly Token[]): void {
  let link: Token | undefined;
  for (const [index, token] of children.entries()) {
    const next = children[index + 1];
    if (token.type === "link_open") link = token;
    if (next?.type !== "text") continue;
    if (token.type === "link_close" && link && next.content.startsWith(SUFFIX)) {
      link.info = token.info = BUTTON;
      next.content = next.content.slice(SUFFIX.length);
    } else if (token.type === "image") {
      const [suffix = "", width] = WIDTH.exec(next.content) ?? [];
      if (width) token.attrSet("width", width);
      next.content = next.content.slice(suffix.length);
    }
  }
}

/**
 * Returns whether the tokens are only buttons. All tokens between the opening and the closing token
 * of a button belong to that button, because links cannot contain links.
 */
function isOnlyButtons(children: readonly Token[]): boolean {
  let isInside = false;
  for (const { type, info, content } of children) {
    if (type === "link_open" && info !== BUTTON) return false;
    if (type === "link_open" || type === "link_close") isInside = type === "link_open";
    else if (
      !isInside &&
      type !== "softbreak" &&
      content.trim() !== "" &&
      !isBetweenBlocks(content)
    )
      return false;
    else if (!isInside && type !== "softbreak" && type !== "text") return false;
  }
  return children.some(({ type }) => type === "link_open");
}
