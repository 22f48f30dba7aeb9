// Expressions as closures: paths, literals and calls, classified as Handlebars classifies them. The
// helpers are a closed set, so that an unknown one is an error when a template is compiled.
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
  noteVariable,
} from "./variable-names.ts";
import { TemplateProblem } from "./problem.ts";
import type { Rendering } from "./rendering.ts";
import { type Evaluate, type ScopeFrame, contextAt, dataAt, ownMember } from "./scope.ts";

/** Handlebars' own test: `this` counts at the end of any word. */
const SCOPED = /^\.|this\b/;
const BLOCK_HELPERS = new Set(["if", "unless", "each", "with"]);

export type Callee =
  | { readonly kind: "value"; readonly path: Path }
  | { readonly kind: "helper"; readonly name: string; readonly path: Path };

/**
 * Whether a tag names a value or calls a helper. The first part of a path decides, so that
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
    throw problemOn(path, `unknown helper "${path.original}"`);
  if (name === "log") throw problemOn(path, '"log" is not supported');
  return { kind: "helper", name, path };
}

export function compileExpression(expression: Expression, body: ProgramBody): Evaluate {
  if (expression.type === "PathExpression") return compilePath(expression, body);
  if (expression.type === "SubExpression") return compileInline(expression, body);
  const { value } = expression;
  return () => value;
}

/** A tag or a sub-expression: all but blocks. */
export function compileInline(call: Mustache | SubExpression, body: ProgramBody): Evaluate {
  const callee = calleeOf(call, body);
  if (callee.kind === "value") return compilePath(callee.path, body);
  if (BLOCK_HELPERS.has(callee.name))
    throw problemOn(callee.path, `"${callee.name}" is for blocks: {{#${callee.name} …}}`);
  return compileLookup(call, callee.path, body);
}

/** `lookup object key`: a member whose name is a value. */
export function compileLookup(call: Call, path: Path, body: ProgramBody): Evaluate {
  const [object, key] = compileParams(call, path, 2, body);
  return (frame, run) => {
    const parent = object?.(frame, run);
    return parent ? ownMember(parent, keyText(key?.(frame, run), run)) : parent;
  };
}

/** Compiles a known helper's parameters, which must be `count`, and looks into its hash. */
export function compileParams(
  call: Call,
  path: Path,
  count: number,
  body: ProgramBody,
): readonly Evaluate[] {
  for (const pair of call.hash?.pairs ?? []) compileExpression(pair.value, body);
  if (call.params.length !== count) {
    throw problemOn(
      path,
      `"${path.original}" takes exactly ${count} argument${count === 1 ? "" : "s"}, not ${call.params.length}`,
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
  // `{{""}}` and `{{[]}}` are the context too, as Handlebars reads them.
  if (!name) return (frame) => contextAt(frame, depth);
  if (path.data) {
    if (name === "root") noteVariable(body, rest, body.contexts);
    return (frame) => digTruthy(dataAt(frame, depth), parts);
  }
  noteVariable(body, parts, depth);
  if (depth === 0 && rest.length === 0) return (frame) => member(frame.context, name);
  return (frame) => dig(contextAt(frame, depth), parts);
}

function compileBlockParam(param: BlockParam, path: Path, rest: readonly string[]): Evaluate {
  if (param.kind === "missing")
    throw problemOn(path, `"${path.original}" is a parameter that its block gives no value`);
  const { hops, index } = param;
  return (frame) => dig(blockParamValue(frame, hops, index), rest);
}

function blockParamValue(frame: ScopeFrame, hops: number, index: number): unknown {
  let { params } = frame;
  for (let hop = 0; hop < hops && params; hop += 1) params = params.outer;
  return params?.values[index];
}

function member(parent: unknown, name: string): unknown {
  return parent === null || parent === undefined ? parent : ownMember(parent, name);
}

function dig(from: unknown, parts: readonly string[]): unknown {
  let value = from;
  for (const part of parts) {
    if (value === null || value === undefined) return value;
    value = ownMember(value, part);
  }
  return value;
}

/** Data paths stop at anything false: `@index.x` in the first turn of a loop is 0. */
function digTruthy(from: unknown, parts: readonly string[]): unknown {
  let value = from;
  for (const part of parts) {
    if (!value) return value;
    value = ownMember(value, part);
  }
  return value;
}

/** A member's name, as JavaScript would spell the value. */
function keyText(key: unknown, run: Rendering): string {
  return key === null || key === undefined ? String(key) : run.textOf(key);
}

/** `{{12}}` and `{{"a b"}}` name members. */
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

function isScoped(path: Path): boolean {
  return SCOPED.test(path.original);
}

function isReserved(name: string | undefined): boolean {
  return name !== undefined && (BLOCK_HELPERS.has(name) || ["lookup", "log"].includes(name));
}

export function problemOn(node: { readonly loc: Path["loc"] }, problem: string): TemplateProblem {
  return new TemplateProblem(problem, node.loc.start.line, node.loc.start.column + 1);
}
