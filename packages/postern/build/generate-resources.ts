// Writes a class for each resource, with a method for each of its operations.
import {
  type ClientDocument,
  type SchemaJson,
  type ClientOperation,
  queryName,
  referenced,
} from "./client-document.ts";
import { methodName, resourceName } from "./method-names.ts";
import { importTypes, type PackageTypes } from "./type-imports.ts";

const WIDTH = 96;
/** An operation with this parameter sends mail. */
const IDEMPOTENCY = "Idempotency-Key";
/** An operation with this parameter replaces what a person may have edited. */
const PRECONDITION = "If-Match";

/**
 * `request`: the path from the written file to the folder `request`. `shared`: the types that come
 * from the package.
 */
export function resourcesOf(
  { operations }: ClientDocument,
  request: string,
  shared?: PackageTypes,
): string {
  const resources = Map.groupBy(operations, ({ path }) => resourceName(path));
  const types = new Set<string>();
  const classes = [...resources].map(([name, own]) => classOf(name, own, types));
  const usesType = (name: string) => classes.some((text) => new RegExp(`\\b${name}\\b`).test(text));
  const calls = [
    "at",
    "type ApiCaller",
    "type ChangeOptions",
    "type RequestOptions",
    "type SendOptions",
  ].filter((one) => usesType(one.replace("type ", "")));
  const sendBody = `import type { SendBody } from "${request}/send-body.ts";`;
  return [
    `import { ${calls.join(", ")} } from "${request}/api-call.ts";`,
    `import { Pages } from "${request}/item-pages.ts";`,
    ...(usesType("SendBody") ? [sendBody] : []),
    importTypes([...types], "./types.ts", shared),
    "",
    ...classes,
    everythingOf([...resources.keys()]),
  ].join("\n");
}

function everythingOf(names: readonly string[]): string {
  return `/** Every resource of the API. */
export class Resources {
${names.map((name) => `  readonly ${name}: ${className(name)};\n`).join("")}
  constructor(call: ApiCaller) {
${names.map((name) => `    this.${name} = new ${className(name)}(call);\n`).join("")}  }
}
`;
}

function className(resource: string): string {
  return `${resource.charAt(0).toUpperCase()}${resource.slice(1)}Api`;
}

function classOf(
  resource: string,
  operations: readonly ClientOperation[],
  types: Set<string>,
): string {
  return `/** The operations below \`${operations[0]?.path.split("/").slice(0, 3).join("/")}\`. */
export class ${className(resource)} {
  readonly #call: ApiCaller;

  constructor(call: ApiCaller) {
    this.#call = call;
  }

${operations.map((one) => methodOf(one, resource, types)).join("\n")}}
`;
}

function methodOf(operation: ClientOperation, resource: string, types: Set<string>): string {
  const { method, operationId, parameters, body } = operation;
  const isSend = parameters.some(({ name }) => name === IDEMPOTENCY);
  const isChange = parameters.some(({ name }) => name === PRECONDITION);
  const hasQuery = parameters.some((one) => one.in === "query");
  const item = pageItem(operation.result);
  const path = pathOf(operation);
  const query = hasQuery ? `query: ${noted(queryName(operationId), types)} = {}` : undefined;
  const signature = [
    ...parameters.filter((one) => one.in === "path").map(({ name }) => `${name}: string`),
    ...(body ? [bodyParameter(body, isSend, types)] : []),
    ...(query === undefined ? [] : [query]),
    `options?: ${isSend ? "SendOptions" : isChange ? "ChangeOptions" : "RequestOptions"}`,
  ].join(", ");
  const name = `${docOf(operation)}  ${methodName(operationId, resource)}(${signature})`;
  if (item !== undefined)
    return `${name}: Pages<${typeOf(item, types)}> {
    return new Pages(this.#call, ${path}, query, options);
  }
`;
  const call = [
    `method: "${method}"`,
    `path: ${path}`,
    ...(query === undefined ? [] : ["query"]),
    ...(body === undefined ? [] : ["body"]),
    ...(body && body.type !== "application/json" ? [`type: "${body.type}"`] : []),
    ...(isSend ? ["isSend: true"] : []),
    "options",
  ].join(", ");
  const result = operation.result === undefined ? "void" : typeOf(operation.result, types);
  return `${name}: Promise<${result}> {
    return this.#call({ ${call} });
  }
`;
}

/** Returns the schema of a list's items; undefined: the answer is not a list. */
function pageItem(result: SchemaJson | undefined): SchemaJson | undefined {
  const properties = result?.["properties"] as Readonly<Record<string, SchemaJson>> | undefined;
  return properties && "next_cursor" in properties
    ? (properties["data"]?.["items"] as SchemaJson)
    : undefined;
}

function bodyParameter(
  { schema, required }: NonNullable<ClientOperation["body"]>,
  isSend: boolean,
  types: Set<string>,
): string {
  const type = typeOf(schema, types);
  return `body: ${isSend && required ? `SendBody<${type}>` : type}${required ? "" : " = {}"}`;
}

function pathOf({ path }: ClientOperation): string {
  return path.includes("{") ? `at\`${path.replaceAll("{", "${")}\`` : `"${path}"`;
}

function typeOf(schema: SchemaJson, types: Set<string>): string {
  const name = referenced(schema);
  if (name !== undefined) return noted(name, types);
  if (schema["type"] === "string") return schema["format"] === "binary" ? "Uint8Array" : "string";
  throw new Error(`a body without a name: ${JSON.stringify(schema)}`);
}

function noted(name: string, types: Set<string>): string {
  types.add(name);
  return name;
}

function docOf({ summary, description }: ClientOperation): string {
  const words = `${summary}.\n\n${description}`.trim().split("\n");
  const lines = words.flatMap((line) => wrapped(line)).map((line) => `   * ${line}`.trimEnd());
  return `  /**\n${lines.join("\n").replaceAll("*/", "*\\/")}\n   */\n`;
}

function wrapped(text: string): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines.at(-1) ?? "";
    if (last !== "" && last.length + word.length >= WIDTH) lines.push(word);
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
  }
  return lines;
}
