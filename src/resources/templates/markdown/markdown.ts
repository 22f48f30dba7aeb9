// Turns email Markdown into the HTML of a whole message (docs/templates.md §Markdown): CommonMark
// and tables, raw HTML escaped, with buttons, callouts and a preview text, in a page that mail
// clients show well. Tags of the template language come through as they are. A first line
// `preheader: ...` is the preview; without one an inbox shows the beginning of the message, as it
// would anyway.
import MarkdownIt from "markdown-it";
import { TEMPLATE_HTML_BYTES } from "../../../limits.ts";
import { emailPage } from "../email-shell.ts";
import { emailStyles } from "../email-styles.ts";
import { blockTags } from "./markdown-block-tags.ts";
import { buttons } from "./markdown-buttons.ts";
import { callouts } from "./markdown-callouts.ts";
import { safeLinks } from "./markdown-links.ts";
import { joinedLists } from "./markdown-lists.ts";
import { shelter, unshelter } from "./markdown-markers.ts";
import { NESTED_TOO_DEEP, nestingLimit } from "./markdown-nesting.ts";
import { byteLength } from "../text-limit.ts";

/** More make more HTML than a template may have, so that no one need wait for it. */
const BLOCK_TOKENS = 40_000;

const PREHEADER = /^preheader:([^\n]*)(?:\n|$)/i;

/** A problem goes on from the field's name. */
type Rendered =
  | { readonly kind: "html"; readonly html: string }
  | { readonly kind: "problem"; readonly problem: string };

const TOO_LONG: Rendered = {
  kind: "problem",
  problem: `makes more than ${TEMPLATE_HTML_BYTES} bytes of HTML`,
};

const markdown = new MarkdownIt("commonmark", { html: false, xhtmlOut: false })
  .enable("table")
  .use(safeLinks)
  .use(blockTags)
  .use(nestingLimit)
  .use(joinedLists)
  .use(callouts)
  .use(buttons)
  .use(emailStyles);

markdown.core.ruler.after("block", "block_limit", (state) => {
  if (state.tokens.length <= BLOCK_TOKENS) return;
  state.tokens = [];
  state.env["tooLong"] = true;
});

export function renderMarkdown(source: string): Rendered {
  const { text, markers } = shelter(source.replace(/\r\n?/g, "\n").replace(/^\ufeff/, ""));
  const [directive = "", preheader = ""] = PREHEADER.exec(text) ?? [];
  const env = { markers, tooLong: false, tooDeep: false };
  const content = markdown.render(text.slice(directive.length), env);
  if (env.tooDeep) return { kind: "problem", problem: NESTED_TOO_DEEP };
  if (env.tooLong) return TOO_LONG;
  const html = unshelter(emailPage(content, markdown.utils.escapeHtml(preheader.trim())), markers);
  return html.length > TEMPLATE_HTML_BYTES || byteLength(html) > TEMPLATE_HTML_BYTES
    ? TOO_LONG
    : { kind: "html", html };
}
