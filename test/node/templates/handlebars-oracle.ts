// Handlebars as the reference for rendering, in two forms: unchanged, and with its one known bug
// fixed (`{{{a}}}{{{b}}}` adds numbers).
import Handlebars from "handlebars";

export type OracleVerdict =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "error"; readonly message: string };

interface Compiler {
  popStack(): string;
  appendToBuffer(source: unknown): unknown;
  pushSource(source: unknown): void;
}

const RUNTIME = { allowProtoPropertiesByDefault: false, allowProtoMethodsByDefault: false };

/**
 * A copy of Handlebars that converts every value to text before it joins the values, so that it
 * does not add numbers.
 */
const concatenating = Handlebars.create();
{
  const environment = concatenating as unknown as {
    JavaScriptCompiler: { new (): object; prototype: object };
  };
  class ConcatenatingCompiler extends environment.JavaScriptCompiler {}
  Object.assign(ConcatenatingCompiler.prototype, {
    compiler: ConcatenatingCompiler,
    append(this: Compiler) {
      const value = this.popStack();
      this.pushSource(this.appendToBuffer(["(", value, " != null ? '' + (", value, ") : '')"]));
    },
  });
  environment.JavaScriptCompiler = ConcatenatingCompiler;
}

export function renderWithHandlebars(
  template: string,
  variables: unknown,
  escape: boolean,
): OracleVerdict {
  return judge(Handlebars, template, variables, escape);
}

export function renderConcatenating(
  template: string,
  variables: unknown,
  escape: boolean,
): OracleVerdict {
  return judge(concatenating, template, variables, escape);
}

function judge(
  environment: typeof Handlebars,
  template: string,
  variables: unknown,
  escape: boolean,
): OracleVerdict {
  try {
    return {
      kind: "text",
      text: environment.compile(template, { noEscape: !escape })(variables, RUNTIME),
    };
  } catch (error) {
    return { kind: "error", message: error instanceof Error ? error.message : String(error) };
  }
}
