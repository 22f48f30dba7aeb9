// Compiles expressions to closures: paths, literals and calls, told apart by Handlebars' rules. The
// set of helpers is closed, so an unknown helper is an error at compile time. Pure.
import type {
  Block,
  Call,
  Expression,
  Mustache,
  Path,
  SubExpression,
} from "handlebars/dist/cjs/handlebars/compiler/base.js";
import {
  type BlockParam,
  type ProgramBody,
  findBlockParam,
  recordVariable,
} from "./variable-names.ts";
import { TemplateProblem } from "./problem.ts";
import type { Rendering } from "./rendering.ts";
import { type Evaluate, type ScopeFrame, contextAt, dataAt, ownMember } from "./scope.ts";

/**
 * Handlebars' own pattern for paths that begin with `.` or `this`. It also matches any word that
 * ends in `this`.
 */
const SCOPED = /^\.|this\b/;
const BLOCK_HELPERS = new Set(["if", "unless", "each", "with"]);

export type Callee =
  | { readonly kind: "value"; readonly path: Path }
  | { readonly kind: "helper"; readonly name: string; readonly path: Path };

/**
 * Tells whether a tag names a value or calls a helper. The first part of a path decides, so
 * `lookup.x` calls `lookup` too.
 */
export function calleeOf(call: Mustache | SubExpression | Block, body: ProgramBody): Callee {
  const path = pathOf(call);
  const [name] = path.parts;
  const isSimple = path.parts.length === 1 && !isScoped(path) && path.depth === 0;
  if (isSimple && findBlockParam(body, name ?? "")) return { kind: "value", path };
  const isCall = call.type === "SubExpression" || call.params.length > 0 || call.hash !== undefined;
  if (!isCall && !(isSimple && isReserved(name))) return { kind: "value", path };
  if (name === undefined || !isReserved(name))
    throw problemAtNode(path, `unknown helper "${path.original}"`);
  if (name === "log") throw problemAtNode(path, '"log" is not supported');
  return { kind: "helper", name, path };
}

export function compileExpression(expression: Expression, body: ProgramBody): Evaluate {
  if (expression.type === "PathExpression") return compilePath(expression, body);
  if (expression.type === "SubExpression") return compileInline(expression, body);
  const { value } = expression;
  return () => value;
}

/** Compiles a tag or a sub-expression, but not a block. */
export function compileInline(call: Mustache | SubExpression, body: ProgramBody): Evaluate {
  const callee = calleeOf(call, body);
  if (callee.kind === "value") return compilePath(callee.path, body);
  if (BLOCK_HELPERS.has(callee.name))
    throw problemAtNode(callee.path, `"${callee.name}" is for blocks: {{#${callee.name} …}}`);
  return compileLookup(call, callee.path, body);
}

/** Compiles `lookup object key`, which reads the member of `object` that `key` names. */
export function compileLookup(call: Call, path: Path, body: ProgramBody): Evaluate {
  const [object, key] = compileParams(call, path, 2, body);
  return (frame, run) => {
    const parent = object?.(frame, run);
    return parent ? ownMember(parent, keyText(key?.(frame, run), run)) : parent;
  };
}

/**
 * Compiles the parameters of a known helper, and checks the expressions of its options
 * (`name=value`). The helper must have exactly `count` parameters.
 */
export function compileParams(
  call: Call,
  path: Path,
  count: number,
  body: ProgramBody,
): readonly Evaluate[] {
  for (const pair of call.hash?.pairs ?? []) compileExpression(pair.value, body);
  if (call.params.length !== count) {
    throw problemAtNode(
      path,
      `"${path.original}" takes exactly ${count} argument${count === 1 ? "" : "s"}, not ` +
        `${call.params.length}`,
    );
  }
  return call.params.map((param) => compileExpression(param, body));
}

export function compilePath(path: Path, body: ProgramBody): Evaluate {
  const { parts, depth } = path;
  body.cost += 1 + parts.length + depth;
  const [name, ...rest] = parts;
  const param =
    name === undefined || depth > 0 || isScoped(path) ? undefined : findBlockParam(body, name);
  if (param) return compileBlockParam(param, path, rest);
  // An empty name means the context, because Handlebars allows `{{""}}` and `{{[]}}` for it.
  if (!name) return (frame) => contextAt(frame, depth);
  if (path.data) {
    if (name === "root") recordVariable(body, rest, body.contexts);
    return (frame) => readDataPath(dataAt(frame, depth), parts);
  }
  recordVariable(body, parts, depth);
  if (depth === 0 && rest.length === 0) return (frame) => readMember(frame.context, name);
  return (frame) => readPath(contextAt(frame, depth), parts);
}

function compileBlockParam(param: BlockParam, path: Path, rest: readonly string[]): Evaluate {
  if (param.kind === "missing")
    throw problemAtNode(path, `"${path.original}" is a parameter that its block gives no value`);
  const { hops, index } = param;
  return (frame) => readPath(blockParamValue(frame, hops, index), rest);
}

function blockParamValue(frame: ScopeFrame, hops: number, index: number): unknown {
  let { params } = frame;
  for (let hop = 0; hop < hops && params; hop += 1) params = params.outer;
  return params?.values[index];
}

function readMember(parent: unknown, name: string): unknown {
  return parent === null || parent === undefined ? parent : ownMember(parent, name);
}

function readPath(from: unknown, parts: readonly string[]): unknown {
  let value = from;
  for (const part of parts) {
    if (value === null || value === undefined) return value;
    value = ownMember(value, part);
  }
  return value;
}

/**
 * Reads a path in `@` data. It stops at any falsy value, so `@index.x` in the first pass of a loop
 * is 0.
 */
function readDataPath(from: unknown, parts: readonly string[]): unknown {
  let value = from;
  for (const part of parts) {
    if (!value) return value;
    value = ownMember(value, part);
  }
  return value;
}

/** Converts a value to a member's name like JavaScript does. */
function keyText(key: unknown, run: Rendering): string {
  return key === null || key === undefined ? String(key) : run.textOf(key);
}

/**
 * Returns the path of a call. If the call has a number or a string instead of a path, as in
 * `{{12}}` and `{{"a b"}}`, the path has this one name.
 */
function pathOf(call: Call): Path {
  const { path } = call;
  if (path.type === "PathExpression") return path;
  const original = String(path.original);
  return {
    type: "PathExpression",
    data: false,
    depth: 0,
    parts: [original],
    original,
    loc: path.loc,
  };
}

export function isScoped(path: Path): boolean {
  return SCOPED.test(path.original);
}

function isReserved(name: string | undefined): boolean {
  return name !== undefined && (BLOCK_HELPERS.has(name) || ["lookup", "log"].includes(name));
}

export function problemAtNode(
  node: { readonly loc: Path["loc"] },
  problem: string,
): TemplateProblem {
  return new TemplateProblem(problem, node.loc.start.line, node.loc.start.column + 1);
}
