// Fills in a send's missing variables from its template's fallbacks (contract.md §Template
// defaults). Pure.
import { isJsonObject } from "../../lib/json.ts";
import type { Variables } from "./variable-limits.ts";

/**
 * Merges variables with fallbacks, recursively. A variable that is present stays, even if it is
 * null or an empty list.
 */
export function withFallbacks(variables: Variables, fallbacks: Variables | null): Variables {
  if (fallbacks === null) return variables;
  const names = new Set([...Object.keys(variables), ...Object.keys(fallbacks)]);
  return Object.fromEntries(
    Array.from(names, (name) => [name, valueOf(name, variables, fallbacks)]),
  );
}

/**
 * Returns the merged value of a variable. Uses only own members of the objects, because a variable
 * may be named `constructor`.
 */
function valueOf(name: string, variables: Variables, fallbacks: Variables): unknown {
  const fallback = Object.hasOwn(fallbacks, name) ? fallbacks[name] : undefined;
  if (!Object.hasOwn(variables, name)) return fallback;
  const given = variables[name];
  return isJsonObject(given) && isJsonObject(fallback) ? withFallbacks(given, fallback) : given;
}
