// The variables that the content of a template uses (contract.md §Template variables).
import { compileTemplate } from "../../lib/template/compile.ts";
import type { VariablePath } from "../../lib/template/variable-names.ts";
import type { Content } from "./template-content.ts";

/**
 * The recipient's own link. A send that asks for links gives it a value, so it is no variable of
 * the caller's.
 */
export const LINK_VARIABLE = "unsubscribe_url";

/**
 * The names of the variables that the words of a message come from, dotted (`user.name`), sorted.
 * The Markdown of a template counts by the HTML and the text that it makes.
 */
export function variablesIn({
  subject,
  html,
  text,
}: Pick<Content, "subject" | "html" | "text">): string[] {
  const names = [subject, html, text].flatMap((source) => {
    const compiled = compileTemplate(source ?? "");
    return compiled.kind === "error"
      ? []
      : compiled.variables.filter(isCallers).map((path) => path.join("."));
  });
  return [...new Set(names)].toSorted();
}

export function isCallers([name]: VariablePath): boolean {
  return name !== LINK_VARIABLE;
}
