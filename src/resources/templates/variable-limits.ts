// Checks variables against their limits (contract.md §Variables): 64 KB of JSON, 100 keys in each
// object, 4 levels including the map itself. The variables of a send and the fallbacks of a
// template have the same limits. Pure.
import { Buffer } from "node:buffer";
import { isJsonObject } from "../../lib/json.ts";
import { VARIABLES_BYTES, VARIABLES_DEPTH, VARIABLES_KEYS_PER_OBJECT } from "../../limits.ts";
import { pathSegment } from "../../refusal.ts";

/**
 * The members of a body whose values are variables. Numbers in them keep all their digits, because
 * order numbers may have more digits than a double.
 */
export const EXACT_MEMBERS: ReadonlySet<string> = new Set(["variables", "fallbacks"]);

export type Variables = Readonly<Record<string, unknown>>;

/** One reason why variables are refused. */
interface VariableProblem {
  readonly path: string;
  readonly problem: string;
  /** True: the response is a 400. False: the response is a 422. */
  readonly isMalformed: boolean;
}

/** Finds the problems with the variables in the member `name`. */
export function* variableProblems(name: string, variables: Variables): Generator<VariableProblem> {
  const bytes = Buffer.byteLength(JSON.stringify(variables));
  if (bytes > VARIABLES_BYTES)
    yield invalid(name, `are ${bytes} bytes of JSON; at most ${VARIABLES_BYTES} are allowed`);
  else yield* levelProblems(name, variables, 1);
}

function* levelProblems(path: string, value: unknown, level: number): Generator<VariableProblem> {
  if (typeof value === "number" && !Number.isFinite(value)) {
    yield { path, problem: "is a number that is too large", isMalformed: true };
  } else if (typeof value === "object" && value !== null) {
    if (level > VARIABLES_DEPTH) {
      yield invalid(path, `is nested deeper than ${VARIABLES_DEPTH} levels`);
      return;
    }
    const keys = Object.keys(value);
    if (isJsonObject(value) && keys.length > VARIABLES_KEYS_PER_OBJECT) {
      yield invalid(
        path,
        `has ${keys.length} keys; at most ${VARIABLES_KEYS_PER_OBJECT} are allowed in one object`,
      );
    }
    for (const [key, member] of Object.entries(value))
      yield* levelProblems(`${path}.${pathSegment(key)}`, member, level + 1);
  }
}

function invalid(path: string, problem: string): VariableProblem {
  return { path, problem, isMalformed: false };
}
