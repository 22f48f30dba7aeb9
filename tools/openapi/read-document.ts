// Reads the OpenAPI document as a deployment at a given address serves it, for programs that use
// it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fillIn } from "../../src/api/placeholders.ts";

const FILE = join(import.meta.dirname, "../../public/api/openapi.json");

interface DocumentParameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly description?: string;
  readonly required?: boolean;
  readonly deprecated?: boolean;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** The content of a body, by media type. */
type DocumentContent = Readonly<
  Record<string, { readonly schema: Readonly<Record<string, unknown>> }>
>;

/** An operation of the document. */
export interface DocumentOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly DocumentParameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: DocumentContent };
  readonly responses: Readonly<Record<string, { readonly content?: DocumentContent }>>;
}

export function readDocument(origin: string): Readonly<Record<string, unknown>> {
  const text = fillIn(readFileSync(FILE, "utf8"), { origin, headerPrefix: "Service" });
  return JSON.parse(text) as Readonly<Record<string, unknown>>;
}
