// Adds callouts to Markdown, such as `> [!NOTE]`. A quote becomes a box if its first line names a
// kind. The box's title is the author's text or, without one, the kind. Pure.
import type { MarkdownIt, StateCore, Token } from "markdown-it";

const CALLOUTS = ["note", "tip", "important", "warning", "caution"] as const;

export type Callout = (typeof CALLOUTS)[number];

const FIRST_LINE = /^\[!([a-z]+)\][\t ]*([^\n]*)(?:\n|$)/i;

export function addCallouts(markdown: MarkdownIt): void {
  markdown.core.ruler.before("inline", "callouts", (state) => {
    state.tokens = replaceCallouts(state);
  });
}

function replaceCallouts(state: StateCore): Token[] {
  const { tokens } = state;
  const kept: Token[] = [];
  /** True for each open quote that is a callout. */
  const open: boolean[] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (!token) break;
    kept.push(token);
    if (token.type === "blockquote_close" && open.pop()) token.type = "callout_close";
    if (token.type !== "blockquote_open") continue;
    const [paragraph, inline, end] = tokens.slice(index + 1, index + 4);
    const [line, kind = "", title = ""] =
      FIRST_LINE.exec(paragraph?.type === "paragraph_open" ? (inline?.content ?? "") : "") ?? [];
    const callout = CALLOUTS.find((known) => known === kind.toLowerCase());
    open.push(callout !== undefined);
    if (!callout || !paragraph || !inline || !end || line === undefined) continue;
    token.type = "callout_open";
    token.info = callout;
    kept.push(
      ...makeTitle(state, title || `${callout.charAt(0).toUpperCase()}${callout.slice(1)}`),
    );
    inline.content = inline.content.slice(line.length);
    if (inline.content === "") index += 3;
  }
  return kept;
}

function makeTitle({ Token: TokenOf }: StateCore, title: string): Token[] {
  const inline = new TokenOf("inline", "", 0);
  inline.content = title;
  inline.children = [];
  return [
    new TokenOf("callout_title_open", "p", 1),
    inline,
    new TokenOf("callout_title_close", "p", -1),
  ];
}
