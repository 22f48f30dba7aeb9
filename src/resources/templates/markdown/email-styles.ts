// Styles the elements of rendered Markdown. Styles are inline, because Gmail and Outlook support
// few other styles. Classes are only for dark mode (email-shell.ts). Boxes and buttons are table
// cells with a background colour, because Outlook renders these correctly. Pure.
import type { MarkdownIt, RendererRule, Token } from "markdown-it";
import { BUTTON, BUTTON_ALONE } from "./markdown-buttons.ts";
import type { Callout } from "./markdown-callouts.ts";

export const FONT = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
const CODE_FONT = "SFMono-Regular,Consolas,Menlo,monospace";
const TABLE = `role="presentation" cellpadding="0" cellspacing="0" border="0"`;
const ACCENT = "#1d4ed8";

interface ElementStyle {
  readonly style: string;
  readonly class?: string;
}

/** The styles of HTML elements, by the type of the Markdown token. */
const ELEMENT_STYLES: Readonly<Record<string, ElementStyle>> = {
  paragraph_open: { style: "margin:0 0 16px" },
  heading_open_1: { style: "margin:0 0 16px;font-size:28px;line-height:1.25;font-weight:700" },
  heading_open_2: { style: "margin:24px 0 12px;font-size:22px;line-height:1.3;font-weight:700" },
  heading_open_3: { style: "margin:24px 0 8px;font-size:18px;line-height:1.35;font-weight:700" },
  heading_open_4: { style: "margin:16px 0 8px;font-size:16px;line-height:1.5;font-weight:700" },
  heading_open_5: { style: "margin:16px 0 8px;font-size:14px;line-height:1.5;font-weight:700" },
  heading_open_6: {
    style: "margin:16px 0 8px;font-size:14px;line-height:1.5;font-weight:700;color:#4b5563",
    class: "muted",
  },
  bullet_list_open: { style: "margin:0 0 16px;padding:0 0 0 24px" },
  ordered_list_open: { style: "margin:0 0 16px;padding:0 0 0 28px" },
  list_item_open: { style: "margin:0 0 6px" },
  blockquote_open: {
    style: "margin:0 0 16px;padding:0 0 0 16px;border-left:4px solid #d1d5db;color:#4b5563",
    class: "quote",
  },
  callout_title_open: { style: "margin:0 0 4px;font-weight:700" },
  hr: { style: "margin:24px 0;border:0;border-top:1px solid #d1d5db", class: "line" },
  th_open: {
    style:
      "padding:8px;word-break:normal;overflow-wrap:normal;border-bottom:2px solid " +
      `#d1d5db;font-family:${FONT};font-size:14px;line-height:1.5`,
    class: "line",
  },
  td_open: {
    style:
      "padding:8px;word-break:normal;overflow-wrap:normal;border-bottom:1px solid " +
      `#d1d5db;font-family:${FONT};font-size:14px;line-height:1.5;vertical-align:top`,
    class: "line",
  },
  link_open: { style: `color:${ACCENT};text-decoration:underline`, class: "link" },
  code_inline: {
    style: `padding:2px 4px;background-color:#f3f4f6;border-radius:4px;font-family:${CODE_FONT};font-size:14px`,
    class: "code",
  },
  image: { style: "max-width:100%;height:auto;border:0;vertical-align:middle" },
};

const PRE_STYLE = `margin:0 0 16px;padding:12px 16px;background-color:#f3f4f6;border-radius:6px;font-family:${CODE_FONT};font-size:13px;line-height:1.5;white-space:pre-wrap;word-break:break-word`;

const BOXES: Readonly<Record<Callout, { readonly background: string; readonly edge: string }>> = {
  note: { background: "#eff6ff", edge: "#2563eb" },
  tip: { background: "#ecfdf5", edge: "#059669" },
  important: { background: "#f5f3ff", edge: "#7c3aed" },
  warning: { background: "#fffbeb", edge: "#d97706" },
  caution: { background: "#fef2f2", edge: "#dc2626" },
};

