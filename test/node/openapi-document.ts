// Builds the worker's OpenAPI document in Node. The endpoints table is imported as it is, and the
// modules that only workerd has are replaced, because describing an endpoint calls none of them.
import { registerHooks } from "node:module";

type Json = Readonly<Record<string, unknown>>;

/** The modules of workerd that src imports values from, with their replacements. */
const STAND_INS: Readonly<Record<string, string>> = {
  "cloudflare:workers":
    "export class DurableObject {} export class WorkerEntrypoint {} export class RpcTarget " +
    "{} export const env = {}; export const exports = {};",
  "cloudflare:sockets": "export const connect = undefined;",
  "cloudflare:email": "export class EmailMessage {}",
};

export async function openApiDocument(origin: string): Promise<Json> {
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      const text = STAND_INS[specifier];
      return text === undefined
        ? next(specifier, context)
        : {
            url: `data:text/javascript,${encodeURIComponent(text)}`,
            format: "module",
            shortCircuit: true,
          };
    },
  });
  try {
    // Imported by a computed path, so that the type check of Node files does not need D1's types.
    const { endpoints } = (await import(source("app.ts"))) as { endpoints: unknown };
    const { openApiDocument: describe, atOrigin } = (await import(
      source("openapi/openapi.ts")
    )) as {
      openApiDocument: (table: unknown, headerPrefix: string) => Json;
      atOrigin: (document: Json, origin: string) => Json;
    };
    return atOrigin(describe(endpoints, "Service"), origin);
  } finally {
    hooks.deregister();
  }
}

function source(file: string): string {
  return new URL(`../../src/api/${file}`, import.meta.url).href;
}
