// Finds breaking changes between two JSON schemas of an OpenAPI document. A request breaks if the
// new schema accepts less: a member, a type, a choice or a limit. A response breaks if the new
// schema promises less: a member is removed, may be absent or null, or has another type. New
// members and new choices in a response are additions (contract.md §Additions). Pure.

/** `<place>: <what broke>`. */
export type BreakingChange = string;

export type Schema = Readonly<Record<string, unknown>>;
type Schemas = Readonly<Record<string, Schema>>;
export type Direction = "request" | "response";

interface Context {
  readonly schemas: { readonly promised: Schemas; readonly current: Schemas };
  readonly direction: Direction;
  /**
   * Pairs of components whose comparison is under way. A schema may contain itself, so each pair is
   * compared only once.
   */
  readonly open: ReadonlySet<string>;
}

const UPPER_LIMITS = ["maxLength", "maxItems", "maxProperties", "maximum", "exclusiveMaximum"];
const LOWER_LIMITS = ["minLength", "minItems", "minProperties", "minimum", "exclusiveMinimum"];
/** Keywords that restrict a request. A new or changed value always counts as breaking. */
const RULES = ["pattern", "format", "contains", "propertyNames", "multipleOf", "uniqueItems"];
const COMPONENTS = "#/components/schemas/";

export function breakingSchemas(
  schemas: Context["schemas"],
  place: string,
  promised: Schema,
  current: Schema,
  direction: Direction,
): BreakingChange[] {
  return compare({ schemas, direction, open: new Set() }, place, promised, current);
}

function compare(
  context: Context,
  place: string,
  promised: Schema,
  current: Schema,
): BreakingChange[] {
  const [was, is] = [nameOf(promised), nameOf(current)];
  const pair = `${was} ${is}`;
  if (was !== undefined && context.open.has(pair)) return [];
  // Inside a component, the place begins with the component's name. So a change is reported once
  // and not for each operation.
  const start = was === undefined ? place : `${context.direction} ${was}`;
  const inner =
    was === undefined ? context : { ...context, open: new Set([...context.open, pair]) };
  const [old, fresh] = [
    alternativesOf(context.schemas.promised, promised),
    alternativesOf(context.schemas.current, current),
  ];
  const [only, other] = [old, fresh].map((some) => (some.length === 1 ? some[0] : undefined));
  if (only && other) return compareOne(inner, start, only, other);
  return context.direction === "request"
    ? old.flatMap((one) => closest(inner, start, one, fresh, "no longer accepts"))
    : compareAnswers(inner, start, old, fresh);
}

/**
 * Compares answers. A new alternative is allowed if a constant distinguishes it from the others. An
 * old alternative without such a constant may be removed.
 */
function compareAnswers(
  context: Context,
  place: string,
  old: readonly Schema[],
  fresh: readonly Schema[],
): BreakingChange[] {
  const known = new Set(old.map(markOf));
  const marks = new Set(fresh.map(markOf));
  const gone = [...known].filter((mark) => mark !== "" && !marks.has(mark));
  return [
    ...gone.map((mark) => `${place}: ${mark} is gone`),
    ...fresh
      .filter((one) => markOf(one) === "" || known.has(markOf(one)))
      .flatMap((one) => closest(context, place, one, old, "may now be")),
  ];
}

/**
 * Compares `one` with each of the others. Returns an empty list if any of them fits, else the
 * changes against the most similar one.
 */
function closest(
  context: Context,
  place: string,
  one: Schema,
  others: readonly Schema[],
  words: string,
): BreakingChange[] {
  const isRequest = context.direction === "request";
  const found = others
    .filter((other) => markOf(other) === markOf(one))
    .filter((other) => isAny(other) || isAny(one) || kindOf(other) === kindOf(one))
    .map((other) =>
      isRequest ? compareOne(context, place, one, other) : compareOne(context, place, other, one),
    );
  const [best] = found.toSorted((left, right) => left.length - right.length);
  return best ?? [`${place}: ${words} ${markOf(one) || typeOf(one)}`];
}

function compareOne(
  context: Context,
  place: string,
  promised: Schema,
  current: Schema,
): BreakingChange[] {
  const isRequest = context.direction === "request";
  const [wider, narrower] = isRequest ? [current, promised] : [promised, current];
  if (isNever(promised) || isAny(wider)) return [];
  if (isNever(current)) return [`${place}: is refused now`];
  const [was, is] = [typeOf(promised), typeOf(current)];
  const fits = was === is || (typeOf(wider) === "number" && typeOf(narrower) === "integer");
  if (!fits) return [`${place}: was ${was}, is ${is}`];
  return [
    ...compareChoices(isRequest, place, promised, current),
    ...(isRequest
      ? compareLimits(place, promised, current)
      : compareForm(place, promised, current)),
    ...compareMembers(context, place, promised, current),
    ...(promised["items"] === undefined && current["items"] === undefined
      ? []
      : compare(context, `${place}[]`, schemaAt(promised, "items"), schemaAt(current, "items"))),
    ...(was === "object"
      ? compare(
          context,
          `${place}.*`,
          schemaAt(promised, "additionalProperties"),
          schemaAt(current, "additionalProperties"),
        )
      : []),
  ];
}

