// Renders Markdown for tests. Returns the whole page, or only the content of the page's column.
import { renderMarkdown } from "../../../../src/resources/templates/markdown/markdown.ts";

export function htmlOf(source: string): string {
  const rendered = renderMarkdown(source);
  return rendered.kind === "html" ? rendered.html : "";
}

/** Returns the content of the page's column without its styles. */
export function contentOf(source: string): string {
  const html = htmlOf(source);
  const column = html.slice(html.indexOf('<td class="content"'));
  return column
    .slice(column.indexOf(">") + 1, column.lastIndexOf("</td></tr></table>\n<!--[if mso]>"))
    .replace(/ (?:style|class|bgcolor|width|cellpadding|cellspacing|border|role)="[^"]*"/g, "")
    .trim();
}
