// The OpenAPI document that the last release promised (contract.md §Additions). It has only the
// parts that programs depend on, without texts and examples. freeze.ts writes it, and a test
// compares the current document with it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ApiDocument } from "./breaking-changes.ts";

export const FROZEN_FILE = join(import.meta.dirname, "frozen.json");

/** Members of every kind of object that no program depends on. */
const TEXTS = new Set(["description", "summary", "tags", "title", "deprecated", "readOnly"]);
const EXAMPLES = new Set(["example", "examples", "default", "discriminator"]);
/** Members whose own members are names and not keywords. */
const OF_NAMES = new Set(["properties", "paths", "webhooks", "schemas", "responses", "headers"]);
const KEPT = ["paths", "webhooks", "components"];

export interface FrozenDocument extends ApiDocument {
  /** The release that made the promise. */
  readonly version: string;
}

export function readFrozen(): FrozenDocument {
  return JSON.parse(readFileSync(FROZEN_FILE, "utf8")) as FrozenDocument;
}

/** Returns the text of a release's frozen document, with a line for each path and component. */
export function frozenText(version: string, document: Readonly<Record<string, unknown>>): string {
  const bare = withoutTexts(document, false) as Readonly<Record<string, object>>;
  const parts = KEPT.map(
    (name) => `"${name}":${linesOf(bare[name], name === "components" ? 2 : 1)}`,
  );
  return `{\n"version":${JSON.stringify(version)},\n${parts.join(",\n")}\n}\n`;
}

/** Writes an object with a line for each member, `depth` levels deep. */
function linesOf(value: unknown, depth: number): string {
  if (depth === 0 || typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, one]) => `${JSON.stringify(name)}:${linesOf(one, depth - 1)}`,
  );
  return `{\n${members.join(",\n")}\n}`;
}

function withoutTexts(value: unknown, isOfNames: boolean): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => withoutTexts(one, false));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => isOfNames || !(TEXTS.has(name) || EXAMPLES.has(name)))
      .map(([name, one]) => [name, withoutTexts(one, !isOfNames && OF_NAMES.has(name))]),
  );
}
