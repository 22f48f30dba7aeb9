// Converts email Markdown to the HTML of a whole message (docs/markdown.md): CommonMark and tables,
// with raw HTML escaped. Adds buttons, callouts and a preview text, in a page that mail programs
// display well. Template tags stay unchanged. A first line `preheader: ...` is the preview text.
// Without one, inboxes show the beginning of the message. Pure.
import MarkdownIt from "markdown-it";
import { TEMPLATE_HTML_BYTES } from "../../../limits.ts";
import { renderEmailPage } from "./email-shell.ts";
import { styleEmail } from "./email-styles.ts";
import { keepBlockTags } from "./markdown-block-tags.ts";
import { addButtons } from "./markdown-buttons.ts";
import { addCallouts } from "./markdown-callouts.ts";
import { restrictLinks } from "./markdown-links.ts";
import { joinLists } from "./markdown-lists.ts";
import { replaceMarkers, restoreMarkers } from "./markdown-markers.ts";
import { NESTED_TOO_DEEP, limitNesting } from "./markdown-nesting.ts";
import { byteLength } from "../text-limit.ts";

/**
 * Maximum number of tokens. A source with more tokens would give more HTML than a template may
 * have, so rendering stops early.
 */
const BLOCK_TOKENS = 40_000;

const PREHEADER = /^preheader:([^\n]*)(?:\n|$)/i;

/** `problem` is a phrase that continues the field's name. */
type RenderedMarkdown =
  | { readonly kind: "html"; readonly html: string }
  | { readonly kind: "problem"; readonly problem: string };

const TOO_LONG: RenderedMarkdown = {
  kind: "problem",
  problem: `makes more than ${TEMPLATE_HTML_BYTES} bytes of HTML`,
};

const markdown = new MarkdownIt("commonmark", { html: false, xhtmlOut: false })
  .enable("table")
  .use(restrictLinks)
  .use(keepBlockTags)
  .use(limitNesting)
  .use(joinLists)
  .use(addCallouts)
  .use(addButtons)
  .use(styleEmail);

markdown.core.ruler.after("block", "block_limit", (state) => {
  if (state.tokens.length <= BLOCK_TOKENS) return;
  state.tokens = [];
  state.env["tooLong"] = true;
});

export function renderMarkdown(source: string): RenderedMarkdown {
  const { text, markers } = replaceMarkers(source.replace(/\r\n?/g, "\n").replace(/^\ufeff/, ""));
  const [directive = "", preheader = ""] = PREHEADER.exec(text) ?? [];
  const env = { markers, tooLong: false, tooDeep: false };
  const content = markdown.render(text.slice(directive.length), env);
  if (env.tooDeep) return { kind: "problem", problem: NESTED_TOO_DEEP };
  if (env.tooLong) return TOO_LONG;
  const html = restoreMarkers(
    renderEmailPage(content, markdown.utils.escapeHtml(preheader.trim())),
    markers,
  );
  return html.length > TEMPLATE_HTML_BYTES || byteLength(html) > TEMPLATE_HTML_BYTES
    ? TOO_LONG
    : { kind: "html", html };
}
