// Compiles and renders in one step, for tests in which both succeed or one is refused.
import { compileTemplate } from "../../../../src/lib/template/compile.ts";
import { renderTemplate } from "../../../../src/lib/template/render.ts";

type Variables = Readonly<Record<string, unknown>>;

export function render(source: string, variables: Variables = {}, escape = true): string {
  const template = compileTemplate(source);
  if (template.kind === "error") throw new Error(template.message);
  const result = renderTemplate(template, variables, { escape });
  if (result.kind === "error") throw new Error(result.message);
  return result.text;
}

/** Returns the error message with which the template is refused, at compiling or at rendering. */
export function refusalOf(source: string, variables: Variables = {}): string {
  const template = compileTemplate(source);
  const result =
    template.kind === "error" ? template : renderTemplate(template, variables, { escape: true });
  if (result.kind === "text") throw new Error(`rendered: ${result.text.slice(0, 100)}`);
  return result.message;
}
