// Compiles a template of the Handlebars language (docs/templates.md) to closures over JSON data. No
// code is generated from strings, functions in the data are never called, and hostile source is
// refused in linear time (decision 0014).
import { createHash } from "node:crypto";
import type { Meter } from "./meter.ts";
import { TemplateProblem, type TemplateError } from "./problem.ts";
import type { VariablePath } from "./variable-names.ts";
import { scanTemplate } from "./scan.ts";
import type { Render } from "./scope.ts";
import { compileProgram } from "./statements.ts";
import { parseTemplate } from "./syntax.ts";
import { WeightedCache } from "./weighted-cache.ts";

/** A compiled template. Render it with `renderTemplate`. */
export interface CompiledTemplate {
  readonly kind: "template";
  readonly render: Render;
  /** The variables that the template reads, as paths, each once. */
  readonly variables: readonly VariablePath[];
  /** Work that parsing took, in tokens. */
  readonly work: number;
}

/**
 * The size of the cache in bytes, and the approximate memory of a template: a fixed part, and parts
 * for each character of its source and for each tag.
 */
const CACHE_BYTES = 16_000_000;
const BYTES_OF_TEMPLATE = 1_000;
const BYTES_OF_CHARACTER = 4;
const BYTES_OF_TAG = 800;

/**
 * Maximum length of a map key. V8 hashes only the length of much longer strings, so a map would
 * compare such a key with every other key of the same length.
 */
const MAP_KEY_CHARACTERS = 16_000;

const cache = new WeightedCache<CompiledTemplate>(CACHE_BYTES);

/**
 * Compiles a template once per source and isolate. A source without a tag renders to itself. The
 * work is added to `meter` even on a cache hit, so that a caller's limit does not depend on the
 * isolate's cache. `key` is templateKey(source), if the caller already has it.
 */
export function compileTemplate(
  source: string,
  meter?: Meter,
  key?: string,
): CompiledTemplate | TemplateError {
  if (!source.includes("{{"))
    return { kind: "template", render: (_, run) => run.write(source), variables: [], work: 0 };
  const cacheKey = key ?? templateKey(source);
  const known = cache.find(cacheKey);
  if (meter && known) meter.work += known.work;
  if (known) return known;
  try {
    const scanned = scanTemplate(source);
    if (meter) meter.work += scanned.work;
    const template: CompiledTemplate = {
      kind: "template",
      ...compileProgram(parseTemplate(source, scanned)),
      work: scanned.work,
    };
    cache.insert(
      cacheKey,
      template,
      BYTES_OF_TEMPLATE + BYTES_OF_CHARACTER * source.length + BYTES_OF_TAG * scanned.tags,
    );
    return template;
  } catch (error) {
    if (error instanceof TemplateProblem) return error.toError();
    throw error;
  }
}

/**
 * Returns a map key for a source: the source itself or, for a long source, its SHA-256. A hash
 * cannot equal a source that is its own key, because such a source contains a tag.
 */
export function templateKey(source: string): string {
  return source.length <= MAP_KEY_CHARACTERS
    ? source
    : createHash("sha256").update(source).digest("base64");
}
