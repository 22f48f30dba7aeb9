// Email Markdown to the HTML of a whole message (spec.md "Template", kind `markdown`; design.md section 4 "Markdown"): CommonMark and tables, raw HTML
// escaped, with buttons, callouts and a preview text, in a page that mail clients show well. Tags of the template language come through as they are. A
// first line `preheader: ...` is the preview; without one an inbox shows the beginning of the message, as it would anyway.
import MarkdownIt from "markdown-it";
import { emailPage } from "./email-shell.ts";
import { emailStyles } from "./email-styles.ts";
import { blockTags } from "./markdown-block-tags.ts";
import { buttons } from "./markdown-buttons.ts";
import { callouts } from "./markdown-callouts.ts";
import { safeLinks } from "./markdown-links.ts";
import { joinedLists } from "./markdown-lists.ts";
import { shelter, unshelter } from "./markdown-markers.ts";

/** More make more HTML than a template may have, so that nobody need wait for it. */
const BLOCK_TOKENS = 40_000;

const PREHEADER = /^preheader:([^\n]*)(?:\n|$)/i;

const markdown = new MarkdownIt("commonmark", { html: false, xhtmlOut: false })
  .enable("table")
  .use(safeLinks)
  .use(blockTags)
  .use(joinedLists)
  .use(callouts)
  .use(buttons)
  .use(emailStyles);

markdown.core.ruler.after("block", "block_limit", (state) => {
  if (state.tokens.length <= BLOCK_TOKENS) return;
  state.tokens = [];
  state.env["tooLong"] = true;
});

/** Undefined: it would be longer than any template may be. */
export function renderMarkdown(source: string): string | undefined {
  const { text, markers } = shelter(source.replace(/\r\n?/g, "\n").replace(/^\ufeff/, ""));
  const [directive = "", preheader = ""] = PREHEADER.exec(text) ?? [];
  const env = { markers, tooLong: false };
  const content = markdown.render(text.slice(directive.length), env);
  if (env.tooLong) return undefined;
  return unshelter(emailPage(content, markdown.utils.escapeHtml(preheader.trim())), markers);
}
