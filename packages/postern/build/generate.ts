// `npm run client` writes packages/postern/src/generated: the client's types and methods, from the
// OpenAPI document, so that the client can do exactly what the API does.
import { writeFileSync } from "node:fs";
import { clientDocument } from "./client-document.ts";
import { resourcesOf } from "./generate-resources.ts";
import { typesOf } from "./type-statements.ts";

/** The folder that generate() is written to. */
export const GENERATED = new URL("../src/generated/", import.meta.url);

const HEADER = "// Generated from the OpenAPI document by `npm run client`. Do not edit.\n";

/** Returns the text of each file, by its name. */
export async function generate(): Promise<Readonly<Record<string, string>>> {
  const document = clientDocument();
  return {
    "types.ts": HEADER + (await typesOf(document)),
    "resources.ts": HEADER + resourcesOf(document),
  };
}

if (import.meta.main)
  for (const [name, text] of Object.entries(await generate()))
    writeFileSync(new URL(name, GENERATED), text);
