// Renders a compiled template over one message's variables, within a budget of steps and output
// (decision 0014).
import type { CompiledTemplate } from "./compile.ts";
import type { Meter } from "./meter.ts";
import { type Budget, BudgetExceeded, Rendering, type TextFlow } from "./rendering.ts";
import { rootFrame } from "./scope.ts";

export type RenderResult =
  | { readonly kind: "text"; readonly text: string }
  /** The phrase goes on from the field's name: `takes more than 500000 steps to render`. */
  | { readonly kind: "error"; readonly exceeded: Budget; readonly message: string };

/**
 * `variables` are JSON, nested some hundred levels at most. With `escape` what double braces print
 * is made safe for HTML text and quoted attributes; without it nothing is escaped, and line breaks
 * in values are the caller's affair. `flow` is for the text of an HTML template. `meter` is told of
 * what it took, whatever came of it.
 */
export function renderTemplate(
  template: CompiledTemplate,
  variables: Readonly<Record<string, unknown>>,
  {
    escape,
    flow,
    meter,
  }: { readonly escape: boolean; readonly flow?: TextFlow | undefined; readonly meter?: Meter },
): RenderResult {
  const run = new Rendering(escape, flow);
  try {
    template.render(rootFrame(variables), run);
  } catch (error) {
    if (error instanceof BudgetExceeded)
      return { kind: "error", exceeded: error.budget, message: error.message };
    throw error;
  } finally {
    if (meter) {
      meter.steps += run.steps;
      meter.characters += run.text.length;
    }
  }
  return { kind: "text", text: run.text };
}
