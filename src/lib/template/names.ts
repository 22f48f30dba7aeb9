// What is known about a program while it is compiled: which names are block parameters, and how many steps one pass through it costs.

interface Declared {
  readonly names: readonly string[];
  /** False: its block gives it no values, so that asking for one is an error. */
  readonly given: boolean;
}

/** One program; `cost` grows while its statements are compiled. */
export interface Body {
  cost: number;
  readonly declared: Declared | null;
  readonly outer: Body | null;
}

export type BlockParam =
  /** How many sets of values to leave behind, and which value of the next. */
  { readonly kind: "given"; readonly hops: number; readonly index: number } | { readonly kind: "missing" };

export function newBody(outer: Body | null, names: readonly string[] | undefined, given: boolean): Body {
  return { cost: 1, declared: names ? { names, given } : null, outer };
}

/** The innermost block parameter of that name. */
export function findBlockParam(body: Body, name: string): BlockParam | undefined {
  let hops = 0;
  for (let scope: Body | null = body; scope; scope = scope.outer) {
    if (!scope.declared) continue;
    const index = scope.declared.names.indexOf(name);
    if (index >= 0) return scope.declared.given ? { kind: "given", hops, index } : { kind: "missing" };
    if (scope.declared.given) hops += 1;
  }
  return undefined;
}
