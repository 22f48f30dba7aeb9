// Tracks the scope of a closure during rendering: its context, the outer contexts that `../`
// reaches, `@` data and block parameters. It follows the rules of Handlebars' runtime, even odd
// ones, because templates rely on them. Pure.
import type { Rendering } from "./rendering.ts";

export type Evaluate = (frame: ScopeFrame, run: Rendering) => unknown;
export type Render = (frame: ScopeFrame, run: Rendering) => void;

/**
 * Chain of contexts, the innermost first. A context that equals the next outer context is left out.
 */
interface Contexts {
  readonly context: unknown;
  readonly outer: Contexts | null;
}

/**
 * `@` data: `root`; in loops also `key`, `index`, `first` and `last`; and `_parent`, the outer
 * data. Templates may read all of these.
 */
export type Data = Readonly<Record<string, unknown>>;

/** The values of one block's parameters. `outer` has the parameter values of the outer blocks. */
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

/** The context of a block helper's body if the helper does not set a context. */
const NO_CONTEXT: unknown = Object.freeze({});

export function rootFrame(variables: unknown): ScopeFrame {
  return {
    context: variables,
    contexts: { context: variables, outer: null },
    data: { root: variables },
    params: null,
  };
}

/**
 * Returns the frame of a block's body. `values` are the block's parameters, or null if it declares
 * none.
 */
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

/** Returns the frame for a body to which its helper gives no context. */
export function sameContext(frame: ScopeFrame): ScopeFrame {
  if (frame.context !== null && frame.context !== undefined) return frame;
  const contexts =
    frame.contexts.context === null
      ? frame.contexts
      : { context: NO_CONTEXT, outer: frame.contexts };
  return { ...frame, context: NO_CONTEXT, contexts };
}

/**
 * Returns the context to which `../`, repeated `depth` times, leads. Undefined: it leads beyond the
 * outermost context.
 */
export function contextAt(frame: ScopeFrame, depth: number): unknown {
  if (depth === 0) return frame.context;
  let contexts: Contexts | null = frame.contexts;
  for (let level = 0; level < depth && contexts; level += 1) contexts = contexts.outer;
  return contexts?.context;
}

/**
 * Returns the `@` data to which `@../`, repeated `depth` times, leads. Undefined: it leads beyond
 * the outermost data.
 */
export function dataAt(frame: ScopeFrame, depth: number): unknown {
  let data: unknown = frame.data;
  for (let level = 0; level < depth && data; level += 1) data = ownMember(data, "_parent");
  return data;
}

/**
 * Returns an own member of a value that is neither null nor undefined. Inherited members count as
 * absent. A string has its `length` and its characters.
 */
export function ownMember(parent: unknown, name: string): unknown {
  return Object.hasOwn(parent as object, name)
    ? (parent as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

/**
 * Compares two contexts with JavaScript's loose equality, like Handlebars. Unlike Handlebars,
 * charges steps for long comparisons and ignores a member called `toString`.
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
