// Renders a compiled template over one message's variables, within a budget of steps and output (design.md section 4 "Templating").
import type { Template } from "./compile.ts";
import { BudgetExceeded, Rendering } from "./rendering.ts";
import { rootFrame } from "./scope.ts";

export type RenderResult =
  | { readonly kind: "text"; readonly text: string }
  /** The phrase goes on from the field's name: `takes more than 500000 steps to render`. */
  | { readonly kind: "error"; readonly message: string };

/**
 * `variables` are JSON, nested some hundred levels at most. With `escape` what double braces print is made safe for HTML text and quoted attributes;
 * without it nothing is escaped, and line breaks in values are the caller's affair.
 */
export function renderTemplate(
  template: Template,
  variables: Readonly<Record<string, unknown>>,
  { escape }: { readonly escape: boolean },
): RenderResult {
  const run = new Rendering(escape);
  try {
    template.render(rootFrame(variables), run);
  } catch (error) {
    if (error instanceof BudgetExceeded) return { kind: "error", message: error.message };
    throw error;
  }
  return { kind: "text", text: run.text };
}
