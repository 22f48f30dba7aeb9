// What this room uses of the parser inside the handlebars package, which ships no types for it: its tree, and where its lexer stood when it gave up.
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
    readonly type: "StringLiteral" | "NumberLiteral" | "BooleanLiteral" | "UndefinedLiteral" | "NullLiteral";
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

  /** Throws an Error without a position for a syntax error, one with `lineNumber` and `column` for what the grammar lets through. */
  function parse(source: string): Program;

  /** One for the whole process; after a throw its lexer still stands at the token that was refused. */
  const parser: {
    readonly lexer: {
      /** What is left of the source behind the current token. */
      readonly _input: string;
      /** The text of the current token. */
      readonly match: string;
    };
  };
}
