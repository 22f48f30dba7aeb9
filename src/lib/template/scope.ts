// Where a closure stands while it renders: its context, the contexts around it that `../` reaches,
// `@` data and block parameters. The rules are those of Handlebars' runtime, the odd ones included,
// since templates lean on them.
import type { Rendering } from "./rendering.ts";

export type Evaluate = (frame: ScopeFrame, run: Rendering) => unknown;
export type Render = (frame: ScopeFrame, run: Rendering) => void;

/**
 * A chain of contexts, innermost first; a context that equals the one around it is no link of its
 * own.
 */
interface Contexts {
  readonly context: unknown;
  readonly outer: Contexts | null;
}

/**
 * `root`, in loops `key index first last`, and `_parent`, the data around it; all of them may be
 * asked for.
 */
export type Data = Readonly<Record<string, unknown>>;

/** The values of one block's parameters, and those around it. */
interface Params {
  readonly values: readonly unknown[];
  readonly outer: Params | null;
}

export interface ScopeFrame {
  readonly context: unknown;
  readonly contexts: Contexts;
  readonly data: Data;
  readonly params: Params | null;
}

/** What a block helper finds as its context where there is none. */
const NO_CONTEXT: unknown = Object.freeze({});

export function rootFrame(variables: unknown): ScopeFrame {
  return {
    context: variables,
    contexts: { context: variables, outer: null },
    data: { root: variables },
    params: null,
  };
}

/** The frame of a block's body. `values` are its parameters; null: it declares none. */
export function enter(
  frame: ScopeFrame,
  context: unknown,
  values: readonly unknown[] | null,
  data: Data,
  run: Rendering,
): ScopeFrame {
  return {
    context,
    contexts: isSameContext(context, frame.contexts.context, run)
      ? frame.contexts
      : { context, outer: frame.contexts },
    data,
    params: values ? { values, outer: frame.params } : frame.params,
  };
}

/** The frame in which a helper renders its body without giving it a context. */
export function sameContext(frame: ScopeFrame): ScopeFrame {
  if (frame.context !== null && frame.context !== undefined) return frame;
  const contexts =
    frame.contexts.context === null
      ? frame.contexts
      : { context: NO_CONTEXT, outer: frame.contexts };
  return { ...frame, context: NO_CONTEXT, contexts };
}

/** The context that `depth` times `../` names; undefined beyond the root. */
export function contextAt(frame: ScopeFrame, depth: number): unknown {
  if (depth === 0) return frame.context;
  let contexts: Contexts | null = frame.contexts;
  for (let level = 0; level < depth && contexts; level += 1) contexts = contexts.outer;
  return contexts?.context;
}

/** The data that `depth` times `@../` names; undefined beyond the outermost. */
export function dataAt(frame: ScopeFrame, depth: number): unknown {
  let data: unknown = frame.data;
  for (let level = 0; level < depth && data; level += 1) data = ownMember(data, "_parent");
  return data;
}

/**
 * A member of anything but null and undefined; what it inherits does not exist. A string owns its
 * `length` and its characters.
 */
export function ownMember(parent: unknown, name: string): unknown {
  return Object.hasOwn(parent as object, name)
    ? (parent as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

/**
 * JavaScript's loose equality, as Handlebars compares contexts, but at a price where it is dear,
 * and deaf to a member called `toString`.
 */
function isSameContext(one: unknown, other: unknown, run: Rendering): boolean {
  if (typeof one === "object" && typeof other === "object") return one === other;
  if (one === undefined || one === null || other === undefined || other === null)
    return one === other;
  const left = primitiveOf(one, run);
  const right = primitiveOf(other, run);
  // oxlint-disable-next-line eslint/eqeqeq
  return left == right;
}

function primitiveOf(value: unknown, run: Rendering): unknown {
  const primitive = typeof value === "object" ? run.textOf(value) : value;
  if (typeof primitive === "string") run.spendOnText(primitive.length);
  return primitive;
}
