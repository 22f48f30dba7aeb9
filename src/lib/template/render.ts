// Renders a compiled template with one message's variables, within a budget of steps and output
// (decision 0014). Pure.
import type { CompiledTemplate } from "./compile.ts";
import type { Meter } from "./meter.ts";
import { type Budget, BudgetExceeded, Rendering, type TextFlow } from "./rendering.ts";
import { rootFrame } from "./scope.ts";

export type RenderResult =
  | { readonly kind: "text"; readonly text: string }
  /**
   * `message` is a phrase that continues the field's name: `takes more than 500000 steps to
   * render`.
   */
  | { readonly kind: "error"; readonly exceeded: Budget; readonly message: string };

/**
 * Renders a template. `variables` are JSON, nested a few hundred levels at most. `escape` makes the
 * output of double braces safe in HTML text and quoted attributes. If `escape` is false, nothing is
 * escaped, and the caller handles line breaks in values. `flow` transforms the output. The cost is
 * added to `meter`, whether rendering succeeds or not.
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
    run.end();
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
