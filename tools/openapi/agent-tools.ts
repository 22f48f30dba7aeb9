// Makes a tool for agents from each endpoint that takes an API key (docs/mcp.md). The OpenAPI
// document provides the name, texts and schema, so that the tools can't differ from the routes.
import { type Endpoint, templatedPath } from "../../src/endpoint.ts";
import { CSV, type EndpointTool, WHOLE } from "../../src/api/mcp/endpoint-tools.ts";
import type { ToolAnnotations } from "../../src/api/mcp/tool.ts";
import { operationIdOf } from "./names.ts";
import type { DocumentOperation } from "./read-document.ts";
import { COMPONENT, type Json } from "./schemas.ts";

type Schemas = Readonly<Record<string, Json>>;

interface ObjectSchema {
  readonly properties: Readonly<Record<string, Json>>;
  readonly required?: readonly string[];
}

/** Operations that do not become a tool here. src/api/mcp has its own tool for some of them. */
const OTHERWISE = new Set([
  "getEmailContent",
  "getEmailContentAttachment",
  "listReplies",
  "getReply",
  "getReplyAttachment",
  "getRawReply",
]);
/** POST operations that change nothing. */
const READS = new Set(["previewTemplate", "checkEmail"]);
/** POST operations that replace or end something and can't be undone. */
const REPLACES = new Set([
  "publishTemplate",
  "rotateWebhookSecret",
  "cancelEmail",
  "cancelEmailCampaign",
]);
/** Operations, apart from sends, that reach people or systems outside. */
const REACHES = new Set(["testWebhook", "replayWebhook"]);
/**
 * Matches a note on encoding, which is removed. A tool encodes its arguments itself, so a model
 * must not encode them too.
 */
const ENCODED = /, URL-encoded(?=;)| \(also as `%2A`\)/;
const CSV_SCHEMA = { type: "string", description: "The whole file, as text." };
const WHOLE_SCHEMA = {
  type: "boolean",
  description:
    "True: returns long texts and lists whole. Otherwise they are cut, and each cut is named " +
    "below the answer.",
};
const SENDS = "This sends mail to people, and can't be undone: ask before you call it.";
const DELETES = "This deletes permanently: ask before you call it.";

/** Makes the tools. `document` is the OpenAPI document of the endpoints. */
export function agentTools(
  endpoints: readonly Endpoint[],
  document: Json,
): readonly EndpointTool[] {
  const paths = document["paths"] as Readonly<
    Record<string, Readonly<Record<string, DocumentOperation>>>
  >;
  const { schemas } = document["components"] as { readonly schemas: Schemas };
  return endpoints.filter(isTool).map((endpoint) => {
    const operation = paths[templatedPath(endpoint.path)]?.[endpoint.method.toLowerCase()];
    if (!operation) throw new Error(`the document has no ${operationIdOf(endpoint)}`);
    return toolOf(endpoint, operation, schemas);
  });
}

function isTool(endpoint: Endpoint): boolean {
  const { permission, internal } = endpoint;
  const isForKeys = (permission === "full" || permission === "send") && !internal;
  return isForKeys && !OTHERWISE.has(operationIdOf(endpoint));
}

function toolOf(endpoint: Endpoint, operation: DocumentOperation, schemas: Schemas): EndpointTool {
  const { operationId, summary, description, parameters, requestBody } = operation;
  const warning = endpoint.admitsItself ? SENDS : endpoint.method === "DELETE" ? DELETES : "";
  const annotations = annotationsOf(endpoint, operation);
  const [bodyType] = Object.keys(requestBody?.content ?? {});
  return {
    definition: {
      name: toolName(operationId),
      description: [summary, description, warning].filter((text) => text !== "").join("\n\n"),
      inputSchema: inputSchema(operation, schemas, annotations.readOnlyHint),
      annotations,
    },
    isForAnyKey: endpoint.permission === "send",
    method: endpoint.method,
    path: templatedPath(endpoint.path),
    parameters: parameters.map(({ name, in: place }) => ({
      argument: argumentName(name),
      in: place,
      name,
    })),
    ...(bodyType !== undefined && { bodyType }),
  };
}

