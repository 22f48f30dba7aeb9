// Compiles Handlebars' tree to closures: what each statement renders. Refuses the statements that
// mail does not need. Pure.
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
  problemAtNode,
} from "./expressions.ts";
import { type ProgramBody, newBody, type VariablePath } from "./variable-names.ts";
import type { Evaluate, Render } from "./scope.ts";

/** A whole compiled template. */
interface CompiledProgram {
  readonly render: Render;
  /** The variables that the template reads, as paths, each once. */
  readonly variables: readonly VariablePath[];
}

/** Compiles a whole template. Throws a TemplateProblem for the first fault. */
export function compileProgram(program: Program): CompiledProgram {
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
      throw problemAtNode(statement, "partials are not supported");
    case "Decorator":
    case "DecoratorBlock":
      break;
  }
  throw problemAtNode(statement, "decorators are not supported");
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
  if (!subject) throw problemAtNode(path, `"${path.original}" takes exactly 1 argument`);
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
 * Compiles a block's two bodies. `givesParams`: the helper gives values to the parameters of the
 * main body. The other body never gets parameter values.
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

/** Returns the `includeZero` option. If it is given twice, Handlebars takes the first. */
function includesZero(block: Block, body: ProgramBody): Evaluate | undefined {
  const pair = block.hash?.pairs.find(({ key }) => key === "includeZero");
  return pair && compileExpression(pair.value, body);
}
