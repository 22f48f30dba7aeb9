// Finds the shape of the variables that a template reads, from Handlebars' tree: which are objects,
// which are lists, and which are only asked whether they are there. Pure.
import type {
  Block,
  Call,
  Expression,
  Mustache,
  Path,
  Program,
  SubExpression,
} from "handlebars/dist/cjs/handlebars/compiler/base.js";
import { calleeOf, isScoped } from "./expressions.ts";
import { scanTemplate } from "./scan.ts";
import { parseTemplate } from "./syntax.ts";
import { newBody, type ProgramBody } from "./variable-names.ts";

/** One variable, or a member of one. */
export interface VariableShape {
  /** True: the template prints it. False: it only asks whether it is there, or enters it. */
  isPrinted: boolean;
  /** The entry that a loop over it enters; null: the template does not loop over it. */
  element: VariableShape | null;
  readonly members: Map<string, VariableShape>;
}

/** The names of a program. */
interface Names {
  readonly body: ProgramBody;
  /** The contexts that `../` reaches, the innermost first. */
  readonly contexts: readonly VariableShape[];
  /** The block parameters; null: a parameter such as an index, which the caller does not give. */
  readonly params: ReadonlyMap<string, VariableShape | null>;
}

export function newShape(): VariableShape {
  return { isPrinted: false, element: null, members: new Map() };
}

/** Adds what a template reads to the shape of all its variables. The template must compile. */
export function noteShape(source: string, root: VariableShape): void {
  if (!source.includes("{{")) return;
  const program = parseTemplate(source, scanTemplate(source));
  const body = newBody(null, undefined, false);
  noteProgram(program, { body, contexts: [root], params: new Map() }, root);
}

function noteProgram(program: Program, names: Names, root: VariableShape): void {
  for (const statement of program.body) {
    if (statement.type === "MustacheStatement") {
      const shape = shapeOfCall(statement, names, root);
      if (shape) shape.isPrinted = true;
    } else if (statement.type === "BlockStatement") noteBlock(statement, names, root);
  }
}

function noteBlock(block: Block, names: Names, root: VariableShape): void {
  const callee = calleeOf(block, names.body);
  const helper = callee.kind === "helper" ? callee.name : "section";
  const { program, inverse } = block;
  noteOptions(block, names, root);
  if (helper === "lookup") {
    const shape = shapeOfCall(block, names, root);
    if (shape) shape.isPrinted = true;
    return;
  }
  const [param] = block.params;
  const subject = callee.kind === "value" ? callee.path : param;
  const shape = subject ? shapeOf(subject, names, root) : null;
  const isEntered = helper !== "if" && helper !== "unless";
  // A section gives its parameters values only for a list.
  const isLoop = helper === "each" || (helper === "section" && program?.blockParams !== undefined);
  const inside = isLoop ? shape && (shape.element ??= newShape()) : shape;
  if (program) noteProgram(program, within(names, program, isEntered, inside), root);
  if (inverse) noteProgram(inverse, within(names, inverse, false, null), root);
}

/** The names inside a block's body. A body that is entered has a context of its own. */
function within(
  { body, contexts, params }: Names,
  program: Program,
  isEntered: boolean,
  inside: VariableShape | null,
): Names {
  const { blockParams = [] } = program;
  const declared = blockParams.map((name, index) => [name, index === 0 ? inside : null] as const);
  return {
    body: newBody(body, program.blockParams, isEntered),
    contexts: isEntered ? [inside ?? newShape(), ...contexts] : contexts,
    params: declared.length === 0 ? params : new Map([...params, ...declared]),
  };
}

function noteOptions(call: Call, names: Names, root: VariableShape): void {
  for (const { value } of call.hash?.pairs ?? []) shapeOf(value, names, root);
}

function shapeOf(expression: Expression, names: Names, root: VariableShape): VariableShape | null {
  if (expression.type === "PathExpression") return shapeOfPath(expression, names, root);
  if (expression.type === "SubExpression") return shapeOfCall(expression, names, root);
  return null;
}

/** The only helper outside of blocks is `lookup`. */
function shapeOfCall(
  call: Mustache | SubExpression | Block,
  names: Names,
  root: VariableShape,
): VariableShape | null {
  const callee = calleeOf(call, names.body);
  if (callee.kind === "value") return shapeOfPath(callee.path, names, root);
  noteOptions(call, names, root);
  const [object, key] = call.params;
  const shape = object ? shapeOf(object, names, root) : null;
  if (!shape || !key) return null;
  if (key.type === "StringLiteral" || key.type === "NumberLiteral")
    return memberOf(shape, String(key.value));
  // The number of a pass is a place in another list.
  if (key.type === "PathExpression" && key.data) return (shape.element ??= newShape());
  const name = shapeOf(key, names, root);
  if (name) name.isPrinted = true;
  // The key's sample is mostly its own name, and so names a member.
  const last = key.type === "PathExpression" ? key.parts.at(-1) : undefined;
  return last === undefined ? null : memberOf(shape, last);
}

function shapeOfPath(path: Path, names: Names, root: VariableShape): VariableShape | null {
  const [name, ...rest] = path.parts;
  const isParam = path.depth === 0 && !path.data && !isScoped(path) && name !== undefined;
  const param = isParam ? names.params.get(name) : undefined;
  if (param !== undefined) return param && memberAt(param, rest);
  if (path.data) return name === "root" && rest.length > 0 ? memberAt(root, rest) : null;
  const context = names.contexts[path.depth];
  return context ? memberAt(context, name ? path.parts : []) : null;
}

function memberAt(shape: VariableShape, parts: readonly string[]): VariableShape {
  return parts.reduce(memberOf, shape);
}

function memberOf({ members }: VariableShape, name: string): VariableShape {
  const known = members.get(name);
  if (known) return known;
  const made = newShape();
  members.set(name, made);
  return made;
}
