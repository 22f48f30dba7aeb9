// The variables that a template uses and its send does not have (contract.md §Template variables).
// The message is sent all the same; a header names them.
import type { NotedName } from "../../endpoint.ts";
import { isJsonObject } from "../../lib/json.ts";
import type { VariablePath } from "../../lib/template/variable-names.ts";
import type { Sendable } from "../../resources/templates/store.ts";
import { isCallerVariable } from "../../resources/templates/template-variables.ts";
import type { JsonObject } from "./fields.ts";
import type { Renderer } from "./renderer.ts";

interface TemplatedSend {
  /** The entry of a batch, as `emails.3`; empty for a single send. */
  readonly place: string;
  /** The send's own; the template's is not used beside it. */
  readonly subject: string | null;
  readonly variables: JsonObject;
  readonly template: Sendable;
}

/** To be called once the sends are rendered, since it takes from the same budget. */
export function* missingVariables(
  sends: readonly TemplatedSend[],
  renderer: Renderer,
): Generator<NotedName> {
  for (const { place, subject, variables, template } of sends) {
    const sources = [template.html, template.text, ...(subject === null ? [template.subject] : [])];
    const paths = new Map(
      sources.flatMap((source) =>
        renderer.variablesOf(source).map((path) => [path.join("\0"), path] as const),
      ),
    );
    for (const path of paths.values()) {
      const known = isCallerVariable(path) ? namesBeside(path, variables) : undefined;
      if (known) yield { path: place === "" ? path : [place, ...path], known };
    }
  }
}

/**
 * The names that stand where the path ends, which is not one of them. Undefined when the path has a
 * value.
 */
function namesBeside(path: VariablePath, variables: JsonObject): readonly string[] | undefined {
  let parent: unknown = variables;
  for (const [index, name] of path.entries()) {
    const isLast = index === path.length - 1;
    if (typeof parent !== "object" || parent === null || !Object.hasOwn(parent, name))
      return isLast && isJsonObject(parent) ? Object.keys(parent) : [];
    parent = (parent as JsonObject)[name];
  }
  return undefined;
}
