// Makes the HTML for the rules, from the source that the author sees. The HTML is rendered but not
// tracked, and each tag leads to its position in the source. Pure.
import { compileTemplate } from "../lib/template/compile.ts";
import type { TemplateError } from "../lib/template/problem.ts";
import { renderTemplate } from "../lib/template/render.ts";
import type { CheckedHtml, CheckedVariables } from "./checked-mail.ts";
import { markTags } from "./tag-marks.ts";

/** The parts of a mail as their author wrote them. */
export interface AuthoredMail {
  readonly subject: string | null;
  readonly html: string | null;
  readonly text: string | null;
  /**
   * The Markdown from which HTML and text are derived. Null means that the author wrote the HTML.
   */
  readonly markdown: string | null;
  /** True if the text is derived from the HTML. */
  readonly isTextDerived: boolean;
}

type Values = Readonly<Record<string, unknown>>;

const encoder = new TextEncoder();

/**
 * Makes the HTML to judge. If `values` is null, nothing is rendered. `copyHtml` is the HTML of the
 * recipient's copy after tracking. Its default is the rendered HTML. Returns null if the mail has
 * no HTML, or its rendering exceeds a limit.
 */
export function authoredHtml(
  { html, markdown }: AuthoredMail,
  values: Values | null,
  copyHtml?: string | null,
): CheckedHtml | TemplateError | null {
  if (html === null) return null;
  const isRendered = values !== null && html.includes("{{");
  const isMarked = isRendered && markdown === null;
  const markup = isRendered ? render(isMarked ? markTags(html) : html, values) : html;
  if (typeof markup !== "string") return markup;
  const copy = copyHtml ?? (isMarked ? render(html, values) : markup);
  return {
    field: markdown === null ? "html" : "markdown",
    source: markdown ?? html,
    markup,
    origin: markdown !== null ? "searched" : isMarked ? "marked" : "same",
    isTemplate: false,
    copyBytes: encoder.encode(typeof copy === "string" ? copy : "").length,
  };
}

/**
 * Lists the parts in which an author writes variables. A text that is derived from the HTML does
 * not count.
 */
export function variableSources(mail: AuthoredMail): CheckedVariables["sources"] {
  const { subject, html, text, markdown, isTextDerived } = mail;
  const parts: readonly (readonly [field: string, part: string | null])[] = [
    ["subject", subject],
    markdown === null ? ["html", html] : ["markdown", markdown],
    ["text", isTextDerived ? null : text],
  ];
  return parts.flatMap(([field, part]) => (part === null ? [] : [{ field, text: part }]));
}

/** Renders a source. Null means that the rendering takes too long, or its result is too long. */
function render(source: string, values: Values): string | TemplateError | null {
  const compiled = compileTemplate(source);
  if (compiled.kind === "error") return compiled;
  const rendered = renderTemplate(compiled, values, { escape: true });
  return rendered.kind === "text" ? rendered.text : null;
}
