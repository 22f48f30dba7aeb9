// What this room uses of the parser inside the handlebars package, which ships no types for it: its
// grammar and its tree.
declare module "handlebars/dist/cjs/handlebars/compiler/base.js" {
  /** Line from 1, column from 0. */
  interface Position {
    readonly line: number;
    readonly column: number;
  }
  interface Located {
    readonly loc: { readonly start: Position };
  }
  interface Path extends Located {
    readonly type: "PathExpression";
    /** It began with `@`. */
    readonly data: boolean;
    /** How many `../` it began with. */
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

  /** Lines from 1, columns from 0. */
  interface ParserLocation {
    readonly first_line: number;
    readonly first_column: number;
    readonly last_line: number;
    readonly last_column: number;
  }
  /** What a production makes of its parts. */
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
  /** 1 and the state to go to, or 2 and the production to reduce by. */
  type Action = readonly [kind: 1 | 2, number];

  /**
   * Decides about white space in a tree, and changes it in place; of text it would parse it first.
   */
  function parse(program: Program): Program;

  /** The grammar, as Jison's tables. */
  const parser: {
    readonly symbols_: Readonly<Record<TokenName, number>>;
    readonly terminals_: Readonly<Record<number, string>>;
    /** By number, from 1: the symbol that a production makes, and of how many. */
    readonly productions_: readonly (readonly [symbol: number, length: number])[];
    /** By state, then by symbol: actions for tokens, for other symbols the state to go to. */
    readonly table: readonly Readonly<Record<number, Action | number>>[];
    /** What a state does whatever comes next. */
    readonly defaultActions: Readonly<Record<number, Action>>;
    /**
     * Sets `$` from the values on top of the stack; returns the tree when there is nothing left to
     * do. Throws an Error with `lineNumber` and `column` for what the grammar lets through and is
     * wrong all the same.
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
  /** Makers of the tree's nodes, to be members of one object that has `locInfo` too. */
  function preparePath(data: boolean, parts: readonly unknown[], location: unknown): object;
}