function compareChoices(
  isRequest: boolean,
  place: string,
  promised: Schema,
  current: Schema,
): BreakingChange[] {
  const [was, is] = [choicesOf(promised), choicesOf(current)];
  if (!was) return is && isRequest ? [`${place}: accepts only ${is.join(", ")} now`] : [];
  if (!is) return isRequest ? [] : [`${place}: its values are no longer listed`];
  return was
    .filter((value) => !is.includes(value))
    .map((value) => `${place}: the value ${value} is gone`);
}

function compareLimits(place: string, promised: Schema, current: Schema): BreakingChange[] {
  const narrowed = (names: readonly string[], sign: 1 | -1) =>
    names.filter((name) => {
      const [was, is] = [promised[name] as number | undefined, current[name] as number | undefined];
      return is !== undefined && (was === undefined || (is - was) * sign < 0);
    });
  const changed = RULES.filter(
    (name) =>
      current[name] !== undefined &&
      JSON.stringify(promised[name]) !== JSON.stringify(current[name]),
  );
  return [...narrowed(UPPER_LIMITS, 1), ...narrowed(LOWER_LIMITS, -1), ...changed].map(
    (name) =>
      `${place}: ${name} was ${JSON.stringify(promised[name]) ?? "absent"}, is ${JSON.stringify(current[name])}`,
  );
}

function compareForm(place: string, promised: Schema, current: Schema): BreakingChange[] {
  return ["format", "contentEncoding"]
    .filter((name) => promised[name] !== undefined && promised[name] !== current[name])
    .map((name) => `${place}: ${name} was ${String(promised[name])}, is ${String(current[name])}`);
}

function compareMembers(
  context: Context,
  place: string,
  promised: Schema,
  current: Schema,
): BreakingChange[] {
  const [old, fresh] = [membersOf(promised), membersOf(current)];
  const [needed, needs] = [requiredOf(promised), requiredOf(current)];
  const isRequest = context.direction === "request";
  const less = isRequest
    ? [...needs].filter((name) => !needed.has(name)).map((name) => [name, "is required now"])
    : [...needed]
        .filter((name) => !needs.has(name) && fresh[name])
        .map((name) => [name, "may be absent now"]);
  return [
    ...less.map(([name, words]) => `${place}.${name}: ${words}`),
    ...Object.entries(old).flatMap(([name, schema]) => {
      const other = fresh[name];
      return other
        ? compare(context, `${place}.${name}`, schema, other)
        : isNever(schema)
          ? []
          : [`${place}.${name}: is gone`];
    }),
  ];
}

/** Splits a schema into schemas of one type, without references and unions. */
function alternativesOf(schemas: Schemas, schema: Schema): Schema[] {
  const name = nameOf(schema);
  if (name !== undefined) return alternativesOf(schemas, schemas[name] ?? {});
  const union = (schema["anyOf"] ?? schema["oneOf"]) as readonly Schema[] | undefined;
  if (union) return union.flatMap((one) => alternativesOf(schemas, one));
  const { type } = schema;
  return Array.isArray(type) ? type.map((one: unknown) => ({ ...schema, type: one })) : [schema];
}

/**
 * Returns the constants that distinguish an object from its alternatives, such as
 * `type="email.sent"`. Returns "" if no constant does.
 */
function markOf(schema: Schema): string {
  return Object.entries(membersOf(schema))
    .flatMap(([name, { const: value }]) =>
      value === undefined ? [] : [`${name}=${JSON.stringify(value)}`],
    )
    .join(" ");
}

function nameOf(schema: Schema): string | undefined {
  return (schema["$ref"] as string | undefined)?.replace(COMPONENTS, "");
}

function typeOf(schema: Schema): string {
  return (schema["type"] as string | undefined) ?? (schema["properties"] ? "object" : "anything");
}

/** Returns the type of a schema. Integers count as numbers. */
function kindOf(schema: Schema): string {
  return typeOf(schema).replace("integer", "number");
}

function isAny(schema: Schema): boolean {
  return typeOf(schema) === "anything" && !choicesOf(schema) && !isNever(schema);
}

function isNever(schema: Schema): boolean {
  return schema["not"] !== undefined;
}

function choicesOf(schema: Schema): readonly string[] | undefined {
  const values = "const" in schema ? [schema["const"]] : (schema["enum"] as unknown[] | undefined);
  return values?.map((value) => JSON.stringify(value));
}

function membersOf(schema: Schema): Schemas {
  return (schema["properties"] ?? {}) as Schemas;
}

function requiredOf(schema: Schema): ReadonlySet<string> {
  return new Set((schema["required"] ?? []) as readonly string[]);
}

function schemaAt(schema: Schema, name: string): Schema {
  const at = schema[name] ?? {};
  return typeof at === "boolean" ? (at ? {} : { not: {} }) : (at as Schema);
}
