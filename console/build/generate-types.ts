// Generates console/src/api/schema.ts, the types of the console's client, from the OpenAPI
// document, so that the console can do only what the document describes.
import { writeFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";
import { readDocument } from "../../tools/openapi/read-document.ts";

/** The file that generate() is written to. */
export const SCHEMA = new URL("../src/api/schema.ts", import.meta.url);

/** Returns the types of the OpenAPI document as TypeScript. */
export async function generate(): Promise<string> {
  const document = readDocument("https://api.example.com");
  const types = await openapiTS(JSON.stringify(document, withoutExamples));
  return `// Generated from the OpenAPI document by \`npm run console\`. Do not edit.\n${astToString(types)}`;
}

/** Leaves out what types do not need. */
function withoutExamples(name: string, value: unknown): unknown {
  return name === "example" || name === "examples" ? undefined : value;
}

if (import.meta.main) writeFileSync(SCHEMA, await generate());
