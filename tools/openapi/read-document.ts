// Reads the OpenAPI document as a deployment at a given address serves it, for programs that use
// it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fillIn } from "../../src/api/placeholders.ts";

const FILE = join(import.meta.dirname, "../../public/api/openapi.json");

export function readDocument(origin: string): Readonly<Record<string, unknown>> {
  const text = fillIn(readFileSync(FILE, "utf8"), { origin, headerPrefix: "Service" });
  return JSON.parse(text) as Readonly<Record<string, unknown>>;
}
