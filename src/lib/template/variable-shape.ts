// Finds the shape of a template's variables from Handlebars' tree: which are objects, which are
// lists, and which are only tested for presence. Pure.
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

/** The shape of a variable, or of a variable's member. */
export interface VariableShape {
  /**
   * True: the template prints the variable. False: it only tests the variable, or enters it as a
   * block.
   */
  isPrinted: boolean;
  /** The shape of an entry, if the template loops over the variable. Null: it does not. */
  element: VariableShape | null;
  readonly members: Map<string, VariableShape>;
}

/** The names that are in scope in one body of a template. */
interface Names {
  readonly body: ProgramBody;
  /** The context of the body, then the outer contexts that `../` reaches, from the inside out. */
  readonly contexts: readonly VariableShape[];
  /**
   * The block parameters with their shapes. Null: the parameter does not come from the caller's
   * variables, such as an index.
   */
  readonly params: ReadonlyMap<string, VariableShape | null>;
}

export function newShape(): VariableShape {
  return { isPrinted: false, element: null, members: new Map() };
}

/** Adds the variables that a template reads to a shape. The template must compile. */
export function addShape(source: string, root: VariableShape): void {
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
  // A section gives values to its parameters only if it loops over a list.
  const isLoop = helper === "each" || (helper === "section" && program?.blockParams !== undefined);
  const inside = isLoop ? shape && (shape.element ??= newShape()) : shape;
  if (program) noteProgram(program, within(names, program, isEntered, inside), root);
  if (inverse) noteProgram(inverse, within(names, inverse, false, null), root);
}

/**
 * Returns the names that are in scope in a block's body. `isEntered`: the body has a context of its
 * own, with the shape `inside`.
 */
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

/** Finds the shape of a call's result. The only helper of calls outside of blocks is `lookup`. */
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
  // A key such as `@index` counts a loop over another list. So the object of `lookup` is a list
  // too, and the result is an entry of it.
  if (key.type === "PathExpression" && key.data) return (shape.element ??= newShape());
  const name = shapeOf(key, names, root);
  if (name) name.isPrinted = true;
  // The key's value is not known. A variable's value in a sample is usually the variable's name, so
  // the name of the key serves as the member's name.
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
