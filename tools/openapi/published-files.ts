// Makes the texts of public/api, which describe the worker's own interface. They are indented, so
// that a diff shows each change of the interface.
import type { Endpoint } from "../../src/endpoint.ts";
import { agentTools } from "./agent-tools.ts";
import { openApiDocument } from "./document.ts";

/** Returns the text of each file, by its name. */
export function publishedFiles(endpoints: readonly Endpoint[]) {
  const document = openApiDocument(endpoints);
  return {
    "openapi.json": indented(document),
    "tools.json": indented(agentTools(endpoints, document)),
  };
}

function indented(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
