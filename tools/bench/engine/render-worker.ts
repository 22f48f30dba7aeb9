// The deployed template engine, in workerd, which does not run code made from strings. `compile`
// scans, parses and compiles a template that it has not seen before. `render` renders the compiled
// template with its variables, as HTML.
import { TEMPLATE, VARIABLES } from "./template.ts";
import type { EngineTurns } from "./work.ts";

type Failure = { readonly kind: "error"; readonly message: string };
type Template = { readonly kind: "template" };

/** Exports of src/lib/template. */
interface Engine {
  readonly compileTemplate: (source: string) => Template | Failure;
  readonly renderTemplate: (
    template: Template,
    variables: Readonly<Record<string, unknown>>,
    options: { readonly escape: boolean },
  ) => { readonly kind: "text"; readonly text: string } | Failure;
}

export function workerAround({ compileTemplate, renderTemplate }: Engine): {
  fetch(request: Request): Promise<Response>;
} {
  let seen = 0;
  const compile = (source: string): Template => {
    const template = compileTemplate(source);
    if (template.kind === "error") throw new Error(template.message);
    return template;
  };
  const render = (template: Template): string => {
    const result = renderTemplate(template, VARIABLES, { escape: true });
    if (result.kind === "error") throw new Error(result.message);
    return result.text;
  };
  return {
    async fetch(request) {
      const { task, times } = (await request.json()) as EngineTurns;
      const template = compile(TEMPLATE);
      let output = "";
      for (let turn = 0; turn < times; turn += 1) {
        if (task === "compile") compile(`${TEMPLATE}${(seen += 1)}`);
        else output = render(template);
      }
      return new Response(output);
    },
  };
}