/** Turns `listWebhookDeliveries` into `list_webhook_deliveries`. */
function toolName(operationId: string): string {
  return operationId.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function annotationsOf(
  endpoint: Endpoint,
  { operationId, summary }: DocumentOperation,
): ToolAnnotations {
  const { method } = endpoint;
  const isSend = endpoint.admitsItself === true;
  const isRead = method === "GET" || READS.has(operationId);
  return {
    title: summary,
    readOnlyHint: isRead,
    destructiveHint:
      isSend || method === "DELETE" || method === "PATCH" || REPLACES.has(operationId),
    idempotentHint: isRead || method === "DELETE" || method === "PATCH",
    openWorldHint: isSend || REACHES.has(operationId),
  };
}

/** Returns one object schema with the members from the path, query, headers and body. */
function inputSchema(
  { parameters, requestBody }: DocumentOperation,
  schemas: Schemas,
  isRead: boolean,
): Json {
  const body = bodySchema(requestBody, schemas);
  const given = parameters.filter(({ deprecated }) => deprecated !== true);
  const properties: Record<string, Json> = {};
  for (const { name, schema, description } of given)
    properties[argumentName(name)] =
      description === undefined
        ? schema
        : { ...schema, description: description.replace(ENCODED, "") };
  for (const [name, schema] of Object.entries(body.properties)) {
    // The schema has this member only to refuse a request that has it, and to give the reason.
    if ("not" in schema) continue;
    if (name in properties) throw new Error(`two arguments have the name ${name}`);
    properties[name] = schema;
  }
  if (isRead) properties[WHOLE] = WHOLE_SCHEMA;
  const required = [
    ...given.filter((one) => one.required === true).map(({ name }) => name),
    ...(body.required ?? []),
  ];
  return selfContained(
    { type: "object", properties, ...(required.length > 0 && { required }) },
    schemas,
  );
}

/** Turns `Idempotency-Key` into `idempotency_key`. */
function argumentName(parameter: string): string {
  return parameter.toLowerCase().replaceAll("-", "_");
}

function bodySchema(body: DocumentOperation["requestBody"], schemas: Schemas): ObjectSchema {
  if (!body) return { properties: {} };
  const json = body.content["application/json"]?.schema;
  if (!json) return { properties: { [CSV]: CSV_SCHEMA }, required: [CSV] };
  const schema = schemas[String(json["$ref"]).slice(COMPONENT.length)] ?? json;
  if (schema["type"] !== "object") throw new Error("the body of a tool must be an object");
  return schema as unknown as ObjectSchema;
}

/** Copies all schemas that `schema` refers to into the `$defs` of `schema`. */
function selfContained(schema: Json, schemas: Schemas): Json {
  const found: Record<string, Json> = {};
  const moved = (value: Json): Json =>
    JSON.parse(
      JSON.stringify(value).replaceAll(/"#\/components\/schemas\/(\w+)"/g, (_, name: string) => {
        if (!(name in found)) {
          found[name] = {};
          found[name] = moved(schemas[name] ?? {});
        }
        return `"#/$defs/${name}"`;
      }),
    ) as Json;
  const own = moved(schema);
  return portable(Object.keys(found).length === 0 ? own : { ...own, $defs: found });
}

/**
 * Rewrites the schema for programs that know only a part of JSON Schema. In the result, each schema
 * has one type, and no schema accepts everything.
 */
function portable(schema: Json): Json {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    if (key === "additionalProperties" && JSON.stringify(value) === "{}") return undefined;
    const { type, description, ...rest } = (value ?? {}) as Json;
    if (!Array.isArray(type)) return value;
    const anyOf = type.map((one: unknown) =>
      one === "null" ? { type: one } : { type: one, ...rest },
    );
    return { anyOf, ...(description !== undefined && { description }) };
  }) as Json;
}
