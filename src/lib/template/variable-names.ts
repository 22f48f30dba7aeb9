// What is known about a program while it is compiled: which names are block parameters, which
// variables of the template's caller it reads, and how many steps one pass through it costs.

interface Declared {
  readonly names: readonly string[];
  /** False: its block gives it no values, so that asking for one is an error. */
  readonly given: boolean;
}

/** One program; `cost` grows while its statements are compiled. */
export interface ProgramBody {
  cost: number;
  readonly declared: Declared | null;
  readonly outer: ProgramBody | null;
  /**
   * How many contexts blocks have put between this program and the caller's variables. A section
   * counts as one, though for `true` it keeps the context around it.
   */
  readonly contexts: number;
  /** The paths that the whole template reads in the caller's variables, each once. */
  readonly variables: Map<string, VariablePath>;
}

/** The names from the caller's variables inwards: `["user", "name"]`. */
export type VariablePath = readonly string[];

export type BlockParam =
  /** How many sets of values to leave behind, and which value of the next. */
  | { readonly kind: "given"; readonly hops: number; readonly index: number }
  | { readonly kind: "missing" };

/**
 * `given`: whether its block gives it values for parameters. Such a block gives it a context too.
 */
export function newBody(
  outer: ProgramBody | null,
  names: readonly string[] | undefined,
  given: boolean,
): ProgramBody {
  const [contexts, variables] = [
    (outer?.contexts ?? 0) + (given ? 1 : 0),
    outer?.variables ?? new Map<string, VariablePath>(),
  ];
  return { cost: 1, declared: names ? { names, given } : null, outer, contexts, variables };
}

/**
 * Remembers that the template reads the path, where `depth` times `../` lead to the caller's
 * variables. A name that a block binds is read elsewhere.
 */
export function noteVariable(body: ProgramBody, path: VariablePath, depth: number): void {
  if (path.length > 0 && depth === body.contexts) body.variables.set(path.join("\0"), path);
}

/** The innermost block parameter of that name. */
export function findBlockParam(body: ProgramBody, name: string): BlockParam | undefined {
  let hops = 0;
  for (let scope: ProgramBody | null = body; scope; scope = scope.outer) {
    if (!scope.declared) continue;
    const index = scope.declared.names.indexOf(name);
    if (index >= 0)
      return scope.declared.given ? { kind: "given", hops, index } : { kind: "missing" };
    if (scope.declared.given) hops += 1;
  }
  return undefined;
}
