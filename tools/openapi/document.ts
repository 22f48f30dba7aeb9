// Makes the OpenAPI 3.1 document from the table of endpoints and its zod schemas. `npm run client`
// writes it to public/api, and the worker serves it from there (src/api/openapi.ts).
import { type Endpoint, templatedPath } from "../../src/endpoint.ts";
import { VERSION } from "../../src/api/openapi.ts";
import { PLACEHOLDERS } from "../../src/api/placeholders.ts";
import { ERROR_SCHEMAS, type ErrorResponse } from "./error-responses.ts";
import { EXAMPLES } from "./examples.ts";
import { OPERATOR_SECTION, operationIdOf, sectionName, sectionOf, SECTIONS } from "./names.ts";
import { errorResponse, operationOf } from "./operation.ts";
import { type Json, schemaRegistry } from "./schemas.ts";
import { WEBHOOK_SCHEMAS, webhooksSection } from "./webhooks.ts";
import { HEADERS } from "./response-headers.ts";
import { DESCRIPTION, HEALTH, LICENSE, SECURITY_SCHEMES, TITLE } from "./introduction.ts";

/** Makes the document. Values that depend on the deployment are placeholders. */
export function openApiDocument(endpoints: readonly Endpoint[]): Json {
  const published = endpoints.filter(isPublished);
  const registry = schemaRegistry(published, WEBHOOK_SCHEMAS);
  const paths: Record<string, Json> = {};
  const errors = new Map<string, ErrorResponse>();
  for (const endpoint of published) {
    const { operation, errors: found } = operationOf(
      endpoint,
      registry,
      EXAMPLES[operationIdOf(endpoint)],
    );
    (paths[templatedPath(endpoint.path)] ??= {})[endpoint.method.toLowerCase()] = operation;
    for (const error of found) errors.set(error.name, error);
  }
  paths["/healthz"] = { get: HEALTH };
  const responses = Object.fromEntries(
    [...errors].map(([name, error]) => [name, errorResponse(error)]),
  );
  return {
    openapi: "3.1.0",
    info: {
      title: TITLE,
      version: VERSION,
      license: LICENSE,
      description: DESCRIPTION,
      contact: { name: "The operator of this service", url: PLACEHOLDERS.origin },
    },
    ...tagsOf(published),
    paths,
    webhooks: webhooksSection(),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      headers: HEADERS,
      schemas: { ...registry.components, ...ERROR_SCHEMAS },
      responses,
    },
    servers: [{ url: PLACEHOLDERS.origin }],
  };
}

function isPublished({ internal, permission }: Endpoint): boolean {
  return !internal && permission !== "gateway";
}

/**
 * Lists the tags of all sections: those of SECTIONS first, in their order. The operator's tag is in
 * its own group, which Scalar shows collapsed.
 */
function tagsOf(endpoints: readonly Endpoint[]): Json {
  const sections = new Set([
    ...Object.keys(SECTIONS),
    ...endpoints.map(({ path }) => sectionOf(path)),
  ]);
  const operator = sectionName(OPERATOR_SECTION).name;
  const tags = Array.from(sections, (section) => ({ ...sectionName(section) }));
  const others = tags.map(({ name }) => name).filter((name) => name !== operator);
  return {
    tags,
    "x-tagGroups": [
      { name: "API", tags: others },
      { name: "For the operator", tags: [operator] },
    ],
  };
}
