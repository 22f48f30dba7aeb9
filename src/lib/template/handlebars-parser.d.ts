// Types for the parts of the handlebars package's parser that this folder uses. The package has no
// types for them.
declare module "handlebars/dist/cjs/handlebars/compiler/base.js" {
  /** The line counts from 1, the column from 0. */
  interface Position {
    readonly line: number;
    readonly column: number;
  }
  interface Located {
    readonly loc: { readonly start: Position };
  }
  interface Path extends Located {
    readonly type: "PathExpression";
    /** True: the path began with `@`. */
    readonly data: boolean;
    /** Number of `../` at the start. */
    readonly depth: number;
    readonly parts: readonly string[];
    readonly original: string;
  }
  interface Literal extends Located {
    readonly type:
      | "StringLiteral"
      | "NumberLiteral"
      | "BooleanLiteral"
      | "UndefinedLiteral"
      | "NullLiteral";
    readonly value: string | number | boolean | undefined | null;
    readonly original: string | number | boolean | undefined | null;
  }
  interface Hash {
    readonly pairs: readonly { readonly key: string; readonly value: Expression }[];
  }
  interface Call extends Located {
    readonly path: Path | Literal;
    readonly params: readonly Expression[];
    readonly hash: Hash | undefined;
  }
  interface SubExpression extends Call {
    readonly type: "SubExpression";
  }
  interface Mustache extends Call {
    readonly type: "MustacheStatement";
    readonly escaped: boolean;
  }
  interface Block extends Call {
    readonly type: "BlockStatement";
    readonly program: Program | undefined;
    readonly inverse: Program | undefined;
  }
  interface Content extends Located {
    readonly type: "ContentStatement";
    readonly value: string;
  }
  interface Comment extends Located {
    readonly type: "CommentStatement";
  }
  interface Unsupported extends Located {
    readonly type: "PartialStatement" | "PartialBlockStatement" | "Decorator" | "DecoratorBlock";
  }
  interface Program {
    readonly body: readonly Statement[];
    readonly blockParams?: readonly string[] | undefined;
  }
  type Expression = Path | Literal | SubExpression;
  type Statement = Mustache | Block | Content | Comment | Unsupported;

  /** Lines count from 1, columns from 0. */
  interface ParserLocation {
    readonly first_line: number;
    readonly first_column: number;
    readonly last_line: number;
    readonly last_column: number;
  }
  /** The parser's state while a production combines its parts. */
  interface Reduction {
    $: unknown;
    _$: ParserLocation;
  }
  type TokenName =
    | "error"
    | "EOF"
    | "COMMENT"
    | "CONTENT"
    | "END_RAW_BLOCK"
    | "OPEN_RAW_BLOCK"
    | "CLOSE_RAW_BLOCK"
    | "OPEN_BLOCK"
    | "CLOSE"
    | "OPEN_INVERSE"
    | "OPEN_INVERSE_CHAIN"
    | "INVERSE"
    | "OPEN_ENDBLOCK"
    | "OPEN"
    | "OPEN_UNESCAPED"
    | "CLOSE_UNESCAPED"
    | "OPEN_PARTIAL"
    | "OPEN_PARTIAL_BLOCK"
    | "OPEN_SEXPR"
    | "CLOSE_SEXPR"
    | "ID"
    | "EQUALS"
    | "OPEN_BLOCK_PARAMS"
    | "CLOSE_BLOCK_PARAMS"
    | "STRING"
    | "NUMBER"
    | "BOOLEAN"
    | "UNDEFINED"
    | "NULL"
    | "DATA"
    | "SEP";
  /** A parser's action: [1, next state] or [2, production to reduce by]. */
  type Action = readonly [kind: 1 | 2, number];

  /** Applies white space control to a tree, in place. A string argument would be parsed first. */
  function parse(program: Program): Program;

  /** The grammar, as the tables that the parser generator Jison makes. */
  const parser: {
    readonly symbols_: Readonly<Record<TokenName, number>>;
    readonly terminals_: Readonly<Record<number, string>>;
    /**
     * Productions by number, from 1: the symbol that each makes, and the number of symbols that it
     * combines.
     */
    readonly productions_: readonly (readonly [symbol: number, length: number])[];
    /**
     * The parser's table, by state and symbol. The entry of a token is an action. The entry of any
     * other symbol is the next state.
     */
    readonly table: readonly Readonly<Record<number, Action | number>>[];
    /** A state's action that does not depend on the next token. */
    readonly defaultActions: Readonly<Record<number, Action>>;
    /**
     * Sets `$` from the values on top of the stack. Returns the tree when parsing is complete.
     * Throws an Error with `lineNumber` and `column` if Handlebars refuses input that its grammar
     * accepts.
     */
    performAction(
      this: Reduction,
      text: string,
      length: number,
      line: number,
      helpers: object,
      production: number,
      values: readonly unknown[],
      locations: readonly ParserLocation[],
    ): unknown;
  };
}

declare module "handlebars/dist/cjs/handlebars/compiler/helpers.js" {
  /**
   * Functions that make the tree's nodes. The parser expects these functions and `locInfo` in one
   * object.
   */
  function preparePath(data: boolean, parts: readonly unknown[], location: unknown): object;
}
