// Compiles and renders in one go, for tests that expect both to succeed, or one to be refused.
import { compileTemplate } from "../../../../src/lib/template/compile.ts";
import { renderTemplate } from "../../../../src/lib/template/render.ts";

type Variables = Readonly<Record<string, unknown>>;

export function rendered(source: string, variables: Variables = {}, escape = true): string {
  const template = compileTemplate(source);
  if (template.kind === "error") throw new Error(template.message);
  const result = renderTemplate(template, variables, { escape });
  if (result.kind === "error") throw new Error(result.message);
  return result.text;
}

/** The message of whichever stage refuses. */
export function refused(source: string, variables: Variables = {}): string {
  const template = compileTemplate(source);
  const result =
    template.kind === "error" ? template : renderTemplate(template, variables, { escape: true });
  if (result.kind === "text") throw new Error(`rendered: ${result.text.slice(0, 100)}`);
  return result.message;
}
