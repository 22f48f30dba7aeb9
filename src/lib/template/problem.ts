// Describes why and where a template is refused. The message is a phrase that continues the field's
// name. The message contains the line and the column, so that callers cannot lose them. Pure.

export interface TemplateError {
  readonly kind: "error";
  /** Text such as `has an error at line 3, column 7: unknown helper "upper"`. */
  readonly message: string;
  /** The line, counted from 1. */
  readonly line: number;
  /** The column, counted from 1 in UTF-16 code units. */
  readonly column: number;
}

/**
 * The error that the compiler's stages throw. It is converted to a TemplateError before it leaves
 * this folder.
 */
export class TemplateProblem extends Error {
  readonly line: number;
  readonly column: number;

  /** Line and column count from 1. */
  constructor(problem: string, line: number, column: number) {
    super(problem);
    this.line = line;
    this.column = column;
  }

  toError(): TemplateError {
    const { message, line, column } = this;
    return {
      kind: "error",
      message: `has an error at line ${line}, column ${column}: ${message}`,
      line,
      column,
    };
  }
}

/** Makes a problem at an offset into the source, in UTF-16 code units. */
export function problemAt(source: string, offset: number, problem: string): TemplateProblem {
  const before = source.slice(0, offset).split(/\r\n?|\n/);
  return new TemplateProblem(problem, before.length, (before.at(-1)?.length ?? 0) + 1);
}
