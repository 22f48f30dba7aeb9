// Handlebars' tree as closures: what each statement does when it is rendered, and what is refused
// because it has no place in a mail.
import type { Block, Program, Statement } from "handlebars/dist/cjs/handlebars/compiler/base.js";
import {
  type Branches,
  renderEach,
  renderIf,
  renderSection,
  renderWith,
} from "./builtin-blocks.ts";
import {
  calleeOf,
  compileExpression,
  compileInline,
  compileLookup,
  compileParams,
  compilePath,
  problemOn,
} from "./expressions.ts";
import { type ProgramBody, newBody, type VariablePath } from "./variable-names.ts";
import type { Evaluate, Render } from "./scope.ts";

/** A whole template. */
interface Compiled {
  readonly render: Render;
  /** What it reads in the caller's variables, each path once. */
  readonly variables: readonly VariablePath[];
}

/** Compiles a whole template. Throws a TemplateProblem. */
export function compileProgram(program: Program): Compiled {
  const body = newBody(null, undefined, false);
  return { render: compileBody(program, body), variables: [...body.variables.values()] };
}

const renderNothing: Render = () => undefined;

function compileBody(program: Program, body: ProgramBody): Render {
  const statements = program.body
    .map((statement) => compileStatement(statement, body))
    .filter((render) => render !== renderNothing);
  const cost = body.cost + statements.length;
  return (frame, run) => {
    run.spend(cost);
    for (const render of statements) render(frame, run);
  };
}

function compileStatement(statement: Statement, body: ProgramBody): Render {
  switch (statement.type) {
    case "ContentStatement": {
      const { value } = statement;
      return value === "" ? renderNothing : (_, run) => run.write(value);
    }
    case "CommentStatement":
      return renderNothing;
    case "MustacheStatement": {
      const { escaped } = statement;
      const value = compileInline(statement, body);
      return (frame, run) => run.print(value(frame, run), escaped);
    }
    case "BlockStatement":
      return compileBlock(statement, body);
    case "PartialStatement":
    case "PartialBlockStatement":
      throw problemOn(statement, "partials are not supported");
    case "Decorator":
    case "DecoratorBlock":
      break;
  }
  throw problemOn(statement, "decorators are not supported");
}

function compileBlock(block: Block, body: ProgramBody): Render {
  const callee = calleeOf(block, body);
  if (callee.kind === "value")
    return renderSection(compilePath(callee.path, body), compileBranches(block, body, true));
  const { name, path } = callee;
  if (name === "lookup") {
    const value = compileLookup(block, path, body);
    return (frame, run) => run.print(value(frame, run), false);
  }
  const [subject] = compileParams(block, path, 1, body);
  if (!subject) throw problemOn(path, `"${path.original}" takes exactly 1 argument`);
  const branches = compileBranches(block, body, name === "each" || name === "with");
  if (name === "each") return renderEach(subject, branches);
  if (name === "with") return renderWith(subject, branches);
  const { main, otherwise } = branches;
  return renderIf(
    subject,
    includesZero(block, body),
    name === "if" ? branches : { ...branches, main: otherwise, otherwise: main },
  );
}

/**
 * `givesParams`: whether the helper has values for the parameters of its main body; the other body
 * gets none from any.
 */
function compileBranches(
  { program, inverse }: Block,
  body: ProgramBody,
  givesParams: boolean,
): Branches {
  const compile = (part: Program | undefined, given: boolean) =>
    part ? compileBody(part, newBody(body, part.blockParams, given)) : renderNothing;
  return {
    main: compile(program, givesParams),
    otherwise: compile(inverse, false),
    hasParams: program?.blockParams !== undefined,
  };
}

/** Of two with the same name Handlebars takes the first. */
function includesZero(block: Block, body: ProgramBody): Evaluate | undefined {
  const pair = block.hash?.pairs.find(({ key }) => key === "includeZero");
  return pair && compileExpression(pair.value, body);
}
