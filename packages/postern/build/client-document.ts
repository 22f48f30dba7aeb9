// Reduces the OpenAPI document to two parts. The team's part has the operations below /v1 that take
// an API key, with their schemas, the error schemas and the webhook deliveries. The operator's part
// has the operations below /admin with their schemas.
import { type DocumentOperation, readDocument } from "../../../tools/openapi/read-document.ts";

export type SchemaJson = Readonly<Record<string, unknown>>;

export type ClientOperation = ReturnType<typeof operationOf>;
export type ClientDocument = ReturnType<typeof documentBelow>;

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>;
  readonly webhooks: Readonly<
    Record<string, { readonly post: Pick<DocumentOperation, "requestBody"> }>
  >;
  readonly components: {
    readonly schemas: Readonly<Record<string, SchemaJson>>;
    readonly responses: Readonly<Record<string, SchemaJson>>;
  };
}

const REFERENCE = "#/components/schemas/";

export function clientDocument(): ClientDocument {
  const document = wholeDocument();
  const { responses } = document.components;
  const errors = errorNames(
    itemsBelow(document, "/v1/").map(({ item }) => item),
    responses,
  );
  return documentBelow(document, "/v1/", {
    ErrorBody: { anyOf: errors.map((name) => ({ $ref: REFERENCE + name })) },
    WebhookDelivery: deliveryOf(document, "email.sent"),
    WebhookTestDelivery: deliveryOf(document, "webhook.test"),
    ResendWebhookDelivery: deliveryOf(document, "resend"),
  });
}

export function operatorDocument(): ClientDocument {
  return documentBelow(wholeDocument(), "/admin/", {});
}

function wholeDocument(): Document {
  return readDocument("https://api.example.com") as unknown as Document;
}

function itemsBelow({ paths }: Document, prefix: string) {
  return Object.entries(paths)
    .filter(([path]) => path.startsWith(prefix))
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, item]) => ({ method, path, item })),
    );
}

/** `more`: schemas to include although no operation refers to them. */
function documentBelow(
  document: Document,
  prefix: string,
  more: Readonly<Record<string, SchemaJson>>,
) {
  const operations = itemsBelow(document, prefix).map(({ method, path, item }) =>
    operationOf(method.toUpperCase(), path, item),
  );
  const { schemas } = document.components;
  const own = { ...Object.fromEntries(operations.flatMap(queryOf)), ...more };
  const wanted = reachable(schemas, { operations, own });
  const kept = Object.entries(schemas).filter(([name]) => wanted.has(name));
  const all: Readonly<Record<string, SchemaJson>> = { ...Object.fromEntries(kept), ...own };
  return { operations, schemas: all };
}

export function queryName(operationId: string): string {
  return `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Query`;
}

export function referenced(schema: SchemaJson): string | undefined {
  const { $ref } = schema;
  return typeof $ref === "string" ? $ref.slice(REFERENCE.length) : undefined;
}

function operationOf(method: string, path: string, item: DocumentOperation) {
  const { operationId, summary, description, requestBody } = item;
  const success = Object.entries(item.responses).find(([status]) => status.startsWith("2"));
  const [body] = Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => ({
    type,
    schema,
    required: requestBody?.required ?? false,
  }));
  return {
    method,
    path,
    operationId,
    summary,
    description,
    parameters: item.parameters.filter(({ deprecated }) => deprecated !== true),
    ...(body && { body }),
    /** The schema of a successful answer; undefined: the answer has no body. */
    result: Object.values(success?.[1].content ?? {})[0]?.schema,
  };
}

/** Returns the query parameters as one schema, because a client method takes them as one object. */
function queryOf({
  operationId,
  parameters,
}: ClientOperation): [name: string, schema: SchemaJson][] {
  const query = parameters.filter((one) => one.in === "query");
  if (query.length === 0) return [];
  const properties = Object.fromEntries(
    query.map(({ name, schema, description }) => [
      name,
      description === undefined ? schema : { ...schema, description },
    ]),
  );
  return [[queryName(operationId), { type: "object", properties }]];
}

function deliveryOf({ webhooks }: Document, type: string): SchemaJson {
  const content = webhooks[type]?.post.requestBody?.content["application/json"];
  if (!content) throw new Error(`the document has no webhook ${type}`);
  return content.schema;
}

/** Returns the names of the schemas of all error answers. */
function errorNames(
  items: readonly DocumentOperation[],
  responses: Readonly<Record<string, SchemaJson>>,
): readonly string[] {
  const failures = items.flatMap((item) =>
    Object.entries(item.responses)
      .filter(([status]) => Number(status) >= 400)
      .map(([, response]) => responses[componentIn(response)] ?? response),
  );
  return [...new Set(references(failures))];
}

function componentIn(response: object): string {
  return "$ref" in response ? (String(response.$ref).split("/").at(-1) ?? "") : "";
}

function references(value: unknown): readonly string[] {
  const found = JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g);
  return Array.from(found, ([, name = ""]) => name);
}

/** Returns the names of the schemas to which `roots` refers, directly or indirectly. */
function reachable(
  schemas: Readonly<Record<string, SchemaJson>>,
  roots: unknown,
): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    for (const name of references(value))
      if (!found.has(name)) {
        found.add(name);
        visit(schemas[name]);
      }
  };
  visit(roots);
  return found;
}
