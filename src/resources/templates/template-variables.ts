// Finds the variables that a template's content uses (contract.md §Template variables).
import { compileTemplate } from "../../lib/template/compile.ts";
import type { VariablePath } from "../../lib/template/variable-names.ts";
import type { Content } from "./template-content.ts";

/**
 * The variable with the recipient's own unsubscribe link. The service sets it in a send with
 * unsubscribe links, so the caller does not provide it.
 */
export const LINK_VARIABLE = "unsubscribe_url";

/**
 * Returns the sorted, dotted names (`user.name`) of the variables that a message's content uses.
 * For Markdown, uses the derived HTML and text.
 */
export function findVariables({
  subject,
  html,
  text,
}: Pick<Content, "subject" | "html" | "text">): string[] {
  const names = [subject, html, text].flatMap((source) => {
    const compiled = compileTemplate(source ?? "");
    return compiled.kind === "error"
      ? []
      : compiled.variables.filter(isCallerVariable).map((path) => path.join("."));
  });
  return [...new Set(names)].toSorted();
}

export function isCallerVariable([name]: VariablePath): boolean {
  return name !== LINK_VARIABLE;
}
