// Tracks the names in a program (Handlebars' word for a body) during compilation: its block
// parameters, and the caller's variables that it reads. Also counts the steps that one rendering of
// the program costs. Pure.

interface Declared {
  readonly names: readonly string[];
  /** False if the block gives its parameters no values, so that their use is an error. */
  readonly given: boolean;
}

/**
 * One program, which is Handlebars' word for a body. `cost` grows while the statements are
 * compiled.
 */
export interface ProgramBody {
  cost: number;
  readonly declared: Declared | null;
  readonly outer: ProgramBody | null;
  /**
   * Number of contexts that blocks put between this program and the caller's variables. A section
   * always counts as one, even if its value is `true` and it keeps the outer context.
   */
  readonly contexts: number;
  /** The variables that the whole template reads, as paths, each once. */
  readonly variables: Map<string, VariablePath>;
}

/** Names from the outermost variable inwards: `["user", "name"]`. */
export type VariablePath = readonly string[];

export type BlockParam =
  /**
   * `hops`: the number of blocks with parameter values between the use of the parameter and its
   * block. `index`: the parameter's position in that block's list.
   */
  | { readonly kind: "given"; readonly hops: number; readonly index: number }
  | { readonly kind: "missing" };

/**
 * Makes a program that is nested in `outer`. `given`: the program's block gives values to the block
 * parameters, and gives a context.
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
 * Records a path that the template reads, if `../` repeated `depth` times leads to the caller's
 * variables. Names that a block binds are not recorded.
 */
export function recordVariable(body: ProgramBody, path: VariablePath, depth: number): void {
  if (path.length > 0 && depth === body.contexts) body.variables.set(path.join("\0"), path);
}

/** Returns the innermost block parameter of this name. */
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
