// How a template that is refused says where and why: a phrase that goes on from the field's name,
// with line and column in it, so that no caller can lose them.

export interface TemplateError {
  readonly kind: "error";
  /** E.g. `has an error at line 3, column 7: unknown helper "upper"`. */
  readonly message: string;
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 code units. */
  readonly column: number;
}

/** What the stages of compiling throw to one another; it never leaves the room. */
export class TemplateProblem extends Error {
  readonly line: number;
  readonly column: number;

  /** Line and column from 1. */
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

/** A problem at an offset into the source, in UTF-16 code units. */
export function problemAt(source: string, offset: number, problem: string): TemplateProblem {
  const before = source.slice(0, offset).split(/\r\n?|\n/);
  return new TemplateProblem(problem, before.length, (before.at(-1)?.length ?? 0) + 1);
}
