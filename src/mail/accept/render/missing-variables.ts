// Finds variables that a template uses, but that the send and the template's fallbacks do not set
// (contract.md §Template variables). The message is still sent, and a response header names the
// variables. Pure.
import type { NameInWarning } from "../../../endpoint.ts";
import { isJsonObject } from "../../../lib/json.ts";
import type { VariablePath } from "../../../lib/template/variable-names.ts";
import { withFallbacks } from "../../../resources/templates/fallbacks.ts";
import type { SendDefaults } from "../../../resources/templates/send-defaults.ts";
import type { TemplateParts } from "../../../resources/templates/sendable.ts";
import { isCallerVariable } from "../../../resources/templates/template-variables.ts";
import type { JsonObject } from "../fields.ts";
import type { RequestRenderer } from "./request-renderer.ts";

export interface TemplatedSend {
  /** The entry of a batch, such as `emails.3`. Empty for a single send. */
  readonly place: string;
  /**
   * The send's own subject, which replaces the template's subject. Null means that the send has no
   * subject.
   */
  readonly subject: string | null;
  readonly variables: JsonObject;
  readonly template: TemplateParts & Pick<SendDefaults, "fallbacks">;
}

/**
 * Finds the missing variables. Must run after the sends are rendered, because finding names uses
 * the same budget as rendering.
 */
export function* findMissingVariables(
  sends: readonly TemplatedSend[],
  renderer: RequestRenderer,
): Generator<NameInWarning> {
  for (const { place, subject, variables, template } of sends) {
    const sources = [template.html, template.text, ...(subject === null ? [template.subject] : [])];
    const paths = new Map(
      sources.flatMap((source) =>
        renderer.variablesOf(source).map((path) => [path.join("\0"), path] as const),
      ),
    );
    const filled = withFallbacks(variables, template.fallbacks);
    for (const path of paths.values()) {
      const known = isCallerVariable(path) ? namesBeside(path, filled) : undefined;
      if (known) yield { path: place === "" ? path : [place, ...path], known };
    }
  }
}

/**
 * Returns the member names of the object that lacks the path's last name. The list is empty if this
 * object is missing too. Undefined means that the path has a value.
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