const BUTTON_STYLE =
  "display:inline-block;color:#ffffff;font-weight:600;text-decoration:none;border-radius:6px";
const BUTTON_OPEN =
  `<table ${TABLE} style="margin:0 0 16px;border-collapse:separate"><tr><td class="button" ` +
  `align="center" bgcolor="${ACCENT}" ` +
  `style="background-color:${ACCENT};border-radius:6px;mso-padding-alt:12px 24px">`;

export function styleEmail(markdown: MarkdownIt): void {
  markdown.core.ruler.push("email_styles", ({ tokens }) => {
    for (const token of tokens) {
      styleToken(token);
      for (const child of token.children ?? []) styleToken(child);
    }
  });
  Object.assign(markdown.renderer.rules, RULES);
}

function styleToken(token: Token): void {
  const elementStyle =
    ELEMENT_STYLES[
      token.type === "heading_open" ? `heading_open_${token.tag.slice(1)}` : token.type
    ];
  if (!elementStyle || token.info === BUTTON || token.info === BUTTON_ALONE) return;
  const alignment = token.attrGet("style");
  if (alignment !== null) token.attrSet("align", String(alignment).replace("text-align:", ""));
  else if (token.type === "th_open") token.attrSet("align", "left");
  if (elementStyle.class) token.attrSet("class", elementStyle.class);
  token.attrSet(
    "style",
    alignment === null ? elementStyle.style : `${elementStyle.style};${alignment}`,
  );
}

const RULES: Readonly<Record<string, RendererRule>> = {
  table_open: () =>
    `<div style="overflow-x:auto"><table width="100%" cellpadding="0" cellspacing="0" ` +
    `border="0" style="width:100%;margin:0 0 16px;border-collapse:collapse">\n`,
  table_close: () => "</table></div>\n",
  callout_open: (tokens, index) => {
    const kind = tokens[index]?.info as Callout;
    const { background, edge } = BOXES[kind];
    return (
      `<table ${TABLE} width="100%" style="width:100%;margin:0 0 ` +
      `16px;border-collapse:separate"><tr><td class="box ${kind}" bgcolor="${background}" ` +
      `style="padding:12px 16px 0;background-color:${background};border-left:4px solid ` +
      `${edge}">\n`
    );
  },
  callout_close: () => "</td></tr></table>\n",
  fence: (tokens, index, _options, _env, renderer) => renderPreformatted(tokens[index], renderer),
  code_block: (tokens, index, _options, _env, renderer) =>
    renderPreformatted(tokens[index], renderer),
  link_open: (tokens, index, options, _env, renderer) => {
    const token = tokens[index];
    if (token?.info === BUTTON)
      return renderButton(
        token,
        `${BUTTON_STYLE};padding:4px 12px;background-color:${ACCENT}`,
        "button",
        renderer,
      );
    if (token?.info === BUTTON_ALONE)
      return BUTTON_OPEN + renderButton(token, `${BUTTON_STYLE};padding:12px 24px`, "", renderer);
    return renderer.renderToken(tokens, index, options);
  },
  link_close: (tokens, index) =>
    tokens[index]?.info === BUTTON_ALONE ? "</a></td></tr></table>\n" : "</a>",
};

function renderButton(
  token: Token,
  style: string,
  className: string,
  renderer: MarkdownIt["renderer"],
): string {
  if (className) token.attrSet("class", className);
  token.attrSet("style", style);
  return `<a${renderer.renderAttrs(token)}>`;
}

function renderPreformatted(token: Token | undefined, renderer: MarkdownIt["renderer"]): string {
  const attributes = renderer.renderAttrs({
    attrs: [
      ["class", "code"],
      ["style", PRE_STYLE],
    ],
  });
  return `<pre${attributes}><code>${escapeHtml(token?.content ?? "")}</code></pre>\n`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
