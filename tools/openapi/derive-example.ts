// Makes the example of a body from its schema. A member has the value in its component's example
// (component-examples.ts), else the value for its name (example-values.ts), else the plainest
// value of its type: null, the first choice, false, 0, an empty list. A text without an example is
// `…`, which the contract tests refuse.
import { COMPONENT_EXAMPLES } from "./component-examples.ts";
import { AT, MEMBER_EXAMPLES } from "./example-values.ts";
import { COMPONENT, type Json } from "./schemas.ts";

type Components = Readonly<Record<string, Json>>;

/**
 * Returns the example for `schema`. `given` has the members that differ from the derived ones. An
 * optional member is in the example only if it is given here or for its component.
 */
export function deriveExample(components: Components, schema: Json, given?: unknown): unknown {
  const name = nameOf(schema);
  if (name !== undefined)
    return deriveExample(components, components[name]!, merge(COMPONENT_EXAMPLES[name], given));
  const choices = (schema["anyOf"] ?? schema["oneOf"]) as Json[] | undefined;
  if (choices) return deriveChoice(components, choices, given);
  const { properties, items } = schema as { properties?: Record<string, Json>; items?: Json };
  if (properties && given !== null) return deriveObject(components, schema, given as Json);
  if (items && Array.isArray(given))
    return given.map((one: unknown) => deriveExample(components, items, one));
  return given === undefined ? plainValue(components, schema) : given;
}

/**
 * Returns the example of a choice. With a given value, takes the choice of the value's type.
 * Otherwise takes null, or else the first choice.
 */
function deriveChoice(components: Components, choices: readonly Json[], given: unknown): unknown {
  const type = Array.isArray(given) ? "array" : (given ?? null) === null ? "null" : typeof given;
  const typeOf = (choice: Json): unknown => (components[nameOf(choice) ?? ""] ?? choice)["type"];
  const fitting = choices.find((choice) => typeOf(choice) === type) ?? choices[0]!;
  return typeOf(fitting) === "null" ? null : deriveExample(components, fitting, given);
}

function deriveObject(
  components: Components,
  { properties, required = [] }: Json,
  given: Json = {},
): Json {
  const members = Object.entries(properties as Record<string, Json>)
    .filter(([name]) => name in given || (required as string[]).includes(name))
    .map(([name, member]) => {
      const value = name in given ? given[name] : MEMBER_EXAMPLES[name];
      return [name, deriveExample(components, member, value)];
    });
  return { ...given, ...Object.fromEntries(members) };
}

function plainValue(components: Components, schema: Json): unknown {
  const { const: only, enum: words, items, type, format, minimum = 0 } = schema;
  if (only !== undefined) return only;
  if (Array.isArray(type) && type.includes("null")) return null;
  if (items) {
    const hasObjects = nameOf(items as Json) !== undefined || "properties" in (items as Json);
    return hasObjects ? [deriveExample(components, items as Json)] : [];
  }
  if (Array.isArray(words)) return words[0] as unknown;
  if (format === "date-time") return AT;
  if (type === "boolean") return false;
  if (type === "object") return {};
  return type === "string" ? "…" : minimum;
}

function nameOf({ $ref: reference }: Json): string | undefined {
  return typeof reference === "string" ? reference.slice(COMPONENT.length) : undefined;
}

function merge(base: unknown, given: unknown): unknown {
  if (given === undefined) return base;
  if (!isObject(base) || !isObject(given)) return given;
  const merged = Object.entries(given).map(([name, value]) => [name, merge(base[name], value)]);
  return { ...base, ...Object.fromEntries(merged) };
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
