// `npm run client` writes packages/postern/src/generated from the OpenAPI document: the client's
// types and methods. So the client can do exactly what the API does. The operator's types and
// methods go to the console instead, because only the console uses them. If the console uses a type
// of the team's API, it imports the type from the package. The list of event types is written too.
import { writeFileSync } from "node:fs";
import { type ClientDocument, clientDocument, operatorDocument } from "./client-document.ts";
import { resourcesOf } from "./generate-resources.ts";
import { typesOf } from "./type-statements.ts";

/** The paths of generate() are relative to this root. */
export const ROOT = new URL("../../../", import.meta.url);

const HEADER = "// Generated from the OpenAPI document by `npm run client`. Do not edit.\n";
const TEAM = "packages/postern/src/generated";
const OPERATOR = "console/src/api/operator";
const FROM_OPERATOR = "../../../../packages/postern/src";

/** Returns the text of each generated file, by path. */
export async function generate(): Promise<Readonly<Record<string, string>>> {
  const document = clientDocument();
  const operator = operatorDocument();
  const shared = {
    names: new Set(Object.keys(document.schemas)),
    path: `${FROM_OPERATOR}/generated/types.ts`,
  };
  return {
    [`${TEAM}/types.ts`]: HEADER + (await typesOf(document)),
    [`${TEAM}/resources.ts`]: HEADER + resourcesOf(document, "../request"),
    [`${TEAM}/event-type-list.ts`]: HEADER + eventTypesOf(document),
    [`${OPERATOR}/types.ts`]: HEADER + (await typesOf(operator, shared)),
    [`${OPERATOR}/resources.ts`]:
      HEADER + resourcesOf(operator, `${FROM_OPERATOR}/request`, shared),
  };
}

/** Writes the event types of the history, in the order of a message's life. */
function eventTypesOf({ operations }: ClientDocument): string {
  const filter = operations
    .flatMap(({ parameters }) => parameters)
    .find(({ name }) => name === "event_type");
  return `export const EVENT_TYPES = ${JSON.stringify(filter?.schema["enum"], null, 2)} as const;\n`;
}

if (import.meta.main)
  for (const [path, text] of Object.entries(await generate()))
    writeFileSync(new URL(path, ROOT), text);
